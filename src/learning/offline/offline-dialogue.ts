import type { SourceMessage } from '../extractor.ts';

/** The lines of one speaker in the text of a conversation. */
export interface DialoguePart {
  /** The name before the colon. Absent if no speaker is named. */
  readonly label?: string;
  readonly role: SourceMessage['role'];
  readonly text: string;
}

/** Splits `Human: hi\nAI: hello` into parts. Lines without a known label belong to the part before. */
export function dialogueParts(text: string): DialoguePart[] {
  const parts: { label?: string; role: SourceMessage['role']; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/u)) {
    const match = /^\s{0,8}(\p{L}{1,20}):(?:\s|$)/u.exec(line);
    const label = match?.[1] ?? '';
    const role = ROLES.get(label.toLowerCase());
    if (match && role) parts.push({ label, role, lines: [line.slice(match[0].length)] });
    else if (parts.length > 0) parts.at(-1)?.lines.push(line);
    else parts.push({ role: 'user', lines: [line] });
  }
  return parts
    .map(({ lines, ...part }) => ({ ...part, text: lines.join('\n') }))
    .filter((part) => part.text.trim() !== '');
}

const ROLES: ReadonlyMap<string, SourceMessage['role']> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['me', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['system', 'tool'],
]);

/** The lines of one speaker in the text of a conversation. */
export interface DialoguePart {
  /** The name before the colon. Absent if no speaker is named. */
  readonly label?: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** Splits `Human: hi\nAI: hello` into parts. Lines without a known label belong to the part before. */
export function dialogueParts(text: string): DialoguePart[] {
  const parts: { label?: string; role: 'user' | 'assistant' | 'tool'; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/u)) {
    const [opening = '', label = ''] = /^\s{0,8}(\p{L}{1,20}):(?:\s|$)/u.exec(line) ?? [];
    const role = ROLES.find(([labels]) => labels.test(label.toLowerCase()))?.[1];
    if (role) parts.push({ label, role, lines: [line.slice(opening.length)] });
    else if (parts.length > 0) parts.at(-1)?.lines.push(line);
    else parts.push({ role: 'user', lines: [line] });
  }
  return parts
    .map(({ lines, ...part }) => ({ ...part, text: lines.join('\n') }))
    .filter((part) => part.text.trim() !== '');
}

const ROLES: readonly (readonly [labels: RegExp, 'user' | 'assistant' | 'tool'])[] = [
  [/^(?:human|user|me)$/u, 'user'],
  [/^(?:ai|assistant|bot|model)$/u, 'assistant'],
  [/^(?:tool|system)$/u, 'tool'],
];

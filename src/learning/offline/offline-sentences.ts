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

const ROLES: readonly (readonly [labels: RegExp, SourceMessage['role']])[] = [
  [/^(?:human|user|me)$/u, 'user'],
  [/^(?:ai|assistant|bot|model)$/u, 'assistant'],
  [/^(?:tool|system)$/u, 'tool'],
];

/** Number of UTF-16 code units that are read of one message; only the beginning of a pasted book is read. */
const MAX_READ_CHARACTERS = 20_000;
/** Longer sentences are skipped, because they do not state a plain fact. */
const MAX_SENTENCE_CHARACTERS = 600;

/**
 * Returns the sentences of a text, verbatim but without list marks. Skips code blocks, quoted lines, and sentences that
 * are too long.
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let isCode = false;
  for (const line of text.slice(0, MAX_READ_CHARACTERS).split(/[\r\n\u2028\u2029]+/u)) {
    if (/^\s*(?:```|~~~)/u.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*>/u.test(line)) sentences.push(...sentencesOfLine(line));
  }
  return sentences;
}

function sentencesOfLine(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(END)) {
    const end = index + mark.length;
    const before = line.slice(Math.max(start, index - 12), index + 1);
    const isCompany = COMPANY.test(before) && /^\s+\p{Ll}/u.test(line.slice(end, end + 9));
    if (ABBREVIATION.test(before) || isCompany || isInsideQuotes(line, start, index)) continue;
    sentences.push(line.slice(start, end));
    start = end;
  }
  return [...sentences, line.slice(start)]
    .map((sentence) => sentence.replace(LIST_MARK, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && sentence.length <= MAX_SENTENCE_CHARACTERS);
}

const END = /[.!?…]{1,9}["”»’)*_\]]{0,3}(?=\s|$)|[。！？]{1,9}["”」』]?/gu;
const ABBREVIATION = /(?:^|[\s("“])(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|No|approx|\p{Lu})\.$/u;
const COMPANY = /\b(?:Inc|Ltd|Corp|Co)\.$/u;
const LIST_MARK = /^\s*(?:[-*•+]\s+|#{1,6}\s+|\d{1,3}[.)]\s+)/u;

/** Whether a full stop is inside a quotation: `She said "No. Never."` is one sentence. */
function isInsideQuotes(line: string, start: number, index: number): boolean {
  const before = line.slice(start, index);
  const after = line.slice(index, index + MAX_SENTENCE_CHARACTERS);
  if (/^[.!?…]+["”]/u.test(after)) return false;
  const opened = before.lastIndexOf('“') > before.lastIndexOf('”') && after.includes('”');
  const straight = before.split('"').length % 2 === 0 && after.includes('"');
  return opened || straight;
}

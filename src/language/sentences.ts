import { endsAbbreviated, endsInOrdinal, ENDS_COMPANY } from './words/abbreviations.ts';

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A sentence of a text, with the spaces behind it. */
export interface Sentence extends Span {
  /** Whether it ends with a question mark. */
  readonly isAsked: boolean;
}

/**
 * Returns the sentences of a text, in order; together they are the whole text. A sentence ends at a line break, at
 * `.`, `!`, `?` or `…` before a space, and at `。`, `！` or `？` anywhere; not after an abbreviation ("Dr.", "e.g."), an
 * initial or the number of a list item.
 *
 * @param quotations `whole` does not split inside quotation marks: `She said "No. Never."` is one sentence
 */
export function sentencesIn(text: string, quotations: 'split' | 'whole' = 'split'): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const add = (end: number): void => {
    const said = text.slice(Math.max(start, end - NEAR), end);
    if (end > start) sentences.push({ start, end, isAsked: isQuestion(said) });
    start = end;
  };
  for (const { index, 0: mark, groups } of text.matchAll(END)) {
    const end = index + mark.length;
    if (groups?.['stop'] !== undefined && !isSentenceEnd(text, start, index, end)) continue;
    if (quotations === 'whole' && isQuoted(text, start, index)) continue;
    add(end);
  }
  add(text.length);
  return sentences;
}

/** Whether a sentence ends with a question mark or the Chinese particle for it. Quotation marks, brackets and spaces may follow it. */
export function isQuestion(sentence: string): boolean {
  return /[?？؟吗嗎]["'”’»)\]*_\s]*$/u.test(sentence);
}

/** Whether a text ends with the mark of a sentence's end. Quotation marks, brackets and spaces may follow it. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)*_\]」』\s]*$/u.test(text);
}

/** Matches the end of a sentence and the spaces behind it. After a `stop`, {@link isSentenceEnd} decides. */
const END =
  /(?<stop>[.!?…]{1,9})["'”»’)*_\]]{0,3}(?:\s+|$)|[。！？]{1,9}["”」』]?\s*|[\r\n\u2028\u2029]\s*/gu;

/** Number of characters around a mark that are looked at; no abbreviation or quotation is longer. */
const NEAR = 600;

function isSentenceEnd(text: string, start: number, index: number, end: number): boolean {
  const from = Math.max(start, index - NEAR);
  const before = text.slice(from, index + 1);
  if (endsAbbreviated(before.slice(-12), text.slice(end, end + 1))) return isBreak(text, index, end);
  if (ENDS_COMPANY.test(before.slice(-12)) && /^\p{Ll}/u.test(text.slice(end, end + 1))) return false;
  if (endsInOrdinal(before.slice(-12), text.slice(end, end + 12))) return isBreak(text, index, end);
  if (isItemNumber(text, start, before)) return isBreak(text, index, end);
  return true;
}

/** Whether what a full stop follows is the number of a list item. "42." alone answers a question. */
function isItemNumber(text: string, start: number, before: string): boolean {
  const number = before.length <= 12 ? /^\s*(\d{1,3})\.$/u.exec(before)?.[1] : undefined;
  if (number === undefined) return false;
  return start === 0 ? number === '1' : /[\r\n]\s*$/u.test(text.slice(Math.max(0, start - 12), start));
}

function isBreak(text: string, index: number, end: number): boolean {
  return /[\r\n]/.test(text.slice(index, end)) || end === text.length;
}

/** Whether a position is inside a quotation. */
function isQuoted(text: string, start: number, index: number): boolean {
  const before = text.slice(Math.max(start, index - NEAR), index);
  const after = text.slice(index, index + NEAR);
  if (/^[.!?…]+["”]/u.test(after)) return false;
  const line = after.search(/[\r\n]/u);
  const rest = line < 0 ? after : after.slice(0, line);
  if (before.lastIndexOf('“') > before.lastIndexOf('”') && rest.includes('”')) return true;
  return before.split('"').length % 2 === 0 && rest.includes('"');
}

/** Splits a text into sentences, each with the space behind it, so that joined they are the text. */
export function splitSentences(text: string): string[] {
  return sentencesIn(text).map(({ start, end }) => text.slice(start, end));
}

/** Number of UTF-16 code units that are read of one message; only the beginning of a pasted book is read. */
const MAX_READ_CHARACTERS = 20_000;
/** Longer sentences are skipped, because they do not state a plain fact. */
const MAX_SENTENCE_CHARACTERS = 600;
const LIST_MARK = /^\s*(?:[-*•+]\s+|#{1,6}\s+|\d{1,3}[.)]\s+)/u;

/**
 * Returns the sentences of a text, verbatim but without list marks. Skips code blocks, quoted lines, and sentences of
 * more than 600 characters. Reads the first 20,000 characters.
 *
 * @example sentencesOf('I met Dr. Ng. She is nice!'); // ['I met Dr. Ng.', 'She is nice!']
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let isCode = false;
  for (const line of text.slice(0, MAX_READ_CHARACTERS).split(/[\r\n\u2028\u2029]+/u)) {
    if (/^\s*(?:```|~~~)/u.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*>/u.test(line))
      sentences.push(...sentencesIn(line, 'whole').map(({ start, end }) => line.slice(start, end)));
  }
  return sentences
    .map((sentence) => sentence.trim().replace(LIST_MARK, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && sentence.length <= MAX_SENTENCE_CHARACTERS);
}

import type { TaggedTerm } from './tagging/word-classes.ts';
import { pairs } from './words/lexicon.ts';

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

/** Number of UTF-16 code units that are read of one message; only the beginning of a pasted book is read. */
const MAX_READ_CHARACTERS = 20_000;
/** Longer sentences are skipped, because they do not state a plain fact. */
const MAX_SENTENCE_CHARACTERS = 600;

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
    if (ENDS_ABBREVIATED.test(before) || isCompany || isInsideQuotes(line, start, index)) continue;
    sentences.push(line.slice(start, end));
    start = end;
  }
  return [...sentences, line.slice(start)]
    .map((sentence) => sentence.replace(LIST_MARK, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && sentence.length <= MAX_SENTENCE_CHARACTERS);
}

const END = /[.!?…]{1,9}["”»’)*_\]]{0,3}(?=\s|$)|[。！？]{1,9}["”」』]?/gu;
const ENDS_ABBREVIATED = /(?:^|[\s("“])(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|No|approx|\p{Lu})\.$/u;
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

/** A word of a sentence; contractions are split. */
export interface Word {
  /** The word as written or, for a quoted title, the text between the marks. */
  readonly text: string;
  readonly lower: string;
  /** `title`: quoted or emphasized. `possessive`: an 's. `mark`: punctuation. */
  readonly kind: 'word' | 'title' | 'possessive' | 'mark';
  readonly tags: ReadonlySet<string>;
  readonly isCapital: boolean;
  /** Whether it begins a sentence, where a capital means nothing. */
  readonly isFirst: boolean;
}

/**
 * Splits a sentence, whose tagged words are `terms`, into words. Joined, they are the sentence again except for spaces and
 * contractions.
 */
export function wordsOf(sentence: string, terms: readonly TaggedTerm[] = []): Word[] {
  const words: Word[] = [];
  const cursor = { at: 0 };
  let isFirst = true;
  for (const match of sentence.matchAll(TOKEN)) {
    const text = match[0];
    const tags = tagsBetween(terms, match.index, match.index + text.length, cursor);
    const title = match.slice(1).find((group) => group !== undefined);
    if (title === undefined) {
      const isMark = !/[\p{L}\p{N}]/u.test(text);
      const pieces = isMark ? [text] : expand(text, sentence.slice(match.index + text.length));
      for (const piece of pieces) words.push(makeWord(piece, tags, isFirst, isMark));
      isFirst = isMark ? isFirst || /[:;–—"“]/u.test(text) : false;
    } else {
      const bare = title.replace(/[.,;:!?]+$/u, '').trim();
      if (bare !== '') words.push({ ...makeWord(bare, tags, false, false), kind: 'title' });
      isFirst = false;
    }
  }
  return words;
}

export function textOf(words: readonly Word[]): string {
  return words.reduce((text, word) => {
    const isTight = text === '' || word.kind === 'possessive' || (word.kind === 'mark' && word.text === ',');
    return text + (isTight ? '' : ' ') + word.text;
  }, '');
}

const EMPHASIS = String.raw`\*{1,2}(\p{Lu}[^*\n]{0,80}?)\*{1,2}|(?<![\p{L}\p{N}_])_(\p{Lu}[^_\n]{0,80})_`;
const QUOTED = String.raw`"([^"\n]{1,200})"|“([^”\n]{1,200})”|«([^»\n]{1,200})»`;
const ABBREVIATED = String.raw`(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Corp|Co)\.|(?:\p{Lu}\.)+(?=\s|$)`;
const PLAIN = String.raw`https?:\S+|[$€£#@]?[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.,\-/:@&_+](?=[\p{L}\p{N}]))*[%°]?`;
const TOKEN = new RegExp(`${QUOTED}|${EMPHASIS}|${ABBREVIATED}|${PLAIN}|['’](?=\\s)|[^\\s]`, 'gu');

function makeWord(text: string, tags: ReadonlySet<string>, isFirst: boolean, isMark: boolean): Word {
  const lower = text.toLowerCase().replaceAll('’', "'");
  const isPossessive = lower === "'s" || lower === "'";
  return {
    text,
    lower: SPELLINGS.get(lower) ?? lower,
    kind: isPossessive ? 'possessive' : isMark ? 'mark' : 'word',
    tags,
    isCapital: /^\p{Lu}/u.test(text),
    isFirst,
  };
}

const SPELLINGS = pairs('favourite: favorite, colour: color, u: you');

/** Splits contractions. `rest` distinguishes "Sam's a friend" from "Sam's dog". */
function expand(text: string, rest: string): string[] {
  const lower = text.toLowerCase().replaceAll('’', "'");
  const known = CONTRACTIONS.get(lower);
  if (known !== undefined) return known.split(' ');
  const suffix = /^.+?('(?:m|re|ve|ll|d|s))$/u.exec(lower)?.[1];
  if (suffix === undefined) return lower.endsWith("n't") ? [text.slice(0, -3), 'not'] : [text];
  const base = text.slice(0, -suffix.length);
  if (suffix !== "'s") return [base, CONTRACTIONS.get(suffix) ?? ''];
  if (/^\s(?:been|got|moved|gone|started)\b/iu.test(rest)) return [base, 'has'];
  if (IS_AFTER.test(base)) return [base, /^\s(?:left|had)\b/iu.test(rest) ? 'has' : 'is'];
  return /^\s(?:an?|my|not|the|from|called|named|in|at|just|also|still|currently|\p{L}+ing)\s/iu.test(rest)
    ? [base, 'is']
    : [base, "'s"];
}

const CONTRACTIONS = pairs(
  `can't: can not, cannot: can not, cant: can not, won't: will not, wont: will not, ain't: is not, let's: let us,
  im: I am, ive: I have, dont: do not, doesnt: does not, didnt: did not, isnt: is not, arent: are not,
  wasnt: was not, gonna: going to, wanna: want to, 'm: am, 're: are, 've: have, 'll: will, 'd: would`,
);
const IS_AFTER = /^(?:he|she|it|that|this|there|here|what|who|where|when|why|how|name)$/iu;

const NO_TAGS: ReadonlySet<string> = new Set();

/** Returns the tags of all terms that overlap a span. Spans must be passed in order. */
function tagsBetween(
  terms: readonly TaggedTerm[],
  start: number,
  end: number,
  cursor: { at: number },
): ReadonlySet<string> {
  let term = terms[cursor.at];
  while (term && term.end <= start) term = terms[++cursor.at];
  if (!term || term.start >= end) return NO_TAGS;
  const tags = new Set<string>();
  for (let index = cursor.at; ; index++) {
    const other = terms[index];
    if (!other || other.start >= end) return tags;
    for (const tag of other.tags) tags.add(tag);
  }
}

/** Whether a word, in lower case, is one of a list such as `my our`. */
export function isOneOf(word: Pick<Word, 'lower'> | undefined, list: string): boolean {
  const words = lists.get(list) ?? new Set(list.split(/\s+/u));
  lists.set(list, words);
  return word !== undefined && words.has(word.lower);
}

const lists = new Map<string, ReadonlySet<string>>();

/** Whether the tagger has given a word any of these tags. */
export function hasTag({ tags }: Word, ...any: readonly string[]): boolean {
  return any.some((tag) => tags.has(tag));
}

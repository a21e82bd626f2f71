import type { TaggedTerm } from './tagging/word-classes.ts';
import { ABBREVIATED_WORD } from './words/abbreviations.ts';
import { pairs } from './words/lexicon.ts';

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
const PLAIN = String.raw`https?:\S+|[$€£#@]?[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.,\-/:@&_+](?=[\p{L}\p{N}]))*[%°]?`;
const TOKEN = new RegExp(`${QUOTED}|${EMPHASIS}|${ABBREVIATED_WORD}|${PLAIN}|['’](?=\\s)|[^\\s]`, 'gu');

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
  return IS_BEFORE.test(rest) ? [base, 'is'] : [base, "'s"];
}

const CONTRACTIONS = pairs(
  `can't: can not, cannot: can not, cant: can not, won't: will not, wont: will not, ain't: is not, let's: let us,
  im: I am, ive: I have, dont: do not, doesnt: does not, didnt: did not, isnt: is not, arent: are not,
  wasnt: was not, gonna: going to, wanna: want to, 'm: am, 're: are, 've: have, 'll: will, 'd: would`,
);
/** What follows a shortened "is". */
const IS_BEFORE =
  /^\s(?:an?|my|not|the|from|called|named|in|at|just|also|still|currently|always|never|really|allergic|intolerant|vegan|vegetarian|diabetic|pregnant|married|engaged|divorced|retired|(?!(?:wedding|birthing|building|evening|everything|feeling|king|meeting|morning|painting|reading|ring|something|spring|string|swing|thing|wing|writing)\b)\p{L}+ing)(?=[\s,.!;]|$)/iu;
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

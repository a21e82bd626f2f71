import { stemmer } from 'stemmer';
import { IRREGULAR_WORDS } from './irregular-words.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Cuts a text into the terms that are indexed and searched, in the order of the text, repeats included.
 * Documents and queries go through the same function, so what is written is found when it is typed again.
 */
export type Analyze = (text: string) => string[];

/** Longer words are cut to this, in UTF-16 units: encoded files pasted into a chat are no words. */
export const MAX_TERM_CHARACTERS = 64;

/**
 * The terms of a text in any language.
 *
 * - Case, width and ligatures do not matter (NFKC, lower case); nor do the marks on Latin,
 *   Arabic and Hebrew letters.
 * - English words are reduced to their stem (Porter): "hiking" is found by "hikes"; irregular forms to their word:
 *   "went" is found by "going". Stop words stay as they are, for the index to weigh.
 * - Chinese, Japanese and Korean give every character and every pair of neighbors, so that a word is found
 *   whatever stands around it. Thai, Lao, Khmer and Burmese are cut by the browser's dictionary.
 * - Each emoji is a term.
 */
export function analyze(text: string): string[] {
  const folded = foldText(text);
  const terms: string[] = [];
  for (const run of folded.match(ASCII.test(folded) ? ASCII_RUNS : RUNS) ?? []) {
    if (PLAIN_WORD.test(run)) terms.push(stemWord(run));
    else for (const term of termsOfRun(run)) terms.push(term);
  }
  return terms;
}

const APOSTROPHE = /['’]/u;
const PLAIN_WORD = /^[a-z]+$/;
// "didn't", "can't": both halves are function words.
const NEGATED_WORD = /^[a-z]+n['’]t$/u;
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー`;
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const CJK_RUN = new RegExp(`^[${CJK}]`, 'u');
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, 'u');
const WORD = String.raw`(?:(?![${CJK}${UNSPACED}])[\p{L}\p{N}\p{M}])+`;
const RUNS = new RegExp(
  String.raw`[${CJK}]+|[${UNSPACED}]+|${WORD}(?:['’]${WORD})*|\p{Extended_Pictographic}`,
  'gu',
);
/** The same runs where there are no other letters. */
const ASCII_RUNS = /[a-z\d]+(?:'[a-z\d]+)*/g;
const LETTER_WITH_MARKS = /([\p{Script=Latin}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const SOFT_HYPHEN_OR_ARABIC_STRETCHER = /[\u00ad\u0640]/g;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

function foldText(text: string): string {
  const lowered = text.normalize('NFKC').toLowerCase();
  if (ASCII.test(lowered)) return lowered;
  return lowered
    .replace(SOFT_HYPHEN_OR_ARABIC_STRETCHER, '')
    .normalize('NFD')
    .replace(LETTER_WITH_MARKS, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

function termsOfRun(run: string): string[] {
  if (CJK_RUN.test(run)) return characterPairs(run);
  if (UNSPACED_RUN.test(run)) return dictionaryWords(run).map(cutTerm);
  if (NEGATED_WORD.test(run)) return ['not'];
  return run.split(APOSTROPHE).filter(Boolean).map(stemWord);
}

/** Limits of the cache of words, in words and in characters of each: the same ones come again and again. */
const KNOWN_WORDS = 16_384;
const MAX_KNOWN_CHARACTERS = 32;
const termByWord = new Map<string, string>();

function stemWord(word: string): string {
  const before = termByWord.get(word);
  if (before !== undefined) return before;
  const term = termOf(word);
  if (word.length > MAX_KNOWN_CHARACTERS) return term;
  if (termByWord.size === KNOWN_WORDS) termByWord.clear();
  termByWord.set(word, term);
  return term;
}

function termOf(word: string): string {
  const term = cutTerm(word);
  if (!PLAIN_WORD.test(term) || STOP_WORDS.has(term)) return term;
  return stemmer(IRREGULAR_WORDS.get(term) ?? term);
}

function cutTerm(word: string): string {
  return word.slice(0, MAX_TERM_CHARACTERS).toWellFormed();
}

function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.flatMap((character, i) => {
    const next = characters[i + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

/**
 * A browser's time to cut a run into words grows with the square of its length. A word that is lost where a longer run
 * is cut is one of hundreds.
 */
const MAX_UNSPACED_CHARACTERS = 1000;

let segmenter: Intl.Segmenter | undefined;

function dictionaryWords(run: string): string[] {
  // Older browsers have no segmenter: there pairs of characters serve.
  if (!('Segmenter' in Intl)) return characterPairs(run);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words: string[] = [];
  for (let start = 0; start < run.length; start += MAX_UNSPACED_CHARACTERS) {
    const piece = run.slice(start, start + MAX_UNSPACED_CHARACTERS);
    for (const { segment } of segmenter.segment(piece)) words.push(segment);
  }
  return words;
}

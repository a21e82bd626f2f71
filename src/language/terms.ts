import { stemmer } from 'stemmer';
import { fold, isAscii } from './fold.ts';
import { STOP_WORDS, ENGLISH_STOP_WORDS } from './words/stop-words.ts';

/**
 * Returns the terms of a text that are indexed and searched, in the order of the text and with repeats. Documents and
 * queries use the same function, so that a text is found by its own words.
 */
export type Analyze = (text: string) => string[];

/** Maximum length of a term in UTF-16 units. Longer runs, such as pasted encoded files, are not words. */
export const MAX_TERM_CHARACTERS = 64;

/**
 * Returns the terms of a text in any language.
 *
 * - Case, width, ligatures (NFKC, lower case) and marks on Latin, Arabic and Hebrew letters are ignored.
 * - English words are stemmed (Porter): "hiking" is found by "hikes". Irregular forms are reduced to their base form:
 *   "went" is found by "going". Stop words are kept; the index decides how to weigh them.
 * - Chinese, Japanese and Korean text gives every character and every pair of neighbors (bigrams), so that a word is
 *   found in any context. Thai, Lao, Khmer and Burmese are segmented by the browser's dictionary.
 * - Each emoji is a term.
 */
export function analyze(text: string): string[] {
  const folded = fold(text);
  const terms: string[] = [];
  for (const run of folded.match(isAscii(folded) ? ASCII_RUNS : RUNS) ?? []) {
    if (PLAIN_WORD.test(run)) terms.push(stemWord(run));
    else for (const term of termsOfRun(run)) terms.push(term);
  }
  return terms;
}

/** Maximum number of UTF-16 code units of a question that are read. People do not type longer questions. */
const MAX_QUESTION_CHARACTERS = 20_000;

/** Returns the part of a question that is read. */
export function questionText(question: string): string {
  return question.slice(0, MAX_QUESTION_CHARACTERS).toWellFormed();
}

/** Returns the terms of a text that are not English stop words. */
export function contentTerms(text: string): string[] {
  return analyze(text).filter((term) => !ENGLISH_STOP_WORDS.has(term));
}

const APOSTROPHE = "'";
const PLAIN_WORD = /^[a-z]+$/;
// "didn't", "can't": both halves are function words.
const NEGATED_WORD = /^[a-z]+n't$/u;
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー`;
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const CJK_RUN = new RegExp(`^[${CJK}]`, 'u');
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, 'u');
const WORD = String.raw`(?:(?![${CJK}${UNSPACED}])[\p{L}\p{N}\p{M}])+`;
const RUNS = new RegExp(
  String.raw`[${CJK}]+|[${UNSPACED}]+|${WORD}(?:'${WORD})*|\p{Extended_Pictographic}`,
  'gu',
);
/** Matches the same runs in ASCII text. */
const ASCII_RUNS = /[a-z\d]+(?:'[a-z\d]+)*/g;
function termsOfRun(run: string): string[] {
  if (CJK_RUN.test(run)) return characterPairs(run);
  if (UNSPACED_RUN.test(run)) return dictionaryWords(run).map(cutTerm);
  if (NEGATED_WORD.test(run)) return ['not'];
  return run.split(APOSTROPHE).filter(Boolean).map(stemWord);
}

/** Limits of the cache of terms by word: number of words, and characters of a word. */
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
  const stem = stemmer(IRREGULAR_WORDS.get(term) ?? term);
  // The stem of "Ines" is "in", and that of "outing" is "out".
  return STOP_WORDS.has(stem) ? term : stem;
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
 * Longest run that is segmented at once, because the browser's time grows with the square of the length. Splitting a
 * longer run loses at most one word in hundreds.
 */
const MAX_UNSPACED_CHARACTERS = 1000;

let segmenter: Intl.Segmenter | undefined;

function dictionaryWords(run: string): string[] {
  // Older browsers have no segmenter: use pairs of characters instead.
  if (!('Segmenter' in Intl)) return characterPairs(run);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words: string[] = [];
  for (let start = 0; start < run.length; start += MAX_UNSPACED_CHARACTERS) {
    const piece = run.slice(start, start + MAX_UNSPACED_CHARACTERS);
    for (const { segment } of segmenter.segment(piece)) words.push(segment);
  }
  return words;
}

/**
 * Irregular English forms, which a stemmer does not reduce, with their base forms. Forms that are also another word
 * ("saw", "left", "found") are included if they are mostly the verb in conversations, and left out if they are not
 * ("ground", "wound", "lay").
 */
const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  `ate:eat eaten:eat became:become began:begin begun:begin bent:bend bitten:bite blew:blow blown:blow
  bought:buy broke:break broken:break brought:bring built:build caught:catch children:child chose:choose
  chosen:choose came:come dealt:deal drank:drink drawn:draw drew:draw driven:drive drove:drive drunk:drink dug:dig
  fallen:fall fed:feed feet:foot fell:fall felt:feel fled:flee flew:fly flown:fly forgot:forget forgotten:forget
  fought:fight found:find froze:freeze frozen:freeze gave:give given:give gone:go got:get gotten:get grew:grow
  grown:grow heard:hear held:hold hid:hide hidden:hide hung:hang kept:keep knew:know known:know laid:lay led:lead
  left:leave lent:lend lost:lose made:make meant:mean men:man met:meet mice:mouse paid:pay people:person
  ran:run ridden:ride risen:rise rode:ride said:say sang:sing sat:sit saw:see seen:see sent:send shot:shoot
  shown:show slept:sleep sold:sell sought:seek spent:spend spoke:speak spoken:speak stole:steal stolen:steal
  stood:stand struck:strike stuck:stick sung:sing swam:swim swept:sweep swum:swim taken:take taught:teach teeth:tooth
  thought:think threw:throw thrown:throw told:tell took:take tore:tear torn:tear understood:understand went:go
  wept:weep wives:wife woke:wake woken:wake women:woman won:win wore:wear worn:wear written:write wrote:write`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

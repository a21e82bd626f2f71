import { analyze } from '../../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../../search/stop-words.ts';
import { numberReader, numbersOf } from './number-values.ts';

/**
 * Returns the names and numbers in a text that none of its sources contain, that is, inventions of a model. Case and
 * inflection do not matter, and numbers can be written in digits or in English words.
 *
 * Names are recognized by their capitals. The first word of a sentence counts as a name only if the words after it
 * suggest so. German nouns are capitalized and many scripts have no case: in such texts only numbers are checked.
 */
export function unsourcedWords(text: string, sources: readonly string[]): string[] {
  const source = sources.join('\n');
  const hasNumber = numberReader(source);
  const numbers = numbersOf(text).filter(({ value }) => !hasNumber(value));
  const terms = new Set(analyze([source, ...SPEAKERS].join('\n')));
  const names = hasCapitalNouns(text) ? [] : namesOf(text).filter((name) => !isSourced(name, terms));
  return [...new Set([...names, ...numbers.map((number) => number.text)])];
}

/** What summaries call the speakers, and what the speakers call themselves. */
const SPEAKERS = ['I', 'AI', 'user', 'human', 'assistant', 'chatbot', 'OK'];
const DAYS_AND_MONTHS = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december`.split(/\s+/u),
);
const GERMAN_WORDS = new Set(
  'der die das und ist nicht ein eine einen mit für auf den dem im zu hat sich von wird sein seine ihre'.split(
    ' ',
  ),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
const CAPITAL = /^\p{Lu}/u;
/** Number of characters before a word in which the beginning of a sentence is looked for. */
const LOOK_BACK_CHARACTERS = 8;
/** Matches before the first word of a sentence, list entry or quotation. */
const SENTENCE_START =
  /(?:[.!?…:;]["'”’)\]*_]*\s+|\n\s*|(?:^|\s)[-–—*•]\s+|\d[.)]\s+|["“„«‘]\s*)["'“”„«‘*_#\s]*$/u;
const AFTER_COLON = /:["'“*_\s]*$/u;
const ENDS_CLAUSE = /^\p{P}*(?:$|[\n.,;])/u;
/**
 * Matches after a sentence's first word if it is a name: another part of the name, a possessive, or what persons do
 * or are.
 */
const AFTER_NAME = new RegExp(
  [
    String.raw`^(?:['’]s?(?!\p{L})`,
    String.raw`\s+\p{Lu}\p{Ll}`,
    String.raw`\s+(?:lives?|lived|works?|worked|likes?|loves?|hates?|wants?|prefers?|owns?|owned|moved|said|says|told|asked|married|studies|studied|plays|visited)(?!\p{L})`,
    String.raw`\s+(?:is|was)\s+(?:an?|the|his|her|their|my|from|named|called|born|married|\p{L}+['’]s)(?!\p{L}))`,
  ].join('|'),
  'u',
);

function namesOf(text: string): string[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index }) => {
    if (!CAPITAL.test(word)) return [];
    const before = text.slice(Math.max(0, index - LOOK_BACK_CHARACTERS), index);
    const behind = text.slice(index + word.length);
    if (before.trim() !== '' && !SENTENCE_START.test(before)) return [word];
    if (ENGLISH_STOP_WORDS.has(word.toLowerCase())) return [];
    // The possessive is part of the match.
    const isName =
      /['’]s?$/u.test(word) ||
      AFTER_NAME.test(behind) ||
      (AFTER_COLON.test(before) && ENDS_CLAUSE.test(behind));
    return isName ? [word] : [];
  });
}

function isSourced(name: string, terms: ReadonlySet<string>): boolean {
  const parts = analyze(name).filter((term) => !ENGLISH_STOP_WORDS.has(term));
  if (parts.every((term) => terms.has(term))) return true;
  // People write "Fri", "sept" and "Thurs".
  const day = name.toLowerCase();
  return DAYS_AND_MONTHS.has(day) && [3, 4, 5].some((length) => terms.has(day.slice(0, length)));
}

function hasCapitalNouns(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const german = words.filter((word) => GERMAN_WORDS.has(word)).length;
  return german > words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length;
}

import { analyze } from '../../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../../search/stop-words.ts';
import { numberReader, numbersOf } from './number-values.ts';

/**
 * The names and numbers of a text that none of its sources holds: a model has made them up. Case and inflection do not
 * matter, and numbers may be written in figures or in English words.
 *
 * Names are told by their capitals. A word that begins a sentence is one where what follows it makes it a name. In
 * German every noun has a capital, and many scripts have none: of such texts the numbers alone are checked.
 */
export function unsourcedWords(text: string, sources: readonly string[]): string[] {
  const source = sources.join('\n');
  const hasNumber = numberReader(source);
  const numbers = numbersOf(text).filter(({ value }) => !hasNumber(value));
  const terms = new Set(analyze([source, ...SPEAKERS].join('\n')));
  const names = hasCapitalNouns(text) ? [] : namesOf(text).filter((name) => !isSourced(name, terms));
  return [...new Set([...names, ...numbers.map((number) => number.text)])];
}

/** What summaries call the two who speak, and what these call themselves. */
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
/** How far back it is looked for the beginning of a sentence. */
const LOOK_BACK_CHARACTERS = 8;
/** Before the first word of a sentence, of an entry of a list, or of a quotation. */
const SENTENCE_START =
  /(?:[.!?…:;]["'”’)\]*_]*\s+|\n\s*|(?:^|\s)[-–—*•]\s+|\d[.)]\s+|["“„«‘]\s*)["'“”„«‘*_#\s]*$/u;
const AFTER_COLON = /:["'“*_\s]*$/u;
const ENDS_CLAUSE = /^\p{P}*(?:$|[\n.,;])/u;
/** Behind the first word of a sentence where it is a name: more of it, the mark of an owner, what persons do or are. */
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
    // The mark of an owner is part of the word.
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
  // "Fri", "sept" and "Thurs" are how people type them.
  const day = name.toLowerCase();
  return DAYS_AND_MONTHS.has(day) && [3, 4, 5].some((length) => terms.has(day.slice(0, length)));
}

function hasCapitalNouns(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const german = words.filter((word) => GERMAN_WORDS.has(word)).length;
  return german > words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length;
}

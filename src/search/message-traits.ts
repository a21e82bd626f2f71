import { regex } from '../language/words/lists.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import { hashOf, HASHES } from './term-hash.ts';

/** Traits of a message's text that an index keeps for the ranking. */
export interface TextTraits {
  /** See {@link packTraits}. */
  readonly packed: number;
  /** See {@link hashTerms}. */
  readonly hashes: Uint16Array;
}

/** Properties of a message's text that the ranking uses for every query. All numbers are bounded. */
export interface MessageTraits {
  /** Number of words, at most {@link MOST_WORDS}. In scripts without spaces two characters count as a word. */
  readonly words: number;
  readonly hasQuestion: boolean;
  readonly endsWithQuestion: boolean;
  /** Share of the words that are "I", "we" and their forms in six languages, from 0 to 0.48. */
  readonly firstPerson: number;
  /** The same for "you" and its forms. */
  readonly secondPerson: number;
  /** Whether it names a day, month, season or other time, in six languages. */
  readonly namesTime: boolean;
  readonly namesNumber: boolean;
  /** Number of words capitalized inside a sentence, which are mostly names; at most 3. */
  readonly names: number;
}

/** Maximum word count. Without this limit, an assistant's long replies would win every search. */
export const MOST_WORDS = 40;
const MOST_SHARE = 31;
/** Minimum word count for shares, because in a shorter text each word is too large a share. */
const LEAST_WORDS = 4;
/** Maximum number of characters that are read for shares. */
const READ_CHARACTERS = 4000;

/** Returns the traits of a text, packed into a whole number below 2 ** 22, as stored in an index. */
export function packTraits(text: string): number {
  const read = text.slice(0, READ_CHARACTERS);
  const words = countWords(read);
  const share = (pattern: RegExp): number =>
    Math.min(MOST_SHARE, Math.round((64 * countOf(pattern, read)) / Math.max(LEAST_WORDS, words)));
  const hasQuestion = QUESTION.test(text);
  return (
    Math.min(MOST_WORDS, words) |
    (Number(hasQuestion) << 6) |
    (Number(hasQuestion && QUESTION_AT_END.test(text.slice(-END_CHARACTERS))) << 7) |
    (share(FIRST_PERSON) << 8) |
    (share(SECOND_PERSON) << 13) |
    (Number(TIME.test(read)) << 18) |
    (Number(NUMBER.test(read)) << 19) |
    (Math.min(3, countOf(NAME, read)) << 20)
  );
}

export function unpackTraits(packed: number): MessageTraits {
  return {
    words: packed & 63,
    hasQuestion: (packed & 64) !== 0,
    endsWithQuestion: (packed & 128) !== 0,
    firstPerson: ((packed >> 8) & 31) / 64,
    secondPerson: ((packed >> 13) & 31) / 64,
    namesTime: (packed & (1 << 18)) !== 0,
    namesNumber: (packed & (1 << 19)) !== 0,
    names: (packed >> 20) & 3,
  };
}

const QUESTION = /[?？؟՞፧⁇⁈]/u;
/** Matches a question mark followed only by quotes, brackets, emoji or a note such as "[photo: …]". */
const QUESTION_AT_END = /[?？؟՞፧⁇⁈](?:[^\p{L}\p{N}[]|\[[^\]]*\])*$/u;
const END_CHARACTERS = 300;
const WORD_BEGINS = String.raw`(?<![\p{L}\p{N}])`;
const WORD_ENDS = String.raw`(?![\p{L}\p{N}])`;
const FIRST_PERSON = regex(
  String.raw`${WORD_BEGINS}(?:{self}|{my}|{iVerb})${WORD_ENDS}
    ${WORD_BEGINS}j['’](?=\p{L})`,
  'giu',
);
const SECOND_PERSON = regex(
  String.raw`${WORD_BEGINS}(?:your?|yours|yourself|yourselves|du|dich|dir|dein\w*|t[uú]|te|toi|vous|votre|vos|usted(?:es)?|voc[eê]s?|ti|tuo|tua)${WORD_ENDS}`,
  'giu',
);
const TIME = regex(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|last|next
    this (?:week|month|year|weekend|morning|summer|spring|fall|autumn|winter)|ago|weeks?|months?|years?
    weekend|recently|since|(?:{weekday})|{monthButMay}|spring|summer|autumn|winter|birthday)\b
    ${WORD_BEGINS}(?:{monthElsewhere}|{weekdayElsewhere}|gestern|heute|morgen|letzte[rnsm]?|nächste[rnsm]?|seit|geburtstag|hier|demain
    aujourd'hui|depuis|prochaine?|dernière?|anniversaire|ayer|hoy|mañana|desde|cumpleaños|ieri|oggi|domani|compleanno
    ontem|hoje|amanhã|aniversário)${WORD_ENDS}
    (?<!\d)(?:19|20)\d\d(?!\d)`,
  'iu',
);
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|couple|few|dozen|once|twice|zwei|drei|vier|sechs|acht|neun|zehn|deux|trois|quatre|cinq|sept|huit|dix|tres|cuatro|cinco|siete|ocho|quattro|cinque|sette|otto|dois|duas|sete|oito)\b/iu;
const NAME = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const SPACED_WORDS = /\S+/gu;

function countWords(text: string): number {
  const unspaced = countOf(UNSPACED, text);
  if (unspaced === 0) return countOf(SPACED_WORDS, text);
  return Math.ceil(unspaced / 2) + countOf(SPACED_WORDS, text.replaceAll(UNSPACED, ' '));
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Maximum number of terms of a message that are hashed. The first ones are enough to estimate their rarity. */
const MOST_TERMS = 24;

/** Returns the hashes of the distinct terms of a message. */
export function hashTerms(terms: readonly string[]): Uint16Array {
  return Uint16Array.from(new Set(terms.slice(0, MOST_TERMS).map(hashOf)));
}

/**
 * Estimates the rarity of terms without storing them: it counts the messages of each hash (a count-min sketch of one
 * row, G. Cormode and S. Muthukrishnan, 2005). Terms with the same hash count as one, so rarity may be underestimated and
 * is never overestimated. The result does not depend on the order of the messages.
 */
export class TermSketch {
  readonly #counts = new Uint32Array(HASHES);

  add(hashes: Uint16Array, by: 1 | -1 = 1): void {
    for (const hash of hashes) this.#counts[hash] = (this.#counts[hash] ?? 0) + by;
  }

  /**
   * Returns the mean inverse document frequency of a message's terms among `messages` messages, divided by that of a term
   * that no message has: from 0 to 1, and 0 without terms.
   */
  meanRarity(hashes: Uint16Array, messages: number): number {
    if (hashes.length === 0) return 0;
    let sum = 0;
    for (const hash of hashes)
      sum += inverseDocumentFrequency(messages, Math.min(messages, this.#counts[hash] ?? 0));
    return sum / hashes.length / inverseDocumentFrequency(messages, 0);
  }
}

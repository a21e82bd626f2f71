import { fold } from '../../language/fold.ts';

/** A part of a clause. `text` is exactly what is between `start` and `end`, in UTF-16 code units. */
export interface ClaimPart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What follows belongs to the last part: nobody types longer clauses. */
const READ_CHARACTERS = 500;
/** More parts are a list, which is read as a whole. */
const MAX_PARTS = 12;

/**
 * Splits a clause into the parts that can end one by one, at commas and conjunctions: "I rent a flat in Porto, teach
 * piano and have two cats".
 */
export function partsOf(text: string): ClaimPart[] {
  const parts: ClaimPart[] = [];
  let from = 0;
  const add = (to: number): void => {
    const part = text.slice(from, to);
    const last = parts.at(-1);
    if (!/[\p{L}\p{N}]/u.test(part)) return;
    if (last && (BELONGS_BEFORE.test(part) || (ONE_OF_US.test(part) && isSomebody(last.text))))
      parts[parts.length - 1] = { text: text.slice(last.start, to), start: last.start, end: to };
    else parts.push({ text: part, start: from, end: to });
  };
  const { separator: separators } = joinersIn(text);
  for (const { index, 0: separator } of text.slice(0, READ_CHARACTERS).matchAll(separators)) {
    add(index);
    from = index + separator.length;
  }
  add(text.length);
  return parts.length > MAX_PARTS ? [{ text, start: 0, end: text.length }] : parts;
}

/** A name alone, or a relative clause: "a beagle, Pickles, who is 13". */
const BELONGS_BEFORE =
  /^(?:\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?$|(?:who|which|whose|called|named|aged)\b)/u;

/** "My sister and I live in Oslo" has one subject, and "We live in Oslo and I teach" has two. */
const ONE_OF_US = /^(?:I|me|ich|yo|moi|je|eu|io)\b/iu;
const TELLS_OF_SELF = /^(?:(?:we|ich|wir|je|nous|on|yo|nosotr[oa]s|eu|nós|io|noi)(?!\p{L})|[ij]['’]\p{L})/iu;
const SOMEBODY =
  /^(?:(?:[Mm]e|[Ss]o|[Ww]ell|[Aa]lso)\s+)?(?:[Mm]y|[Oo]ur|[Tt]he|[Mm]ein\p{L}*|[Mm]i|[Mm]on|[Mm]a|[Mm]eu|[Mm]inha|\p{Lu}[\p{L}'’-]+)(?:\s(?!(?:is|are|was|were|has|have|had|lives?|works?|does|goes|called|named|plays?|likes?|loves?)\b)[\p{L}-]+){0,3}$/u;

function isSomebody(part: string): boolean {
  return SOMEBODY.test(part) && !TELLS_OF_SELF.test(part);
}

/** What joins the parts of a clause. */
interface Joiners {
  readonly separator: RegExp;
  /** Gaps in front of punctuation, with what joined the parts to the words before: "tea and |, so". */
  readonly beforePunctuation: RegExp;
  readonly dangling: RegExp;
}

/** Stands where a part was. */
const GAP = '\0';

function joinersOf(conjunction: string): Joiners {
  const comma = String.raw`[\s,;、，；：。！？]`;
  return {
    separator: new RegExp(
      String.raw`(?:[,;](?=\s)|[，、；：。！？])\s*(?:(?:${conjunction})\s+)?|(?<!\s)\s+(?:${conjunction})\s+`,
      'giu',
    ),
    beforePunctuation: new RegExp(String.raw`(?:(?:[,;]| (?:${conjunction}))? ?${GAP})+ ?(?=[,;.!?])`, 'giu'),
    dangling: new RegExp(
      String.raw`^(?:${comma}|(?:${conjunction})\b(?=\s))+|(?:${comma}|\s(?:${conjunction})(?=\s*[.!]?$))+(?=[.!]?$)`,
      'giu',
    ),
  };
}

const CONJUNCTION = 'and|but|plus|und|aber|sowie|y|e|pero|et|mais|ed?|mas';
const FRENCH_JOINERS = joinersOf(CONJUNCTION);
const JOINERS = joinersOf(`${CONJUNCTION}|ma`);
/** French words that are not Italian, where "ma" means "my" and not "but". */
const FRENCH =
  /(?<!\p{L})(?:j['’]|(?:je|elle|est|et|à|au|aux|du|des|les|une|avec|chez|nous|mon|mes)(?!\p{L}))/iu;

function joinersIn(text: string): Joiners {
  return FRENCH.test(text) ? FRENCH_JOINERS : JOINERS;
}

/** Returns what is left of a clause without some parts of it. Empty if nothing is left. */
export function withoutWords(text: string, ...parts: readonly string[]): string {
  const longestFirst = parts.toSorted((a, b) => b.length - a.length);
  const left = longestFirst.reduce((rest, part) => rest.replace(part, GAP), text);
  const { beforePunctuation, dangling } = joinersIn(text);
  const closed = left.replaceAll(/\s+/gu, ' ').replaceAll(beforePunctuation, '');
  return trimmed(closed.replaceAll(GAP, ' ').replaceAll(/ +/gu, ' '), dangling);
}

/** Returns a part of a text without the commas and conjunctions at its ends. Empty if it has no words. */
export function withoutDangling(part: string, text: string): string {
  return trimmed(part, joinersIn(text).dangling);
}

function trimmed(part: string, dangling: RegExp): string {
  const left = part.replaceAll(dangling, '').trim();
  return /[\p{L}\p{N}]/u.test(left) ? left : '';
}

const sayings = new WeakMap<{ readonly text: string }, readonly string[]>();

/** Returns the words of a claim and of its parts, as they are compared. */
export function sayingsOf(claim: { readonly text: string }): readonly string[] {
  const keys = sayings.get(claim) ?? [claim, ...partsOf(claim.text)].map(({ text }) => wordsKey(text));
  sayings.set(claim, keys);
  return keys;
}

/** Returns words as they are compared with what was said in the same words. */
export function wordsKey(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

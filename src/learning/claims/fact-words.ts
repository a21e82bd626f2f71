import type { TripleSource } from '../../graph/triple.ts';
import { fold } from '../../language/fold.ts';
import { hasWords } from '../../language/shared-words.ts';
import { hasWord } from '../../language/words/life-words.ts';
import type { ClaimRow, FactRow } from '../../storage/schema.ts';
import { partsOf, wordsKey } from './claim-parts.ts';
import { endedWords } from './endings.ts';

/** Whether the user does not accept a fact. */
export function isRejected({ attributes }: Pick<FactRow, 'attributes'>): boolean {
  return attributes['isRejected'] === true;
}

/** A fact with this predicate has the words of a claim as its object. */
export const SAYS = 'says';

/** Whether a fact is the user's word that they say what a claim says. */
export function isConfirmation({ source, predicate }: Pick<FactRow, 'source' | 'predicate'>): boolean {
  return source === 'user' && predicate === SAYS;
}

/** Whether a fact in place of another one says that it holds. */
export function isSaidAgain(fact: FactRow, by: FactRow): boolean {
  return by.validTo === undefined && saysSame(fact, by);
}

/** Whether two facts say the same, perhaps of different times. */
export function saysSame(one: FactRow, other: FactRow): boolean {
  return (
    one.subjectKey === other.subjectKey &&
    one.objectKey === other.objectKey &&
    fold(one.predicate) === fold(other.predicate)
  );
}

/**
 * Whether the words of a claim that are over say what a fact says. Whom the user has as a friend does not change with
 * what is said of the friend, unless all of it is taken back.
 */
export function isOver(
  fact: FactRow,
  claim: ClaimRow,
  end: { readonly text?: string },
  by: ClaimRow | undefined,
): boolean {
  if (!hasWords(end.text ?? claim.text, fact.object)) return false;
  const [, role = ''] = HAS_ROLE.exec(fact.predicate) ?? [];
  if (by === undefined || !ROLES.some((wordClass) => hasWord(role, wordClass))) return true;
  const sayings = [`I have a ${role}, ${fact.object}`, `My ${role} is ${fact.object}`];
  return sayings.some((text) => endedWords(by, { text }, true) !== undefined);
}

const HAS_ROLE = /^has (.+)$/u;
const ROLES = ['kin', 'others', 'pet'] as const;

/**
 * Returns the words of a claim that say a fact: those that its source quotes, or the part of the claim around them if the
 * quote is longer. Undefined if the claim does not have the words of the fact.
 */
export function wordsOf(
  { text }: Pick<ClaimRow, 'text'>,
  { object }: FactRow,
  { quote }: Pick<TripleSource, 'quote'>,
): string | undefined {
  const part = partsOf(text).find((each) => hasWords(each.text, object))?.text;
  const said = part ?? (hasWords(text, object) ? text : undefined);
  const isShorter =
    said !== undefined && quote !== undefined && said.includes(quote) && wordsKey(said) !== wordsKey(quote);
  return isShorter && (quote.includes(object) || hasWords(quote, object)) ? quote : said;
}

/** Whether a fact may have been read from a claim: a source without a quote is the whole message. */
export function overlaps({ text }: Pick<ClaimRow, 'text'>, { quote }: Pick<TripleSource, 'quote'>): boolean {
  if (quote === undefined) return true;
  const [one, other] = [fold(text), fold(quote)];
  return one.includes(other) || other.includes(one);
}

interface QuotedClaims {
  readonly among: readonly ClaimRow[];
  readonly object: string;
  readonly claims: readonly ClaimRow[];
}

/** The claims that each source quotes: each change of the memory asks for them again. */
const quotedBy = new WeakMap<TripleSource, QuotedClaims>();

/** Returns the claims of a message that a fact was read from: of a long quote, those with its words. */
export function claimsQuoted(
  among: readonly ClaimRow[],
  { object }: FactRow,
  source: TripleSource,
): readonly ClaimRow[] {
  const known = quotedBy.get(source);
  if (known?.among === among && known.object === object) return known.claims;
  const quoted = among.filter((claim) => overlaps(claim, source));
  const saying = quoted.filter(({ text }) => hasWords(text, object));
  const claims = saying.length > 0 ? saying : quoted;
  quotedBy.set(source, { among, object, claims });
  return claims;
}

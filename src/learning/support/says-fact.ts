import { predicateForm } from '../../graph/predicate.ts';
import { fold } from '../../language/fold.ts';
import { isInQuotationMarks, isIntroduced } from '../../language/quoted-speech.ts';
import { sentencesIn } from '../../language/sentences.ts';
import { analyze } from '../../language/terms.ts';
import { moodWords } from '../../language/words/moods.ts';
import { USER_NAME } from '../first-person.ts';
import type { ParsedTriple } from '../parse-replies.ts';
import { isOfSubject } from './clause-subject.ts';
import type { Token } from './clause-tokens.ts';
import { type Found, fragments, objectsIn, ownWords, withoutNamed, wordingsIn } from './fact-places.ts';
import { setOf } from './function-words.ts';
import { isNear } from './near-object.ts';
import {
  type Clause,
  type Range,
  type Reading,
  type SaidIn,
  clausesOf,
  segmentStarts,
  wordsOf,
} from './quote-clauses.ts';
import type { Relations } from './relations.ts';

/** Why the words of a quote do not say a fact. */
export type UnsaidReason =
  | 'predicate-not-in-quote'
  | 'other-polarity'
  | 'not-stated'
  | 'other-subject'
  | 'other-time';

/**
 * Returns why the clause of a quote does not say a fact, or undefined if it does: its predicate in the quote's words or
 * in a listed wording, in front of the object, with the same subject, polarity and time, and neither asked, wished,
 * supposed, reported nor in jest.
 */
export function whyUnsaid(fact: ParsedTriple, said: SaidIn, relations: Relations): UnsaidReason | undefined {
  if (UNSPACED.test(fact.predicate)) return whyNotUnspaced(fact, said);
  const reasons = new Set<UnsaidReason>();
  for (const clause of clausesOf(said)) {
    const reason = whyNotIn(clause, fact, said, relations);
    if (reason === undefined) return undefined;
    reasons.add(reason);
  }
  return MOST_TELLING.find((reason) => reasons.has(reason)) ?? 'predicate-not-in-quote';
}

/** Whether a quote states something: a clause of it is neither asked, supposed, wished, quoted nor in jest. */
export function states(text: string, quote: string): boolean {
  const place = Math.max(0, text.indexOf(quote));
  if (isInQuotationMarks(text, place) || isIntroduced(text, place)) return false;
  return clausesOf({ text, quote, speaker: 'user', isOver: false }).some((clause) =>
    clause.segments.some(
      ({ isUnsaid, tokens }) => !isUnsaid && moodWords(wordsOf(tokens), 'doubt').length === 0,
    ),
  );
}

const MOST_TELLING: readonly UnsaidReason[] = ['other-polarity', 'not-stated', 'other-time', 'other-subject'];

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** In a script without spaces, the predicate has to stand in front of the object, in a clause that states it of the user. */
function whyNotUnspaced(
  { subject, predicate, object }: ParsedTriple,
  { text, quote, speaker }: SaidIn,
): UnsaidReason | undefined {
  const clause = quote.split(/[，。！；,;!\n]/u).find((part) => part.includes(`${predicate}${object}`));
  const sentence = sentencesIn(text).find(
    ({ start, end }) => clause !== undefined && text.slice(start, end).includes(clause),
  );
  if (clause === undefined || sentence === undefined) return 'predicate-not-in-quote';
  if (
    sentence.isAsked ||
    (['condition', 'doubt', 'joke', 'asks'] as const).some((mood) => moodWords(clause, mood).length > 0)
  )
    return 'not-stated';
  if (moodWords(clause.replace(predicate, ''), 'negation').length > 0) return 'other-polarity';
  if (moodWords(clause, 'past').length > 0) return 'other-time';
  const isOfUser = /^(?:我|私|僕|俺)?(?:们|現在|现在|は|が|也|都|就)*$/u.test(
    clause.slice(0, clause.indexOf(predicate)).trim(),
  );
  return subject === USER_NAME && speaker === 'user' && isOfUser ? undefined : 'other-subject';
}

function whyNotIn(
  clause: Clause,
  fact: ParsedTriple,
  said: SaidIn,
  relations: Relations,
): UnsaidReason | undefined {
  const tokens = clause.segments.flatMap((segment) => segment.tokens);
  const objects = objectsIn(tokens, fact, said);
  if (objects.length === 0) return 'predicate-not-in-quote';
  const { key, isNegated } = predicateForm(withoutNamed(fact.predicate));
  const found = [
    ...relations(key).flatMap((wording) => wordingsIn(tokens, wording, fact, said)),
    ...ownWords(tokens, fact, said),
    ...(key === 'be' || key === 'have' ? fragments(clause, objects, key) : []),
  ];
  const reasons = new Set<UnsaidReason>();
  for (const each of found) {
    for (const object of objects) {
      if (!isNear(tokens, each, object, clause, fact)) continue;
      const reason = whyNot({ clause, tokens, fact, said, isNegated }, each, object);
      if (reason === undefined) return undefined;
      reasons.add(reason);
    }
  }
  return MOST_TELLING.find((reason) => reasons.has(reason)) ?? 'predicate-not-in-quote';
}

function whyNot(reading: Reading, found: Found, object: Range): UnsaidReason | undefined {
  const { clause, tokens, fact, said, isNegated } = reading;
  // The segments between the two are other items of a list.
  const at = segmentStarts(clause.segments);
  const segmentOf = (position: number): number => at.findLastIndex((start) => start <= position);
  const used = new Set([segmentOf(found.from), segmentOf(object.from)]);
  const window = clause.segments.flatMap(({ tokens: own }, index) => (used.has(index) ? own : []));
  const around = (isKept: (position: number) => boolean): string =>
    wordsOf(window.filter((token) => isKept(tokens.indexOf(token))));
  const isOutside = ({ from, to }: Range, position: number): boolean => position < from || position > to;
  const restText = around((position) => isOutside(found, position) && isOutside(object, position));
  const denials = moodWords(
    around((position) => isOutside(object, position)),
    'negation',
  ).length;
  const meant = moodWords((found.wording?.words ?? []).map(([word]) => word).join(' '), 'negation').length;
  const contrary = found.wording?.isContrary ? 1 : 0;
  const dislikes =
    found.wording === undefined &&
    tokens.slice(found.from, found.to + 1).some(({ word }) => /^dislikes?$/u.test(word))
      ? 1
      : 0;
  const count = denials - meant + contrary + dislikes;
  if (count > 1 || (count === 1) !== isNegated) return 'other-polarity';
  const place = tokens[Math.min(found.from, object.from)]?.start ?? 0;
  if (isInQuotationMarks(said.text, place) || isIntroduced(said.text, place)) return 'not-stated';
  if (found.isOwned) {
    const near = tokens.slice(Math.max(0, found.from - 2), Math.max(found.to, object.from) + 1);
    const isMeant = (word: string): boolean =>
      found.wording?.words.some((words) => words.includes(word)) ?? false;
    const isOver = near.some(({ word }) => FORMER.test(word) && !isMeant(word)) || GONE.test(restText);
    return isOver ? 'other-time' : undefined;
  }
  if (clause.segments.some(({ isUnsaid }, index) => isUnsaid && used.has(index))) return 'not-stated';
  const covered = new Set(analyze(fact.predicate));
  if (moodWords(restText, 'doubt').some((word) => !analyze(word).every((term) => covered.has(term))))
    return 'not-stated';
  if (!isOfSubject(reading, found)) return 'other-subject';
  return isOtherTime(reading, found) ? 'other-time' : undefined;
}

const FORMER =
  /^(?:ex|late|former|future|imaginary|fake|first|previous|last|childhood|dead|lost|stolen|dream|next|exfrau|exmann)(?:-|$)/u;

const GONE = /\b(?:died|passed away|sold|stolen|used to|gave up|given up|lost|broke up|split up|divorced)\b/u;

/** Whether a clause is about another time than the predicate. */
function isOtherTime({ tokens, fact, said, clause }: Reading, found: Found): boolean {
  if (said.isOver) return false;
  const lead = tokens.slice(Math.max(0, found.from - 4), found.from);
  const own = tokens.slice(found.from, found.to + 1);
  const saysPast = (words: readonly Token[]): boolean => moodWords(wordsOf(words), 'past').length > 0;
  const isPastVerb = saysPast(lead) || (found.wording === undefined && own.some(isPast));
  const claimsPast = PAST_PREDICATE.test(fold(fact.predicate));
  if (claimsPast)
    return (
      found.wording === undefined &&
      !isPastVerb &&
      !lead.some(({ word }) => PERFECT.has(word)) &&
      !own.some(isPast)
    );
  if (isPastVerb) return true;
  return saysPast(clause.segments[0]?.tokens.slice(0, 4) ?? []) && !found.wording;
}

const PERFECT = setOf('have has habe hat bin ist he ha ai a suis');

const PAST_PREDICATE =
  /^(?:was|were|had|did|used|has \p{L}+(?:ed|en|t)\b|has (?:been|had|gone|seen|met|won|quit|left|read|done)|\p{L}+ed\b|went|met|left|quit|bought|sold|saw|won|lost|got|grew|made|wrote|read|taught|broke|gave|took|ate|ran|drove|flew|born)/u;

const IRREGULAR_PAST = setOf(
  'went met left bought sold saw won lost got grew made wrote taught broke gave took ate ran drove flew drank spoke swam sang rode knew',
);

function isPast({ word }: Token): boolean {
  return IRREGULAR_PAST.has(word) || /[^e]ed$/u.test(word);
}

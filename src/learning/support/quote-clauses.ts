import { fold } from '../../language/fold.ts';
import { sentencesIn } from '../../language/sentences.ts';
import { analyze, contentTerms } from '../../language/terms.ts';
import { beginsWith, moodWords } from '../../language/words/moods.ts';
import { type FirstPerson, USER_NAME } from '../first-person.ts';
import type { ParsedTriple } from '../parse-replies.ts';
import { type Segment, type Token, segmentsOf } from './clause-tokens.ts';

/** The message that a fact is said to come from. */
export interface SaidIn {
  readonly text: string;
  /** The words of the text that are cited. */
  readonly quote: string;
  /** What was said before, in which "she" may have been named. */
  readonly earlier?: string;
  readonly speaker: FirstPerson;
  /** Whether the fact has ended by the time of the message. */
  readonly isOver: boolean;
}

/** A clause with the segments that continue it. */
export interface Clause {
  readonly segments: readonly (Segment & {
    /** Whether it is asked or supposed, or in jest: then only what it takes for granted is said. */
    readonly isUnsaid: boolean;
  })[];
  /** The text of the message in front of it. */
  readonly before: string;
}

export interface Reading {
  readonly clause: Clause;
  readonly tokens: readonly Token[];
  readonly fact: ParsedTriple;
  readonly said: SaidIn;
  readonly isNegated: boolean;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export function clausesOf({ text, quote, earlier = '' }: SaidIn): Clause[] {
  const from = Math.max(0, text.indexOf(quote));
  const to = from + quote.length;
  return sentencesIn(text).flatMap(({ start, end, isAsked }) => {
    if (end <= from || start >= to) return [];
    const sentence = text.slice(start, end);
    const folded = fold(sentence);
    const segments = segmentsOf(sentence, start, isAsked);
    const isSupposed = moodWords(folded, 'condition').length > 0 || moodWords(folded, 'joke').length > 0;
    const asked = segments.map((_, at) => isAskedAt(segments, at));
    return groups(segments).map((group): Clause => ({
      segments: group.flatMap((at) => {
        const segment = segments[at];
        return segment ? { ...segment, isUnsaid: isSupposed || asked[at] === true } : [];
      }),
      before: `${earlier}\n${text.slice(0, segments[group[0] ?? 0]?.tokens[0]?.start ?? start)}`,
    }));
  });
}

/** Of "I live in Oslo, any tips?" only the end is asked: a later segment begins as a question. */
function isAskedAt(segments: readonly Segment[], at: number): boolean {
  const begins = (index: number): boolean =>
    beginsWith((segments[index]?.tokens ?? []).map(({ word }) => word).join(' '), 'asks');
  if (segments[at]?.isAsked !== true) return INVERTED.test(wordsOf(segments[at]?.tokens ?? []));
  const last = segments.findLastIndex((_, index) => begins(index));
  const isTag =
    (segments[last]?.tokens.length ?? 0) <= 3 &&
    /^(?:is|are|do|does|am|have|has|can) (?:not )?(?:i|it|he|she|they|we|you)\b/u.test(
      wordsOf(segments[last]?.tokens ?? []),
    );
  return last <= at || isTag;
}

const INVERTED =
  /^(?:(?:so|and|but) )?(?:am|are|do|does|did|should|could|would|can|may) (?:i|we|you|he|she|they|my)\b/u;

function groups(segments: readonly Segment[]): number[][] {
  const all: number[][] = [];
  for (const [at, { isClause }] of segments.entries()) {
    if (isClause || all.length === 0) all.push([at]);
    else all.at(-1)?.push(at);
  }
  return all;
}

export function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(' ');
}

export function segmentStarts(segments: readonly Segment[]): number[] {
  let start = 0;
  return segments.map(({ tokens }) => {
    const at = start;
    start += tokens.length;
    return at;
  });
}

/** Returns the content words of a name, or all of its words if it has none. */
export function tellingTerms(name: string): string[] {
  const own = contentTerms(name).filter((term) => term !== USER_NAME);
  return own.length > 0 ? own : analyze(name);
}

/** Whether a pronoun behind a text means somebody: the text names them, and nobody else after them, places apart. */
export function isLastNamed(before: string, named: readonly string[]): boolean {
  const said = analyze(before);
  const last = Array.from(before.matchAll(NAME)).at(-1)?.[0];
  const isLast = last === undefined || named.includes(analyze(last)[0] ?? '');
  return named.every((term) => said.includes(term)) && isLast;
}

const NAME =
  /(?<=[\p{L}\p{N},;(:]['’]?\s+)(?<!(?<!\p{L})(?:in|to|at|from|near|into|on|nach|aus|en|à|em|para|hacia|di|da)\s{1,3})(?!I\b|I['’])\p{Lu}[\p{L}\p{N}]+/gu;

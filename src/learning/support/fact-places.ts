import { predicateForm } from '../../graph/predicate.ts';
import { fold } from '../../language/fold.ts';
import { contentTerms } from '../../language/terms.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { USER_NAME } from '../first-person.ts';
import type { ParsedTriple } from '../parse-replies.ts';
import type { Token } from './clause-tokens.ts';
import { NOT_BETWEEN, OPENERS, firstPersons, isMistyped, isSkipped, setOf } from './function-words.ts';
import {
  isLastNamed,
  type Clause,
  type Range,
  type SaidIn,
  segmentStarts,
  tellingTerms,
  wordsOf,
} from './quote-clauses.ts';
import type { Wording } from './relations.ts';

/** Where a clause says a predicate. */
export interface Found {
  /** Positions of its first and last word among the tokens of the clause. */
  readonly from: number;
  readonly to: number;
  readonly wording: Wording | undefined;
  /** Whether it only says what is the subject's: "my sister Mara". That is so in a question, too. */
  readonly isOwned: boolean;
  /** Whether it is a state that the user names without "I am": "vegan btw". */
  readonly isFragment?: true;
}

/** Returns a relation without the word behind it: "has dog named" is "has dog". */
export function withoutNamed(predicate: string): string {
  return predicate.startsWith('has ') ? predicate.replace(/(?<=\S) (?:named|called)$/u, '') : predicate;
}

/** Returns where the content words of the object stand together, in the quote. */
export function objectsIn(
  tokens: readonly Token[],
  { object }: ParsedTriple,
  { text, quote, speaker }: SaidIn,
): Range[] {
  const start = Math.max(0, text.indexOf(quote));
  const end = start + quote.length;
  const isQuoted = (token: Token): boolean => token.start >= start && token.end <= end;
  if (object === USER_NAME) {
    const first = firstPersons(speaker).objects;
    return tokens.flatMap((token, at) => (first.has(token.word) ? [{ from: at, to: at }] : []));
  }
  const telling = tellingTerms(object);
  if (telling.length === 0) return [];
  return tokens.flatMap((token, from): Range[] => {
    if (!telling.includes(token.term)) return [];
    const left = new Set(telling);
    for (let to = from; to < Math.min(tokens.length, from + telling.length * 2 + 2); to++) {
      const at = tokens[to];
      if (!at || !isQuoted(at)) continue;
      left.delete(at.term);
      if (left.size === 0) return [{ from, to }];
    }
    return [];
  });
}

export function wordingsIn(
  tokens: readonly Token[],
  wording: Wording,
  fact: ParsedTriple,
  said: SaidIn,
): Found[] {
  const first = wording.words[0] ?? [];
  const isOwned = first.length === 1 && first[0] === 'my';
  if (
    wording.words.length === 0 ||
    (wording.isOfSpeaker && (fact.subject !== USER_NAME || said.speaker !== 'user'))
  )
    return [];
  const owners = isOwned ? ownersOf(tokens, fact, said) : undefined;
  return tokens.flatMap((_, from): Found[] => {
    let at = from;
    for (const [index, words] of wording.words.entries()) {
      if (index === 0 && owners) {
        const owner = owners.find(({ from: start }) => start === from);
        if (!owner) return [];
        at = owner.to + 1;
        continue;
      }
      const isGap = words[0] === '';
      const wanted = isGap ? (wording.words[index + 1] ?? []) : words;
      const mayStand = index === 0 ? () => false : isGap ? isInGap : isOwned ? isNoVerb : isSkipped;
      const next = placeOf(tokens, at, wanted, mayStand, isGap ? MAX_GAP : isOwned ? 3 : 2);
      if (next === undefined) return [];
      at = isGap ? next : next + 1;
    }
    const hasVerb = wording.words.slice(1).some((words) => words.some((word) => VERB.test(word)));
    return [{ from, to: at - 1, wording, isOwned: isOwned && !hasVerb }];
  });
}

/** Most words that stand for a gap. */
const MAX_GAP = 4;

/**
 * Returns the next place of one of these words, or undefined if something else stands in front of it than what may:
 * adverbs and articles or, behind a possessive, adjectives.
 */
function placeOf(
  tokens: readonly Token[],
  from: number,
  words: readonly string[],
  mayStand: (token: Token) => boolean,
  most: number,
): number | undefined {
  for (let at = from; at <= from + most && at < tokens.length; at++) {
    const token = tokens[at];
    if (isOneOf(token, words)) return at;
    if (!token || !mayStand(token)) return undefined;
  }
  return undefined;
}

function isInGap({ word }: Token): boolean {
  return !NOT_BETWEEN.has(word) || word === 'as' || word === 'in';
}

function isNoVerb({ word }: Token): boolean {
  return !VERB.test(word);
}

const VERB =
  /^(?:is|are|am|was|were|has|have|had|ist|war|es|est|e|like|likes|love|loves|live|lives|and|or|who|with)$/u;

function isOneOf(token: Token | undefined, words: readonly string[]): boolean {
  if (!token) return false;
  const { word: said } = token;
  return words.some(
    (word) =>
      word === said ||
      (word.length > 2 && said === `${word}s`) ||
      (word.endsWith('*') && said.startsWith(word.slice(0, -1))) ||
      isMistyped(said, word),
  );
}

const OF_THIRD = setOf('his her their its sein seine ihr ihre su sus seu sua suo');

/** Returns where a clause says whose something is: "my", "Mara's", "her". */
function ownersOf(tokens: readonly Token[], { subject }: ParsedTriple, said: SaidIn): Range[] {
  if (subject === USER_NAME) {
    const { possessives } = firstPersons(said.speaker);
    return tokens.flatMap((token, at) => (possessives.has(token.word) ? [{ from: at, to: at }] : []));
  }
  const named = new Set(tellingTerms(subject));
  return tokens.flatMap((token, at): Range[] => {
    if (tokens[at + 1]?.word === "'s" && named.has(token.term)) return [{ from: at, to: at + 1 }];
    const before = `${said.earlier ?? ''}\n${said.text.slice(0, token.start)}`;
    return OF_THIRD.has(token.word) && isLastNamed(before, [...named]) ? [{ from: at, to: at }] : [];
  });
}

/** Returns where all content words of a predicate stand, with the verb that the user or somebody else is the subject of. */
export function ownWords(tokens: readonly Token[], fact: ParsedTriple, said: SaidIn): Found[] {
  const words = contentTerms(predicateForm(withoutNamed(fact.predicate)).key);
  const denied = /^(?:does not |do not )?dislikes?\b/u.test(fold(fact.predicate)) ? ['dislik'] : words;
  const telling = denied.filter((term) => term !== 'be' && term !== 'have');
  if (telling.length === 0) return [];
  const places = telling.map((term) => tokens.flatMap((token, at) => (token.term === term ? [at] : [])));
  if (places.some((at) => at.length === 0)) return [];
  const all = places.flatMap((at) => at.slice(0, 1));
  const from = Math.min(...all);
  const to = Math.max(...all);
  if (to - from > MAX_PREDICATE_WORDS) return [];
  // "has appointment on" is said of "my appointment is on".
  const isHad =
    /^(?:has|have) /u.test(fact.predicate.toLowerCase()) &&
    ownersOf(tokens, fact, said).some((owner) => owner.to < from && from - owner.to <= 3);
  return [{ from, to, wording: undefined, isOwned: isHad }];
}

const MAX_PREDICATE_WORDS = 6;

/** Returns the states that are a segment of their own. */
export function fragments({ segments }: Clause, objects: readonly Range[], key: 'be' | 'have'): Found[] {
  const starts = segmentStarts(segments);
  return objects.flatMap(({ from, to }): Found[] => {
    const at = starts.findLastIndex((start) => start <= from);
    const tokens = segments[at]?.tokens ?? [];
    const start = starts[at] ?? 0;
    const others = tokens.filter(
      (token, index) => (start + index < from || start + index > to) && !OPENERS.has(token.word),
    );
    const own = tokens.slice(from - start, to - start + 1);
    const folded = wordsOf(own);
    const isState =
      key === 'be'
        ? own.some(({ word }) => STATES.has(word))
        : (['kin', 'pet', 'health'] as const).some((wordClass) => hasWord(folded, wordClass));
    return isState && others.length === 0
      ? [{ from, to, wording: undefined, isOwned: false, isFragment: true }]
      : [];
  });
}

const STATES = setOf(
  'vegan vegetarian veggie pescatarian pregnant diabetic coeliac celiac married single divorced widowed retired unemployed freelance deaf blind left-handed teetotal sober vegano vegana vegetariano vegetariana vegetarisch schwanger enceinte embarazada celiaque celiaco celiaca',
);

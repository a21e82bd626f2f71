import { fold } from '../../language/fold.ts';
import type { ParsedTriple } from '../parse-replies.ts';
import type { Token } from './clause-tokens.ts';
import type { Found } from './fact-places.ts';
import { GERMAN_SUBJECTS, NOT_BETWEEN, isSkipped } from './function-words.ts';
import { type Clause, type Range, segmentStarts } from './quote-clauses.ts';

/** Whether the object belongs to a predicate: nothing that could have an object of its own stands between them. */
export function isNear(
  tokens: readonly Token[],
  found: Found,
  object: Range,
  clause: Clause,
  { predicate }: ParsedTriple,
): boolean {
  const own = new Set(fold(predicate).split(' '));
  const starts = segmentStarts(clause.segments);
  const segmentOf = (position: number): number => starts.findLastIndex((start) => start <= position);
  if (found.isFragment) return true;
  if (object.from >= found.from && object.from <= found.to && !found.isOwned)
    return found.wording === undefined && object.to > found.to;
  if (found.isOwned && object.to === found.to) return object.from > found.from;
  if (object.to < found.from && found.wording?.isBehind) return found.from - object.to <= 2;
  if (found.wording?.isBehind) return false;
  if (object.to < found.from) {
    // "Mara is my sister", "In Köln wohne ich", "ich habe Katzen gern".
    const between = tokens.slice(object.to + 1, found.from);
    if (found.isOwned) return between.every(({ word }) => IS_BEFORE.has(word)) && between.length <= 2;
    const isVerbLast =
      between.length <= 3 && between.every((token) => isSkipped(token) || GERMAN_SUBJECTS.has(token.word));
    return (
      isVerbLast &&
      tokens
        .slice(0, found.to + 1)
        .concat(tokens.slice(found.to + 1))
        .some(({ word }) => GERMAN_SUBJECTS.has(word))
    );
  }
  const between = tokens.slice(found.to + 1, object.from);
  const [one, other] = [segmentOf(found.to), segmentOf(object.from)];
  if (one === other) {
    if (found.isOwned) {
      // Nothing but adjectives and "is called" between "my sister" and her name, at most one adjective in "my red car".
      const most = found.to > found.from || found.wording === undefined ? 3 : 1;
      return (
        between.length <= most &&
        between.every(
          (token) =>
            own.has(token.word) ||
            IS_BETWEEN.has(token.word) ||
            /^\d/u.test(token.word) ||
            (!token.isCapital && !NOT_BETWEEN.has(token.word) && !VERBISH.test(token.word)),
        )
      );
    }
    return (
      between.length <= 4 &&
      !between.some((token) => token.isCapital || (NOT_BETWEEN.has(token.word) && !own.has(token.word)))
    );
  }
  // An item of a list, or a name between commas.
  const last = clause.segments[other];
  const items = clause.segments.slice(one + 1, other);
  const head = tokens.slice(found.to + 1, starts[one + 1]);
  const isList =
    !found.isOwned ||
    tokens[found.to]?.word.endsWith('s') === true ||
    (items.length === 0 && head.length === 0);
  const before = tokens.slice(starts[other] ?? 0, object.from);
  return (
    isList &&
    !head.some(({ word }) => NOT_BETWEEN.has(word) && !CONNECTS.has(word) && !own.has(word)) &&
    items.every((segment) => segment.tokens.length <= 4) &&
    (last?.tokens.length ?? 0) <= 6 &&
    before.length <= 3 &&
    before.every(({ word }, index) => CONNECTS.has(word) || isSkipped(before[index]) || /^\d/u.test(word))
  );
}

const CONNECTS = new Set(
  'and or but not und oder nicht y ni et e ou mais ed sino pero called named'.split(' '),
);

const IS_BEFORE = new Set("is are 's and was ist es est e".split(' '));

const IS_BETWEEN = new Set(
  'is are called named s name ist heisst es se llama est appelle chama si chiama old year'.split(' '),
);

const VERBISH =
  /^(?:love|like|hate|want|own|get|got|play|live|work|eat|say|think|met|saw|see|know|need|has|have|had|was|were|did|does|do|gave|told|and|or)(?:s|d|ed)?$/u;

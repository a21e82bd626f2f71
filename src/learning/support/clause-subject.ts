import { analyze } from '../../language/terms.ts';
import { USER_NAME } from '../first-person.ts';
import { SUBJECTS, type Token } from './clause-tokens.ts';
import type { Found } from './fact-places.ts';
import {
  FIRST,
  GERMAN_SUBJECTS,
  NOT_BETWEEN,
  OPENERS,
  type Persons,
  SECOND,
  THIRD,
  firstPersons,
  isAuxiliary,
  setOf,
} from './function-words.ts';
import { isLastNamed, type Reading, segmentStarts, tellingTerms } from './quote-clauses.ts';

/** Whether the words in front of a predicate name its subject, or leave out the user. */
export function isOfSubject({ clause, tokens, fact, said }: Reading, found: Found): boolean {
  if (found.wording?.isOfSpeaker) return true;
  if (found.isFragment) return fact.subject === USER_NAME && said.speaker === 'user';
  const persons = firstPersons(said.speaker);
  const firstWording = found.wording?.words[0] ?? [];
  if (firstWording.length === 1 && firstWording[0] === 'my') return true;
  const starts = segmentStarts(clause.segments);
  const start = starts.findLast((at) => at <= found.from) ?? 0;
  const isVerbFirst = tokens.slice(start, found.from).every((token) => isAuxiliary(token));
  // "I live in Oslo and work at Acme": a verb without a subject has that of its clause.
  const lead =
    isVerbFirst && start > 0 ? subjectOf(tokens, 0, tokens.length) : subjectOf(tokens, start, found.from);
  const { words, isDropped } = lead;
  const last = words.at(-1);
  if (fact.subject === USER_NAME) {
    // "retired nurse, living in Rome": a beginning that names nobody leaves out the user, too.
    const isAnswer = tokens.slice(0, start).every(({ word }) => OPENERS.has(word));
    const isNobody =
      isVerbFirst &&
      (isAnswer || (start > 0 && tokens[0]?.isCapital === false && !SUBJECTS.has(tokens[0].word)));
    if (isDropped || isNobody) return said.speaker === 'user' && isVerbFirst;
    return (last !== undefined && persons.subjects.has(last.word)) || isOfUserBehind(tokens, found, persons);
  }
  const named = tellingTerms(fact.subject);
  const isNamed = (terms: readonly string[]): boolean => named.every((term) => terms.includes(term));
  const isOwn = fact.subject.startsWith(`${USER_NAME}'s `);
  if (!last) return false;
  if (RELATIVES.has(last.word))
    return named.includes(tokens[start - 1]?.term ?? analyze(clause.before).at(-1) ?? '');
  if (THIRD.has(last.word)) return isLastNamed(clause.before, named);
  const [listed] = tokens[0]?.word === 'and' && last.isCapital ? (LISTED.exec(clause.before) ?? []) : [];
  if (listed !== undefined && isNamed(analyze(listed))) return true;
  // The subject ends in the name: neither "Anna's husband" nor "the son of Anna" is Anna.
  const isEnd = named.includes(last.term) || (last.isCapital && named.includes(words.at(-2)?.term ?? ''));
  const head = words.findIndex(({ term }) => named.includes(term));
  const before = words[head - 1]?.word ?? '';
  const isBehind = NOT_BETWEEN.has(before) && before !== 'and';
  if (!isEnd || !isNamed(words.map(({ term }) => term)) || isBehind !== isOwn) return false;
  return !isOwn || words.some(({ word }) => persons.possessives.has(word));
}

const RELATIVES = setOf('who which that qui que che die der quien');

/** Names that end a text, as the first subjects of "Ann, Bob and Cem live here". */
const LISTED = /(?:\p{Lu}[\p{L}'’-]*(?:,|\s+and)?\s*){1,8}$/u;

/** In German, the subject may stand behind the verb: "In Köln wohne ich". */
function isOfUserBehind(tokens: readonly Token[], found: Found, persons: Persons): boolean {
  const next = tokens[found.to + 1] ?? tokens[found.from + 1];
  return next !== undefined && persons.subjects.has(next.word) && GERMAN_SUBJECTS.has(next.word);
}

/** Returns the words that stand directly in front of a verb, up to the beginning of their segment. */
function subjectOf(
  tokens: readonly Token[],
  start: number,
  verb: number,
): { words: readonly Token[]; isDropped: boolean } {
  if (verb === tokens.length) {
    const first = tokens.findIndex((token) => !isAuxiliary(token) && !OPENERS.has(token.word));
    const head = tokens[first];
    if (!head) return { words: [], isDropped: true };
    return {
      words: tokens.slice(
        first,
        tokens.slice(first).some(({ word }) => FIRST.subjects.has(word)) && FIRST.subjects.has(head.word)
          ? first + 1
          : first + 3,
      ),
      isDropped: false,
    };
  }
  let at = verb - 1;
  while (at >= start && isAuxiliary(tokens[at])) at -= 1;
  if (at < start) return { words: [], isDropped: true };
  const last = tokens[at];
  if (last && (FIRST.subjects.has(last.word) || SECOND.subjects.has(last.word) || THIRD.has(last.word)))
    return { words: [last], isDropped: false };
  return { words: tokens.slice(Math.max(start, at - 3), at + 1), isDropped: false };
}

import { isOneOf, type Word } from '../../language/sentence-words.ts';
import { isVerb, subjectFirst, withoutLead, type Piece } from './clauses.ts';

/** Maximum number of pieces in a clause, so that long lists do not take quadratic time. */
const LONGEST_CLAUSE = 5;

/** Prepositions that follow a verb more often than a noun: "purrs all night", "squeaks through the house". */
const AFTER_VERBS = 'through around across along over up down away out off into onto towards toward like all';

/** Third persons that are no plurals as well, as "drums" and "walks" are. */
const VERBS_ONLY =
  'sings speaks teaches eats writes reads sells hates wants lives goes does has says knows thinks';

const SUBJECTS = 'i we he she they';

/** Whether a piece can name one more object of the verb in the first one. */
function continuesList({ joint, isUnstated, words }: Piece, first: Piece): boolean {
  if (joint === undefined || isUnstated) return false;
  // "I like tea and I work at Acme": a subject with its verb is no second thing that I like. "Tom and I work at Acme" is
  // one clause.
  if (words.length > 1 && isOneOf(words[0], SUBJECTS) && first.words.some(isAnyVerb)) return false;
  // "She speaks French and lives in Lyon": a second verb is no second thing that she speaks.
  const [word, next] = words;
  const isThirdPerson = first.words.some(({ tags, lower }) => tags.has('PresentTense') && endsInS(lower));
  if (!word || !isThirdPerson || !endsInS(word.lower) || word.isCapital) return true;
  if (!next) return !isOneOf(word, VERBS_ONLY);
  return !word.tags.has('Verb') && !isOneOf(next, AFTER_VERBS);
}

/** Whether a word is a verb, also the second one of "I've", which is tagged as the pronoun is. */
function isAnyVerb(word: Word): boolean {
  return isVerb(word) || isOneOf(word, 'have had will would');
}

function endsInS(lower: string): boolean {
  return /[^s]s$/u.test(lower);
}

/** Yields the clauses that begin with a piece, the longest first. */
export function* clausesAt(
  pieces: readonly Piece[],
  at: number,
): Generator<{ readonly words: readonly Word[]; readonly length: number }> {
  for (let length = Math.min(LONGEST_CLAUSE, pieces.length - at); length >= 1; length--) {
    const [first, ...others] = pieces.slice(at, at + length);
    if (!first || others.some((piece) => !continuesList(piece, first))) continue;
    const joined = others.flatMap(({ joint = [], words }) => [...joint, ...words]);
    yield { words: subjectFirst(withoutLead([...first.words, ...joined])), length };
  }
}

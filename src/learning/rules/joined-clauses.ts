import type { Word } from '../../language/sentence-words.ts';
import { subjectFirst, withoutLead, type Piece } from './clauses.ts';

/** Maximum number of pieces in a clause, so that long lists do not take quadratic time. */
const LONGEST_CLAUSE = 5;

/** Yields the clauses that begin with a piece, the longest first. */
export function* clausesAt(
  pieces: readonly Piece[],
  at: number,
): Generator<{ readonly words: readonly Word[]; readonly length: number }> {
  for (let length = Math.min(LONGEST_CLAUSE, pieces.length - at); length >= 1; length--) {
    const [first, ...others] = pieces.slice(at, at + length);
    if (!first || others.some(({ joint, isUnstated }) => joint === undefined || isUnstated)) continue;
    const joined = others.flatMap(({ joint = [], words }) => [...joint, ...words]);
    yield { words: subjectFirst(withoutLead([...first.words, ...joined])), length };
  }
}

import type { FactWords } from '../memory/fact-sentence.ts';
import { pastedParts } from '../../src/extract.ts';
import { conceptsIn } from './concepts.ts';

/** Words of a clause that no fact has, from which on the clause says something else. */
const OTHER_WORDS = 2;
const MAX_CLAUSES = 3;
const MAX_CHARACTERS = 160;

/** The clauses of a statement that say something besides the facts that were understood from it, word for word. */
export function clausesBeside(facts: readonly FactWords[], statement: string): string[] {
  const typed = pastedParts(statement).reduce((rest, part) => rest.replaceAll(part, ' '), statement);
  const understood = conceptsIn(
    facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).join(' '),
  );
  return typed
    .split(BETWEEN_CLAUSES)
    .map((clause) => clause.trim())
    .filter((clause) => {
      const others = [...conceptsIn(clause)].filter((concept) => !understood.has(concept));
      return others.length >= OTHER_WORDS && clause.length <= MAX_CHARACTERS;
    })
    .slice(0, MAX_CLAUSES);
}

const BETWEEN_CLAUSES = /[,;:.!?](?=\s)\s*(?:(?:and|but|so|also)\s+)?|[.!?]+$/u;

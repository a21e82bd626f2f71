import type { TripleWords } from './fact-slot.ts';

/** Returns a fact as a sentence: `Sam lives in Rome`. */
export function sentenceOf({ subject, predicate, object }: TripleWords): string {
  return `${subject} ${predicate} ${object}`;
}

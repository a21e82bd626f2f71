import type { Words } from './fact-slot.ts';

/** Returns a fact as a sentence: `Sam lives in Rome`. */
export function sentenceOf({ subject, predicate, object }: Words): string {
  return `${subject} ${predicate} ${object}`;
}

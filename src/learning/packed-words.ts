import { isKeywordSegment, type KeywordSegment } from '../search/keyword-segment.ts';
import type { PackedRows } from '../storage/schema.ts';
import { arePackedFactWords, type PackedFactWords } from './sentence-index.ts';

/** Index terms of packed rows. */
export interface PackedWords {
  readonly facts: PackedFactWords;
  readonly statements: KeywordSegment;
}

/** Returns the terms of packed rows, or undefined if they are damaged or of another version. */
export function packedWords(packed: readonly PackedRows[]): PackedWords[] | undefined {
  const words = packed.map(({ index }) => index);
  return words.every(arePackedWords) ? words : undefined;
}

function arePackedWords(value: unknown): value is PackedWords {
  if (typeof value !== 'object' || value === null) return false;
  const { facts, statements } = value as Partial<PackedWords>;
  return arePackedFactWords(facts) && isKeywordSegment(statements);
}

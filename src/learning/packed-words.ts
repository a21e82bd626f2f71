import { type KeywordSegment, isKeywordSegment } from '../search/keyword-segment.ts';
import type { PackedRows } from '../storage/schema.ts';
import type { PackedFactWords } from './sentence-index.ts';

/** Index terms of packed rows. */
export interface PackedWords {
  readonly facts: PackedFactWords;
  readonly claims: KeywordSegment;
}

/** Returns the terms of packed rows, or undefined if they are damaged or of another version. */
export function packedWords(packed: readonly PackedRows[]): PackedWords[] | undefined {
  const words = packed.map(({ index }) => index as PackedWords | undefined);
  const areUsable = words.every(
    (each): each is PackedWords =>
      isKeywordSegment(each?.facts?.words) &&
      isKeywordSegment(each.facts.originalWords) &&
      isKeywordSegment(each.claims),
  );
  return areUsable ? words : undefined;
}

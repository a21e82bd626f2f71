import type { FactRow } from '../schema.ts';

/** Returns what somebody has said of a fact: all its texts but the attributes by which the memory keeps where it is from. */
export function saidOfFact({ subject, predicate, object, attributes }: FactRow): unknown[] {
  const {
    statedBy: _speaker,
    madeBy: _extractor,
    isProposal: _proposed,
    isRejected: _rejected,
    ...said
  } = attributes;
  return [subject, predicate, object, said];
}

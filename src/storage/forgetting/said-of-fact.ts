import type { FactRow } from '../schema.ts';

/** Returns the texts of a fact that somebody has said, without the attributes that record who said it and what read it. */
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

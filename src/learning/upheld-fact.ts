import type { FactView } from '../graph/fact-view.ts';
import type { Triple } from '../graph/triple.ts';

/**
 * Returns the fact with this id if it is known and neither retracted nor superseded, that is, it holds, or held as
 * long as stated.
 */
export function upheldFact(view: FactView, id: string): Triple | undefined {
  const fact = view.triple(id);
  return fact?.retractedAt === undefined && fact?.supersededBy === undefined ? fact : undefined;
}

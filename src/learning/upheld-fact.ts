import type { FactView } from '../graph/fact-view.ts';
import type { Triple } from '../graph/triple.ts';

/**
 * The fact with this id, if it is known and was neither taken back nor gave way to another: it holds, or held for as
 * long as it was said to.
 */
export function upheldFact(view: FactView, id: string): Triple | undefined {
  const fact = view.triple(id);
  return fact?.retractedAt === undefined && fact?.supersededBy === undefined ? fact : undefined;
}

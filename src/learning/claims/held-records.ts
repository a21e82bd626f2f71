import { isProposal, type GraphRecords, type TripleRecord } from '../../graph/triple.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import type { Truth } from './truth.ts';

/**
 * Returns the graph as records, without proposals, in which the facts are over that nobody says any more or that a
 * proposal has ended.
 */
export function heldRecords(rows: KnowledgeRows, truth: Truth): GraphRecords {
  const { entities, triples } = rows.graph.toRecords();
  const ended = triples.flatMap((record) => {
    if (isProposal(record)) return [];
    const end = record.retraction ? undefined : endOf(rows, truth, record);
    if (end === undefined) return [record];
    // What only repeated a fact that holds ends nothing.
    const validTo = Math.max(truth.isHeldElsewhere(record) ? 0 : end, record.validFrom);
    return [{ ...record, retraction: { recordedAt: Math.max(end, record.recordedAt), validTo } }];
  });
  return { entities, triples: ended };
}

function endOf(rows: KnowledgeRows, truth: Truth, record: TripleRecord): number | undefined {
  const { supersededBy = '', validTo } = truth.view.triple(record.id) ?? {};
  const by = rows.facts.get(supersededBy);
  return truth.endOfFact(record)?.at ?? (by && isProposal(by) ? validTo : undefined);
}

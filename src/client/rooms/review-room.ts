import { sentenceOf } from '../../graph/triple.ts';
import { unconfirmedSpeaker } from '../../learning/speaker.ts';
import { MnemoraError } from '../../model/error.ts';
import { signalOf } from '../call-options.ts';
import type { Engine } from '../engine.ts';
import { forget } from '../forget.ts';
import { enter, factOf } from './edit-facts.ts';
import type { MemoryReview, ReviewItem } from './memory-review.ts';

const MOST_REVIEW_ITEMS = 50;

/** Returns the `review` methods of a memory. */
export function openReview(engine: Engine): MemoryReview {
  return {
    list: async (options = {}) => listForReview(engine, signalOf('review.list', options)),
    async accept(factId, options = {}) {
      const signal = signalOf('review.accept', options);
      await requireWaiting(engine, factId, signal);
      return enter(engine, factId, {}, signal);
    },
    async reject(factId, options = {}) {
      const signal = signalOf('review.reject', options);
      await requireWaiting(engine, factId, signal);
      await forget(engine, { factId }, signal ? { signal } : {});
    },
  };
}

/** Lists facts that hold now and that only others have stated, newest first. */
async function listForReview({ graph }: Engine, signal: AbortSignal | undefined): Promise<ReviewItem[]> {
  const rows = await graph.rows(signal);
  const items = rows.graph.triples().flatMap((fact): ReviewItem[] => {
    const speaker = unconfirmedSpeaker(fact);
    if (speaker === undefined) return [];
    return [{ id: fact.id, text: sentenceOf(fact), speaker, fact: factOf(rows, fact) }];
  });
  return items
    .toSorted((a, b) => b.fact.recordedAt - a.fact.recordedAt || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_REVIEW_ITEMS);
}

async function requireWaiting({ graph }: Engine, id: string, signal: AbortSignal | undefined): Promise<void> {
  const rows = await graph.rows(signal);
  const fact = typeof id === 'string' ? rows.graph.triple(id) : undefined;
  if (fact && unconfirmedSpeaker(fact) !== undefined) return;
  throw new MnemoraError(
    'not-found',
    `No fact with the id "${id}" is waiting for review. Nothing was changed.`,
  );
}

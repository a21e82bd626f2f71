import { sentenceOf, type TripleWords } from '../../graph/triple.ts';
import { foldName } from '../../language/fold.ts';
import { unconfirmedSpeaker } from '../../learning/speaker.ts';
import { rejectFact } from '../../learning/user-edits.ts';
import { signalOf, type SignalOption } from '../../model/call-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Speaker } from '../../model/speaker.ts';
import type { MemoryParts } from '../memory-parts.ts';
import { edit, enter, factOf, type MemoryFact } from './facts-room.ts';

/** A fact that the user has not stated in these words, which awaits the user's confirmation. */
export interface ReviewItem {
  /** Id of the fact, for `accept` and `reject`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly text: string;
  /** Who stated it; `model` if a model has read it in a message that does not say it in these words. */
  readonly speaker: Exclude<Speaker, 'user'>;
  readonly fact: MemoryFact;
}

/** The facts of a memory that await the user's confirmation. */
export interface MemoryReview {
  /**
   * Returns facts that only an assistant, a tool, a pasted text or an import has stated, or that a model has read in
   * messages that do not say them: those that hold now, newest first, at most 50. None of them can end a fact stated by
   * the user. In a context, each names its speaker; what contradicts the user, and what a model has read, is told in none.
   */
  list(options?: SignalOption): Promise<ReviewItem[]>;
  /**
   * Confirms a fact: from now on it counts as stated by the user. `rebuild` keeps it.
   *
   * @throws MnemoraError `not-found` if no such fact waits for review
   */
  accept(factId: string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Keeps a fact as one that the user does not accept. No context tells it, the words that it came from are marked where
   * they are quoted, and it is not learned again from the same messages.
   *
   * @throws MnemoraError `not-found` if no such fact waits for review
   */
  reject(factId: string, options?: SignalOption): Promise<void>;
}

const MOST_REVIEW_ITEMS = 50;

/** Returns the `review` methods of a memory. */
export function openReview(parts: MemoryParts): MemoryReview {
  return {
    list: async (options = {}) => listForReview(parts, signalOf('review.list', options)),
    async accept(factId, options = {}) {
      const signal = signalOf('review.accept', options);
      await requireWaiting(parts, factId, signal);
      return enter(parts, factId, {}, signal);
    },
    async reject(factId, options = {}) {
      const signal = signalOf('review.reject', options);
      await requireWaiting(parts, factId, signal);
      await edit(parts, factId, signal, (draft) => {
        rejectFact(draft, factId);
        return factId;
      });
    },
  };
}

/** Lists facts that hold now and that only others have stated, newest first. */
async function listForReview({ graph }: MemoryParts, signal: AbortSignal | undefined): Promise<ReviewItem[]> {
  const rows = await graph.rows(signal);
  const facts = rows.graph.triples();
  const confirmed = new Set(facts.filter((fact) => unconfirmedSpeaker(fact) === undefined).map(said));
  const items = facts.flatMap((fact): ReviewItem[] => {
    const speaker = unconfirmedSpeaker(fact);
    if (speaker === undefined || confirmed.has(said(fact))) return [];
    return [{ id: fact.id, text: sentenceOf(fact), speaker, fact: factOf(rows, fact) }];
  });
  return items
    .toSorted((a, b) => b.fact.recordedAt - a.fact.recordedAt || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_REVIEW_ITEMS);
}

function said(fact: TripleWords): string {
  return foldName(sentenceOf(fact));
}

async function requireWaiting(
  { graph }: MemoryParts,
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = await graph.rows(signal);
  const fact = typeof id === 'string' ? rows.graph.triple(id) : undefined;
  if (fact && unconfirmedSpeaker(fact) !== undefined) return;
  throw new MnemoraError(
    'not-found',
    `No fact with the id "${id}" is waiting for review. Nothing was changed.`,
  );
}

import { sentenceOf } from '../../graph/triple.ts';
import {
  confirmClaim,
  factOfClaim,
  isOpenQuestion,
  openQuestions,
  rejectClaim,
} from '../../learning/claims/claim-questions.ts';
import type { KnowledgeDraft } from '../../learning/knowledge-draft.ts';
import { unconfirmedSpeaker } from '../../learning/speaker.ts';
import { correctFact, rejectFact } from '../../learning/user-edits.ts';
import { waitingFacts } from '../../learning/waiting-facts.ts';
import { signalOf, type SignalOption } from '../../model/call-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { runInSlices } from '../../model/event-loop.ts';
import type { Speaker } from '../../model/speaker.ts';
import type { MemoryParts } from '../memory-parts.ts';
import { edit, enterBy, factOf, type MemoryFact } from './facts-room.ts';

/** A fact or a claim that the user has not stated as their own, which awaits their confirmation. */
export interface ReviewItem {
  /** Id of the fact or of the claim, for `accept` and `reject`. */
  readonly id: string;
  /** The fact as a sentence, or the claim word for word. */
  readonly text: string;
  /** Who stated it; `model` if a model has read it in a message that does not say it in these words. */
  readonly speaker: Exclude<Speaker, 'user'>;
  /** The fact; of a claim, what accepting it records: that the user `says` its words. */
  readonly fact: MemoryFact;
}

/** What awaits the user's confirmation. */
export interface MemoryReview {
  /**
   * Returns facts that only an assistant, a tool, a pasted text or an import has stated, or that a model has read in
   * messages that do not say them: those that hold now. Also returns claims in the first person if even a reader could
   * not decide whether they are the user's own words, as in a cover letter: at most five of a message. All are newest
   * first, at most 50. None of them can end a fact stated by the user. In a context, each names its speaker; what
   * contradicts the user, and what a model has read, is not recalled.
   */
  list(options?: SignalOption): Promise<ReviewItem[]>;
  /**
   * Confirms a fact or a claim: from now on it counts as stated by the user. `rebuild` keeps it.
   *
   * @throws MnemoraError `not-found` if no such fact or claim waits for review
   */
  accept(id: string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Keeps a fact or a claim as one that the user does not accept. It is not recalled, the words that it came from are
   * marked where they are quoted, and it is not learned again from the same messages.
   *
   * @throws MnemoraError `not-found` if no such fact or claim waits for review
   */
  reject(id: string, options?: SignalOption): Promise<void>;
}

const MOST_REVIEW_ITEMS = 50;

/** Returns the `review` methods of a memory. */
export function openReview(parts: MemoryParts): MemoryReview {
  return {
    list: async (options = {}) => listForReview(parts, signalOf('review.list', options)),
    // Checked with the change: another tab may have decided in the meantime.
    accept: async (id, options = {}) =>
      enterBy(
        parts,
        signalOf('review.accept', options),
        (draft) => (isWaitingClaim(draft, id) ? confirmClaim(draft, id) : correctFact(draft, id, {})),
        id,
      ),
    async reject(id, options = {}) {
      await edit(parts, id, signalOf('review.reject', options), (draft) => {
        const reject = isWaitingClaim(draft, id) ? rejectClaim : rejectFact;
        reject(draft, id);
        return id;
      });
    },
  };
}

/** Lists what waits for the user's word, newest first. */
async function listForReview({ graph }: MemoryParts, signal: AbortSignal | undefined): Promise<ReviewItem[]> {
  return graph.look(async (rows) => {
    const facts = await runInSlices(waitingFacts(rows), signal);
    const claims = await runInSlices(openQuestions(rows), signal);
    return [
      ...facts.map((fact) => ({ fact, text: sentenceOf(fact) })),
      ...claims.map((claim) => ({ fact: factOfClaim(claim), text: claim.text })),
    ]
      .toSorted(({ fact: a }, { fact: b }) => b.recordedAt - a.recordedAt || (a.id < b.id ? -1 : 1))
      .slice(0, MOST_REVIEW_ITEMS)
      .flatMap(({ fact, text }): ReviewItem[] => {
        const speaker = unconfirmedSpeaker(fact);
        return speaker === undefined ? [] : [{ id: fact.id, text, speaker, fact: factOf(rows, fact) }];
      });
  }, signal);
}

/**
 * Returns whether a claim with this id waits for review, and not a fact.
 *
 * @throws MnemoraError `not-found` if neither does
 */
function isWaitingClaim(draft: KnowledgeDraft, id: string): boolean {
  // A fact that was accepted, corrected or rejected waits no more.
  const fact = typeof id === 'string' ? draft.view().current(id) : undefined;
  if (fact && unconfirmedSpeaker(fact) !== undefined) return false;
  if (typeof id === 'string' && isOpenQuestion(draft.rows, id)) return true;
  throw new MnemoraError(
    'not-found',
    `No fact or claim with the id "${id}" is waiting for review. Nothing was changed.`,
  );
}

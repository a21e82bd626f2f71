import { yieldToEventLoop } from '../../model/event-loop.ts';
import type { FactRow } from '../../storage/schema.ts';
import { isRejected } from '../claims/fact-words.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';

/**
 * Returns the ids of the facts that learning again does not replace: those of the user, and what these have ended,
 * because only its id is known to be over, and so that it is not learned again beside its correction.
 *
 * @param isKept whether a fact is kept for another reason
 */
export function keptFacts(facts: Iterable<FactRow>, isKept?: (fact: FactRow) => boolean): Set<string> {
  const kept = new Set<string>();
  for (const fact of facts) {
    const isDecided = fact.source === 'user' || fact.isPinned === true || isKept?.(fact) === true;
    if (isDecided || fact.messageIds.length === 0 || isRejected(fact)) kept.add(fact.id);
    if (isDecided) for (const id of fact.supersedes) kept.add(id);
  }
  return kept;
}

/** Number of rows dropped at once, which takes a few milliseconds. */
const SLICE_ROWS = 250;

/** Erases what was learned from messages, except for {@link keptFacts}. */
export async function dropLearned(draft: KnowledgeDraft): Promise<void> {
  const facts = [...draft.rows.facts.values()];
  const kept = keptFacts(facts);
  let dropped = 0;
  const pauseSometimes = async (): Promise<void> => {
    if (++dropped % SLICE_ROWS === 0) await yieldToEventLoop();
  };
  for (const { id } of facts) {
    if (!kept.has(id)) draft.graph.deleteTriple(id);
    await pauseSometimes();
  }
  draft.dropClaims(draft.claims().map(({ id }) => id));
  draft.learnedTurns = 0;
  for (const entity of [...draft.rows.entities.values()]) {
    const own = entity.mentions.filter((mention) => mention.messageIds.length === 0);
    if (own.length < entity.mentions.length) draft.setMentions(entity.name, own);
    await pauseSometimes();
  }
}

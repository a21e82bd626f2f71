import type { Steps } from '../../model/event-loop.ts';
import { isBareEntity, messageIdsOf } from '../../storage/facts-and-entities.ts';
import type { NewRows } from '../../storage/knowledge-store.ts';
import type { EntityRow, FactRow } from '../../storage/schema.ts';
import { isRejected } from '../claims/fact-words.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';

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

/** Returns the rows with which learning again begins: {@link keptFacts}, and what no message says of entities. */
export function* keptRows({ facts, entities }: KnowledgeRows): Steps<NewRows> {
  const kept = keptFacts(facts.values());
  yield;
  const left = { facts: [] as FactRow[], entities: [] as EntityRow[], claims: [] };
  const ends = new Set<string>();
  for (const id of kept) {
    const fact = facts.get(id);
    if (!fact) continue;
    left.facts.push(fact);
    ends.add(fact.subjectKey).add(fact.objectKey);
    yield;
  }
  for (const entity of entities.values()) {
    const mentions = entity.mentions.filter((mention) => mention.messageIds.length === 0);
    const own = { ...entity, mentions, messageIds: messageIdsOf(mentions) };
    if (!isBareEntity(own) || ends.has(entity.key)) left.entities.push(own);
    yield;
  }
  return left;
}

import { withoutSource } from '../graph/merge-sources.ts';
import type { EntityRow, FactRow, SummaryRecord } from './schema.ts';

/** The fact without these messages as sources; undefined where it came from them alone. */
export function factWithoutMessages(fact: FactRow, ids: ReadonlySet<string>): FactRow | undefined {
  let left: FactRow | undefined = fact;
  for (const id of fact.messageIds) {
    if (left && ids.has(id)) left = withoutSource(left, id);
  }
  return left && { ...left, messageIds: fact.messageIds.filter((id) => !ids.has(id)) };
}

/**
 * The entity without what these messages told of it. A mention of several messages goes with any of them: there is no
 * telling which one each word of it came from.
 */
export function entityWithoutMessages(entity: EntityRow, ids: ReadonlySet<string>): EntityRow {
  const mentions = entity.mentions.filter((mention) => !mention.messageIds.some((id) => ids.has(id)));
  return { ...entity, mentions, messageIds: messageIdsOf(mentions) };
}

/** Whether nothing keeps an entity but the facts that it is in. */
export function isBareEntity(entity: EntityRow): boolean {
  return !entity.isStandalone && entity.mentions.length === 0;
}

export function messageIdsOf(parts: readonly { readonly messageIds: readonly string[] }[]): string[] {
  return [...new Set(parts.flatMap((part) => part.messageIds))];
}

/** Whether a summary covers one of the erased messages of its session. */
export function coversAny(summary: SummaryRecord, erasedSeqs: readonly number[]): boolean {
  return erasedSeqs.some((seq) => seq <= summary.coversSeq);
}

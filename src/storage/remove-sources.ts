import { nameKey } from '../graph/entity-name.ts';
import { withoutSource } from '../graph/merge-sources.ts';
import { newId } from '../model/id.ts';
import type { EntityRow, FactRow, SummaryRecord } from './schema.ts';

/** Returns the fact without these messages as sources, or undefined if it has no other source. */
export function factWithoutMessages(fact: FactRow, ids: ReadonlySet<string>): FactRow | undefined {
  let left: FactRow | undefined = fact;
  for (const id of fact.messageIds) {
    if (left && ids.has(id)) left = withoutSource(left, id);
  }
  return left && { ...left, messageIds: fact.messageIds.filter((id) => !ids.has(id)) };
}

/**
 * Returns the entity without what these messages said about it. A mention with several messages is removed with any
 * of them, because it is not known which message each of its words came from.
 */
export function entityWithoutMessages(entity: EntityRow, ids: ReadonlySet<string>): EntityRow {
  const mentions = entity.mentions.filter((mention) => !mention.messageIds.some((id) => ids.has(id)));
  return { ...entity, mentions, messageIds: messageIdsOf(mentions) };
}

/** Returns the names that an entity was called by in erased messages only. */
export function lostAliases(before: EntityRow, left: EntityRow): ReadonlySet<string> {
  const aliasKeys = ({ mentions }: EntityRow): string[] =>
    mentions.flatMap((mention) => mention.aliases.map(nameKey));
  const kept = new Set([left.key, ...aliasKeys(left)]);
  return new Set(aliasKeys(before).filter((key) => !kept.has(key)));
}

/** Returns the facts under a name that the entity has lost, changed to the entity that the name now means. */
export function factsWithoutAliases(
  facts: readonly FactRow[],
  entityKey: string,
  lost: ReadonlySet<string>,
): FactRow[] {
  const keyFor = (key: string, said: string): string =>
    key === entityKey && lost.has(nameKey(said)) ? nameKey(said) : key;
  return facts.flatMap((fact) => {
    const subjectKey = keyFor(fact.subjectKey, fact.subject);
    const objectKey = keyFor(fact.objectKey, fact.object);
    const isMoved = subjectKey !== fact.subjectKey || objectKey !== fact.objectKey;
    return isMoved ? [{ ...fact, subjectKey, objectKey }] : [];
  });
}

/** Returns rows for the entities of facts that nothing else is known about. */
export function entitiesOfFacts(facts: readonly FactRow[]): EntityRow[] {
  const ends = facts.flatMap(({ scope, subject, subjectKey, object, objectKey }) => [
    { scope, key: subjectKey, name: subject },
    { scope, key: objectKey, name: object },
  ]);
  const bare = { attributes: {}, isStandalone: false, mentions: [], messageIds: [] };
  return [...new Map(ends.map((end) => [end.key, { ...bare, ...end, id: newId() }])).values()];
}

/** Returns whether an entity is kept only by the facts that it is in. */
export function isBareEntity(entity: EntityRow): boolean {
  return !entity.isStandalone && entity.mentions.length === 0;
}

export function messageIdsOf(parts: readonly { readonly messageIds: readonly string[] }[]): string[] {
  return [...new Set(parts.flatMap((part) => part.messageIds))];
}

/** Returns whether a summary covers one of the erased messages of its session. */
export function coversAny(summary: SummaryRecord, erasedSeqs: readonly number[]): boolean {
  return erasedSeqs.some((seq) => seq <= summary.coversSeq);
}

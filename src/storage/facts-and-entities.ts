import { withoutSource } from '../graph/merge-sources.ts';
import type { EntityMention, EntityRow, FactRow } from './schema.ts';

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

/** Returns whether an entity is kept only by the facts that it is in. */
export function isBareEntity(entity: EntityRow): boolean {
  return !entity.isStandalone && entity.mentions.length === 0;
}

export function messageIdsOf(parts: readonly { readonly messageIds: readonly string[] }[]): string[] {
  const ids = new Set<string>();
  for (const part of parts) for (const id of part.messageIds) ids.add(id);
  return [...ids];
}

/** Returns all other names of an entity. */
export function aliasesOf(row: EntityRow): string[] {
  const all = new Set<string>();
  for (const { aliases } of row.mentions) for (const alias of aliases) all.add(alias);
  return [...all];
}

/** Returns the notes on an entity as one text. */
export function summaryOf({ mentions }: Pick<EntityRow, 'mentions'>): string {
  return withCurrentNote(mentions)
    .map(({ note }) => note)
    .join(' ');
}

/** Returns a mention that no longer rewrites earlier ones, because others were written without knowledge of it. */
export function withoutRewrite({ rewrites: _rewrites, ...mention }: EntityMention): EntityMention {
  return mention;
}

/** Returns the mentions with current notes: those from the last rewriting one on, and those that the user entered. */
export function withCurrentNote(mentions: readonly EntityMention[]): EntityMention[] {
  const from = mentions.findLastIndex(({ rewrites }) => rewrites);
  return mentions.filter(
    ({ note, messageIds }, index) => note !== '' && (index >= from || messageIds.length === 0),
  );
}

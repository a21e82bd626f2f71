import type { EntityMention, EntityRow } from './schema.ts';

/** All other names that an entity was given. */
export function aliasesOf(row: EntityRow): string[] {
  return [...new Set(row.mentions.flatMap((mention) => mention.aliases))];
}

/** What is known of an entity, sentence after sentence. */
export function summaryOf({ mentions }: Pick<EntityRow, 'mentions'>): string {
  return withCurrentNote(mentions)
    .map(({ note }) => note)
    .join(' ');
}

/** As one of several that were written without a view of each other. */
export function asOneOfMany({ rewrites: _rewrites, ...mention }: EntityMention): EntityMention {
  return mention;
}

/** The mentions whose notes count: from the last one on that has rewritten those before it, and what the user entered. */
export function withCurrentNote(mentions: readonly EntityMention[]): EntityMention[] {
  const from = mentions.findLastIndex(({ rewrites }) => rewrites);
  return mentions.filter(
    ({ note, messageIds }, index) => note !== '' && (index >= from || messageIds.length === 0),
  );
}

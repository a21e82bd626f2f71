import type { EntityMention, EntityRow } from './schema.ts';

/** Returns all other names of an entity. */
export function aliasesOf(row: EntityRow): string[] {
  return [...new Set(row.mentions.flatMap((mention) => mention.aliases))];
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

import type { EntityRow } from './schema.ts';

/** All other names that an entity was given. */
export function aliasesOf(row: EntityRow): string[] {
  return [...new Set(row.mentions.flatMap((mention) => mention.aliases))];
}

/** What is known of an entity, sentence after sentence. */
export function summaryOf(row: EntityRow): string {
  return row.mentions
    .map((mention) => mention.note)
    .filter((note) => note !== '')
    .join(' ');
}

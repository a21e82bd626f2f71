import type { Extractor, ProposedMention, ProposedTriple } from '../../src/index.ts';

/**
 * An extractor whose proposals follow from its input alone. It reads statements that are written out in messages:
 *
 * - `[[Sam|lives in|Rome]]` is a fact; `@2019` at its end is the year from which on it holds; `!` at its end has it
 *   replace the known facts of the same subject and predicate.
 * - `[[Sam=Sammy]]` is an alias.
 * - `[[Sam:plays the cello]]` is a note.
 */
export function codedExtractor(): Extractor {
  return {
    id: 'test/coded',
    summarize: async ({ summary, newLines }) => {
      const beginnings = newLines.split('\n').map((line) => line.split(' ').slice(0, 5).join(' '));
      return [summary, ...beginnings].filter(Boolean).join('; ').slice(-400);
    },
    extract: async ({ messages, facts }) => {
      const mentions: ProposedMention[] = [];
      const triples: ProposedTriple[] = [];
      for (const { id: messageId, text } of messages) {
        for (const [, said = ''] of text.matchAll(/\[\[(.*?)\]\]/g)) {
          const [name = '', alias] = said.split('=');
          const [named = '', note] = said.split(':');
          const [subject = '', predicate = '', rest] = said.split('|');
          if (alias !== undefined) mentions.push({ name, messageId, aliases: [alias] });
          else if (note !== undefined) mentions.push({ name: named, messageId, note });
          else if (rest !== undefined) {
            const [, object = '', year, replaces] = /^([^@!]*)(?:@(\d+))?(!)?$/.exec(rest) ?? [];
            const replaced = facts.filter((fact) => fact.subject === subject && fact.predicate === predicate);
            triples.push({
              subject,
              predicate,
              object,
              messageId,
              quote: said,
              ...(year === undefined ? {} : { validFrom: Date.UTC(Number(year), 0) }),
              ...(replaces === undefined ? {} : { supersedes: replaced.map((fact) => fact.id) }),
            });
          }
        }
      }
      return { mentions, triples, unreadable: 0 };
    },
  };
}

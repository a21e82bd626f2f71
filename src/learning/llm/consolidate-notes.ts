import { sentenceOf } from '../../graph/triple.ts';
import { hasMarkup } from '../../language/quotable-text.ts';
import { splitSentences } from '../../language/sentences.ts';
import { withCurrentNote, messageIdsOf } from '../../storage/facts-and-entities.ts';
import type { EntityMention, EntityRow } from '../../storage/schema.ts';
import { cleanText, MAX_NOTE_CHARACTERS } from '../first-person.ts';
import { isRewriting } from '../near-copies.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import type { LearnTurnsInput } from '../learn-turns.ts';
import { lineCheck } from '../support/line-support.ts';
import { take } from '../facts-about.ts';
import { wordOrigins } from '../word-origins.ts';

/** Maximum number of entities in one call; those with most notes come first. */
const MAX_ENTITIES = 20;
const MAX_FACTS_PER_ENTITY = 20;

type ConsolidateNotesInput = Required<Pick<LearnTurnsInput, 'graph' | 'extractor' | 'ticket' | 'signal'>>;

export interface ConsolidationReceipt {
  /**
   * Number of notes that were rejected: they contained a name or number from no message, or dropped most of what was
   * known.
   */
  readonly refused: number;
  /** The extractor's error, if it failed. */
  readonly cause: unknown;
}

/**
 * Merges the notes of entities that have several, with one call of the extractor. The new note keeps all messages of
 * the old ones as its sources. It is rejected if it contains a name or number that none of them has, or fewer than
 * half of their words. If the extractor fails, the notes stay as they are.
 *
 * This is what Park et al., "Generative Agents" (2023), section 4.2, call reflection.
 */
export async function consolidateNotes(input: ConsolidateNotesInput): Promise<ConsolidationReceipt> {
  const { graph, extractor, ticket, signal } = input;
  const asked = entitiesWithSeveralNotes(await graph.rows(signal));
  const entities = asked.map(({ name, notes, facts }) => ({
    name,
    notes: notes.map(({ note }) => note),
    facts: facts.map(({ text }) => text),
  }));
  let given: unknown;
  let cause: unknown;
  try {
    if (entities.length > 0) given = await extractor.consolidate?.({ entities, signal });
  } catch (error) {
    signal.throwIfAborted();
    cause = error;
  }
  let refused = 0;
  await graph.update((draft) => {
    refused = 0;
    for (const { name, aliases, notes, facts } of asked) {
      const note = cleanText(given instanceof Map ? given.get(name) : undefined);
      if (!note || note.length > MAX_NOTE_CHARACTERS) continue;
      const before = notes.map((mention) => mention.note).join('\n');
      const sources = [name, ...aliases, before, ...facts.map(({ text }) => text)];
      const isSupported = lineCheck(sources.map((text) => ({ speaker: 'note', text })));
      if (hasMarkup(note) || !splitSentences(note).every(isSupported) || !isRewriting(note, before, name)) {
        refused += 1;
        continue;
      }
      const row = draft.entity(name);
      const places = notes.map((mention) => placeOf(mention, row));
      // Some of it may have been forgotten in the meantime.
      if (!row || places.includes(-1) || facts.some(({ id }) => !draft.rows.facts.get(id))) continue;
      const messageIds = messageIdsOf(notes);
      const further = wordOrigins([...facts, { messageIds, text: before }])([note], messageIds.at(-1) ?? '');
      const consolidated: EntityMention = {
        messageIds: [...new Set([...messageIds, ...further])],
        note,
        aliases: [],
        recordedAt: Math.max(...notes.map(({ recordedAt }) => recordedAt)),
        rewrites: true,
      };
      draft.setMentions(row.name, row.mentions.toSpliced(Math.max(...places) + 1, 0, consolidated));
    }
    draft.learnedTurns = 0;
  }, ticket);
  return { refused, cause };
}

function placeOf(mention: EntityMention, row: EntityRow | undefined): number {
  const wanted = JSON.stringify(mention);
  return row ? row.mentions.findIndex((other) => JSON.stringify(other) === wanted) : -1;
}

/** Returns the entities with several notes that came from messages, and the facts about them that hold. */
function entitiesWithSeveralNotes(rows: KnowledgeRows): NotesToMerge[] {
  const view = rows.view();
  const several = [...rows.entities.values()].flatMap((row) => {
    const notes = withCurrentNote(row.mentions).filter(({ messageIds }) => messageIds.length > 0);
    return notes.length > 1 ? [{ row, notes }] : [];
  });
  return several
    .toSorted((a, b) => b.notes.length - a.notes.length || (a.row.key < b.row.key ? -1 : 1))
    .slice(0, MAX_ENTITIES)
    .map(({ row, notes }) => ({
      name: row.name,
      aliases: row.mentions.flatMap((mention) => mention.aliases),
      notes,
      facts: take(view.latest(row.key), MAX_FACTS_PER_ENTITY)
        .toReversed()
        .flatMap(({ id }) => rows.facts.get(id) ?? [])
        .map((fact) => ({ id: fact.id, messageIds: fact.messageIds, text: sentenceOf(fact) })),
    }));
}

interface NotesToMerge extends Pick<EntityMention, 'aliases'> {
  readonly name: string;
  readonly notes: readonly EntityMention[];
  readonly facts: readonly {
    readonly id: string;
    readonly messageIds: readonly string[];
    readonly text: string;
  }[];
}

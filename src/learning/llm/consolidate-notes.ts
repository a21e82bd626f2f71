import { sentenceOf } from '../../graph/fact-sentence.ts';
import { viewOf } from '../../graph/fact-graph.ts';
import { withCurrentNote } from '../../storage/entity-text.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import type { EntityMention, EntityRow } from '../../storage/schema.ts';
import { messageIdsOf } from '../../storage/remove-sources.ts';
import { cleanText, MAX_NOTE_CHARACTERS } from '../check-names.ts';
import type { Extractor } from '../extractor.ts';
import { isRewriting } from '../near-copies.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { unsourcedWords } from './unsourced-words.ts';
import type { ScopeGraph } from '../scope-graph.ts';
import { take } from '../take.ts';
import { wordOrigins } from '../word-origins.ts';

/** Entities in one call, those with most notes first. */
const MOST_ENTITIES = 20;
const FACTS_OF_EACH = 20;

export interface ConsolidateNotesInput {
  readonly graph: ScopeGraph;
  readonly extractor: Extractor;
  readonly ticket: JobTicket;
  readonly signal: AbortSignal;
}

export interface ConsolidationReceipt {
  /** Notes that were not stored: they had a name or a number that nobody said, or left out most of what was known. */
  readonly refused: number;
  /** Why the extractor failed, where it did. */
  readonly cause: unknown;
}

/**
 * Has the notes of entities made into one where several stand beside each other, with one call. The new note goes with all
 * messages that they came from; one that has a name or a number that none of them has, or less than half of their words,
 * is left out.
 * Where the extractor fails, the notes stay as they are.
 *
 * In a study of memory for agents such consolidation between sessions is called reflection: Park et al., "Generative
 * Agents" (2023), section 4.2.
 */
export async function consolidateNotes(input: ConsolidateNotesInput): Promise<ConsolidationReceipt> {
  const { graph, extractor, ticket, signal } = input;
  const asked = scattered(await graph.rows(signal));
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
      if (unsourcedWords(note, sources).length > 0 || !isRewriting(note, before, name)) {
        refused += 1;
        continue;
      }
      const row = draft.entity(name);
      const places = notes.map((mention) => placeOf(mention, row));
      // Some of it may have been forgotten meanwhile.
      if (!row || places.includes(-1)) continue;
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
    draft.setLearnedTurns(0);
  }, ticket);
  return { refused, cause };
}

function placeOf(mention: EntityMention, row: EntityRow | undefined): number {
  const wanted = JSON.stringify(mention);
  return row ? row.mentions.findIndex((other) => JSON.stringify(other) === wanted) : -1;
}

/** Entities with more than one note that messages have left, and the facts about them that hold. */
function scattered(rows: KnowledgeRows): Scattered[] {
  const view = viewOf(rows.graph);
  const several = rows.entities().flatMap((row) => {
    const notes = withCurrentNote(row.mentions).filter(({ messageIds }) => messageIds.length > 0);
    return notes.length > 1 ? [{ row, notes }] : [];
  });
  return several
    .toSorted((a, b) => b.notes.length - a.notes.length || (a.row.key < b.row.key ? -1 : 1))
    .slice(0, MOST_ENTITIES)
    .map(({ row, notes }) => ({
      name: row.name,
      aliases: row.mentions.flatMap((mention) => mention.aliases),
      notes,
      facts: take(view.latest(row.key), FACTS_OF_EACH)
        .toReversed()
        .flatMap(({ id }) => rows.fact(id) ?? [])
        .map((fact) => ({ messageIds: fact.messageIds, text: sentenceOf(fact) })),
    }));
}

interface Scattered {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly notes: readonly EntityMention[];
  readonly facts: readonly { readonly messageIds: readonly string[]; readonly text: string }[];
}

import { nameKey } from '../../graph/entity-name.ts';
import { isProposal, type AttributeMap } from '../../graph/triple.ts';
import { checkSignal, type SignalOption } from '../../model/call-options.ts';
import {
  argument,
  checkName,
  checkOptions,
  wholeNumber,
  type OptionChecks,
} from '../../model/check-options.ts';
import { readEntities } from '../../storage/entity-page.ts';
import { aliasesOf, summaryOf } from '../../storage/facts-and-entities.ts';
import type { EntityRow, FactRow } from '../../storage/schema.ts';
import type { MemoryParts } from '../memory-parts.ts';

/** A person, place or thing that the memory knows. */
export interface MemoryEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
  /** What was said about it, one sentence after another; may be empty. */
  readonly summary: string;
  /** Ids of the messages that mention it. */
  readonly sources: readonly string[];
}

export interface ListEntitiesOptions extends SignalOption {
  /** Largest number of entities to return. @default all */
  limit?: number;
  /**
   * Returns only entities whose name sorts after this one, in lower case and in the order of UTF-16 units. For the next
   * page, pass the name of the last entity of the page before.
   *
   * @default all
   */
  after?: string;
}

const CHECKS: OptionChecks<ListEntitiesOptions> = {
  limit: argument(wholeNumber(0)),
  after: argument(checkName),
  signal: checkSignal('facts.entities'),
};

/** Returns the entities of a memory. A page is read from the database, without the rest of the graph. */
export async function listEntities(
  { graph, stores, settings }: MemoryParts,
  options: ListEntitiesOptions,
): Promise<MemoryEntity[]> {
  const { limit = Infinity, after, signal } = checkOptions('facts.entities', options, CHECKS);
  signal?.throwIfAborted();
  if (limit === Infinity && after === undefined) {
    const { entities, facts } = await graph.rows(signal);
    return toEntities([...entities.values()], facts.values());
  }
  const page = { limit, afterKey: after === undefined ? '' : nameKey(after) };
  const { entities, facts } = await readEntities(stores.engine, settings.scope, page, signal);
  return toEntities(entities, facts);
}

/** @param facts all facts about these entities */
function toEntities(rows: readonly EntityRow[], facts: Iterable<FactRow>): MemoryEntity[] {
  const told = new Map(rows.map((row) => [row.key, new Set(row.messageIds)]));
  for (const fact of facts) {
    if (isProposal(fact)) continue;
    const { subjectKey, objectKey, sources } = fact;
    for (const { messageId, isContext } of sources) {
      if (isContext) continue;
      for (const key of [subjectKey, objectKey]) told.get(key)?.add(messageId);
    }
  }
  return rows.map((row) => ({
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    summary: summaryOf(row),
    sources: [...(told.get(row.key) ?? [])],
  }));
}

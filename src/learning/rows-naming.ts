import { runInSlices, type Steps } from '../model/event-loop.ts';
import { holdsText } from '../storage/forgetting/holds-text.ts';
import { saidOfFact } from '../storage/forgetting/said-of-fact.ts';
import type { ClaimRow, EntityRow, FactRow } from '../storage/schema.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';

/** The facts, entities and claims in which a text matches. */
export interface RowsNaming {
  readonly facts: readonly FactRow[];
  readonly entities: readonly EntityRow[];
  readonly claims: readonly ClaimRow[];
  /** Whether these are the rows, as they are now. */
  isOf(rows: KnowledgeRows): boolean;
}

/**
 * Finds the rows in which a text matches. No index is used, because none finds hidden forms of a name; the rows are in
 * memory, and other work passes in between.
 */
export async function rowsNaming(
  rows: KnowledgeRows,
  isMeant: (text: string) => boolean,
  signal?: AbortSignal,
): Promise<RowsNaming> {
  const { version } = rows;
  const matching = <Row>(all: readonly Row[], textsOf: (row: Row) => unknown): Promise<Row[]> =>
    runInSlices(
      (function* (): Steps<Row[]> {
        const found: Row[] = [];
        for (const row of all) {
          if (holdsText(textsOf(row), isMeant)) found.push(row);
          yield;
        }
        return found;
      })(),
      signal,
    );
  const [all, entities, claims] = [
    [...rows.facts.values()],
    [...rows.entities.values()],
    [...rows.allClaims()],
  ];
  return {
    facts: await matching(all, (fact) => [...saidOfFact(fact), ...fact.sources.map(({ quote }) => quote)]),
    entities: await matching(entities, ({ name, attributes, mentions }) => [
      ...[name, Object.entries(attributes)],
      ...mentions.map(({ note, aliases }) => [note, aliases]),
    ]),
    claims: await matching(claims, ({ text }) => text),
    isOf: (now) => now === rows && now.version === version,
  };
}

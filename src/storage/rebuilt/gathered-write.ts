import type { KnowledgeWrite, NewRows } from '../knowledge-store.ts';
import type { ClaimRow, EntityRow, FactRow } from '../schema.ts';

/** Rows to store, and the keys of those to remove. */
export interface RowsToStore extends NewRows {
  readonly removedFacts: readonly string[];
  readonly removedEntities: readonly Pick<EntityRow, 'key'>[];
  readonly removedClaims: readonly string[];
  /** Ids of the messages that the rows name and that those stored before do not. */
  readonly newSources: readonly string[];
}

/**
 * Several writes that are stored as one, with the turns that they were learned from. Each row is written once, however often
 * it has changed: an entity is written with all its mentions, so one write a turn would grow with all that was said of it.
 */
export class GatheredWrite {
  readonly turnIds: string[] = [];
  readonly #facts = new Map<string, FactRow | undefined>();
  readonly #entities = new Map<string, EntityRow | undefined>();
  readonly #claims = new Map<string, ClaimRow | undefined>();
  readonly #sources = new Set<string>();

  /** @param sources ids of the messages that the write names for the first time */
  add(write: KnowledgeWrite, sources: readonly string[], turnIds: readonly string[]): void {
    for (const id of write.removedFacts) this.#facts.set(id, undefined);
    for (const id of write.removedClaims) this.#claims.set(id, undefined);
    for (const { key } of write.removedEntities) this.#entities.set(key, undefined);
    for (const row of write.facts) this.#facts.set(row.id, row);
    for (const row of write.claims) this.#claims.set(row.id, row);
    for (const row of write.entities) this.#entities.set(row.key, row);
    for (const id of sources) this.#sources.add(id);
    this.turnIds.push(...turnIds);
  }

  /** Returns what is left of all writes. What was removed and added again is among its rows alone. */
  rows(): RowsToStore {
    return {
      facts: rowsIn(this.#facts),
      entities: rowsIn(this.#entities),
      claims: rowsIn(this.#claims),
      removedFacts: removedIn(this.#facts),
      removedEntities: removedIn(this.#entities).map((key) => ({ key })),
      removedClaims: removedIn(this.#claims),
      newSources: [...this.#sources],
    };
  }
}

function rowsIn<Row>(changes: ReadonlyMap<string, Row | undefined>): Row[] {
  return [...changes.values()].flatMap((row) => row ?? []);
}

function removedIn(changes: ReadonlyMap<string, unknown>): string[] {
  return [...changes].flatMap(([id, row]) => (row === undefined ? id : []));
}

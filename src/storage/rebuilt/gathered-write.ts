import type { KnowledgeWrite } from '../knowledge-store.ts';
import type { ClaimRow, EntityRow, FactRow } from '../schema.ts';

/**
 * Several writes that are stored as one, with the turns that they were learned from. Each row is written once, however
 * often it has changed: an entity is written whole with each of its mentions, so that one write a turn would grow with all
 * that was ever said of it.
 */
export class GatheredWrite {
  readonly turnIds: string[] = [];
  readonly #facts = new Map<string, FactRow | undefined>();
  readonly #entities = new Map<string, EntityRow | undefined>();
  readonly #claims = new Map<string, ClaimRow | undefined>();
  /** Ids of removed entities, by their keys. */
  readonly #entityIds = new Map<string, string>();
  readonly #sources = new Set<string>();
  #learnedTurns: number | undefined;
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** @param sources ids of the messages that the write names and those before it do not */
  add(write: KnowledgeWrite, sources: readonly string[], turnIds: readonly string[]): void {
    this.#isEmpty = false;
    for (const id of write.removedFacts) this.#facts.set(id, undefined);
    for (const id of write.removedClaims) this.#claims.set(id, undefined);
    for (const { id, key } of write.removedEntities) {
      this.#entities.set(key, undefined);
      this.#entityIds.set(key, id);
    }
    for (const row of write.facts) this.#facts.set(row.id, row);
    for (const row of write.claims) this.#claims.set(row.id, row);
    for (const row of write.entities) this.#entities.set(row.key, row);
    for (const id of sources) this.#sources.add(id);
    this.turnIds.push(...turnIds);
    this.#learnedTurns = write.learnedTurns ?? this.#learnedTurns;
  }

  /** Returns the one write. What was removed and added again is among its rows alone. */
  toWrite(): KnowledgeWrite & { readonly newSources: readonly string[] } {
    return {
      facts: rowsIn(this.#facts),
      entities: rowsIn(this.#entities),
      claims: rowsIn(this.#claims),
      removedFacts: removedIn(this.#facts),
      removedEntities: removedIn(this.#entities).map((key) => ({ key, id: this.#entityIds.get(key) ?? '' })),
      removedClaims: removedIn(this.#claims),
      newSources: [...this.#sources],
      ...(this.#learnedTurns === undefined ? {} : { learnedTurns: this.#learnedTurns }),
    };
  }
}

function rowsIn<Row>(changes: ReadonlyMap<string, Row | undefined>): Row[] {
  return [...changes.values()].flatMap((row) => row ?? []);
}

function removedIn(changes: ReadonlyMap<string, unknown>): string[] {
  return [...changes].flatMap(([id, row]) => (row === undefined ? id : []));
}

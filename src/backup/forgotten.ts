import type { Transaction } from '../storage/storage-engine.ts';
import { entityTombstoneRange, isEntityForgotten } from '../storage/entity-tombstone.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';
import { entityWithoutMessages, factWithoutMessages } from '../storage/without-messages.ts';

/** Stands for the user, where something was entered by hand and no message tells it. */
const BY_HAND = '';

/** What was forgotten of entities, here or where the file was made: it does not come back. */
export class Forgotten {
  readonly #transaction: Transaction;
  readonly #ofFile = new Map<string, string[]>();
  readonly #ofDatabase = new Map<string, string[]>();

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  /** A tombstone of the file that begins with a message id. */
  add(messageId: string, key: string): void {
    const known = this.#ofFile.get(messageId);
    if (known) known.push(key);
    else this.#ofFile.set(messageId, [key]);
  }

  /** The tombstones of the file, by message id. */
  get ofFile(): ReadonlyMap<string, readonly string[]> {
    return this.#ofFile;
  }

  async isForgotten(messageId: string, entityKeys: readonly string[]): Promise<boolean> {
    let known = this.#ofDatabase.get(messageId);
    if (!known) {
      known = await this.#transaction.objectStore('tombstones').getAllKeys(entityTombstoneRange(messageId));
      this.#ofDatabase.set(messageId, known);
    }
    const all = [...known, ...(this.#ofFile.get(messageId) ?? [])];
    return all.length > 0 && entityKeys.some((key) => isEntityForgotten(all, messageId, key));
  }

  /** What is left of a fact. @param isHere whether a message is there, as it was when it was read for facts */
  async factLeft(fact: FactRow, isHere: (messageId: string) => boolean): Promise<FactRow | undefined> {
    const ends = [fact.subjectKey, fact.objectKey];
    if (fact.messageIds.length === 0) return (await this.isForgotten(BY_HAND, ends)) ? undefined : fact;
    return factWithoutMessages(fact, await this.#gone(fact, ends, isHere));
  }

  async entityLeft(entity: EntityRow, isHere: (messageId: string) => boolean): Promise<EntityRow> {
    const left = entityWithoutMessages(entity, await this.#gone(entity, [entity.key], isHere));
    if (!(await this.isForgotten(BY_HAND, [entity.key]))) return left;
    return { ...left, mentions: left.mentions.filter((mention) => mention.messageIds.length > 0) };
  }

  async #gone(
    { messageIds }: { messageIds: readonly string[] },
    entityKeys: readonly string[],
    isHere: (messageId: string) => boolean,
  ): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const id of messageIds) {
      if (!isHere(id) || (await this.isForgotten(id, entityKeys))) gone.add(id);
    }
    return gone;
  }
}

import type { WriteTransaction } from '../storage/storage-engine.ts';
import { isEntityForgotten, namesForgotten } from '../storage/entity-tombstone.ts';
import { entityTombstoneRange, tombstonesOf } from '../storage/rows.ts';
import {
  entityWithoutNames,
  factWithoutNames,
  type ForgottenNames,
} from '../storage/forgetting/plan-without-names.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';
import { entityWithoutMessages, factWithoutMessages } from '../storage/facts-and-entities.ts';

/** Message id of what was entered by hand, and so has no message. */
const BY_HAND = '';

export interface MergeOptions {
  /** Imports what was forgotten here, if the file has it. @default false */
  readonly restoreForgotten?: boolean;
}

/** Tombstones of entities, in the database and in the file. What they name is not imported. */
export class ImportedTombstones {
  readonly #transaction: WriteTransaction;
  readonly #new = new Set<string>();
  readonly #ofFile = new Map<string, string[]>();
  readonly #ofDatabase = new Map<string, string[]>();

  constructor(transaction: WriteTransaction) {
    this.#transaction = transaction;
  }

  /** Adds a tombstone of the file that begins with a message id. */
  add(messageId: string, key: string): void {
    const known = this.#ofFile.get(messageId);
    if (known) known.push(key);
    else this.#ofFile.set(messageId, [key]);
  }

  /** Tombstones of the file, by message id. */
  get ofFile(): ReadonlyMap<string, readonly string[]> {
    return this.#ofFile;
  }

  /** Records that a tombstone of the file was stored and is new here. */
  noteNew(messageId: string): void {
    this.#new.add(messageId);
  }

  /** Returns whether the file has brought new tombstones for a message. */
  isNew(messageId: string): boolean {
    return this.#new.has(messageId);
  }

  async isForgotten(messageId: string, entityKeys: readonly string[]): Promise<boolean> {
    const all = await this.#tombstones(messageId);
    return all.length > 0 && entityKeys.some((key) => isEntityForgotten(all, messageId, key));
  }

  /** Removes the tombstones that a message has here and not in the file. Returns whether there were any. */
  bringBack(messageId: string): Promise<boolean> {
    return this.#removeTombstones(messageId, () => true);
  }

  /** Does the same for what was entered by hand about these entities. */
  bringBackByHand(entityKeys: readonly string[]): Promise<boolean> {
    return this.#removeTombstones(BY_HAND, (tombstone) =>
      entityKeys.some((key) => isEntityForgotten([tombstone], BY_HAND, key)),
    );
  }

  async #removeTombstones(messageId: string, isMeant: (tombstone: string) => boolean): Promise<boolean> {
    const store = this.#transaction.objectStore('tombstones');
    const ofFile = new Set(this.#ofFile.get(messageId));
    const keys = await store.getAllKeys(entityTombstoneRange(messageId));
    const gone = keys.filter((key) => !ofFile.has(key) && isMeant(key));
    await Promise.all(gone.map((key) => store.delete(key)));
    this.#ofDatabase.delete(messageId);
    return gone.length > 0;
  }

  /** Returns all tombstones that begin with a message id, in the file and in the database. */
  async #tombstones(messageId: string): Promise<string[]> {
    let known = this.#ofDatabase.get(messageId);
    if (!known) {
      known = await tombstonesOf(this.#transaction, [messageId]);
      this.#ofDatabase.set(messageId, known);
    }
    return [...known, ...(this.#ofFile.get(messageId) ?? [])];
  }

  /** Returns a test for forgotten names in texts that were made from these messages or entered by hand. */
  async #names(messageIds: readonly string[]): Promise<Pick<ForgottenNames, 'inTextOf'>> {
    const tombstones = (await Promise.all(['', ...messageIds].map((id) => this.#tombstones(id)))).flat();
    return { inTextOf: (messageId, text) => namesForgotten(text, messageId, tombstones) };
  }

  /**
   * Returns what remains of a fact.
   *
   * @param isHere whether a message is stored, with the content that the fact was read from
   */
  async factLeft(fact: FactRow, isHere: (messageId: string) => boolean): Promise<FactRow | undefined> {
    const ends = [fact.subjectKey, fact.objectKey];
    const isForgotten = fact.messageIds.length === 0 && (await this.isForgotten(BY_HAND, ends));
    const left = isForgotten ? undefined : factWithoutMessages(fact, await this.#gone(fact, ends, isHere));
    return left && factWithoutNames(left, await this.#names(left.messageIds));
  }

  async entityLeft(entity: EntityRow, isHere: (messageId: string) => boolean): Promise<EntityRow> {
    const left = entityWithoutMessages(entity, await this.#gone(entity, [entity.key], isHere));
    const told = entityWithoutNames(left, await this.#names(left.messageIds));
    if (!(await this.isForgotten(BY_HAND, [entity.key]))) return told;
    return { ...told, mentions: told.mentions.filter((mention) => mention.messageIds.length > 0) };
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

import type { WriteTransaction } from '../storage/storage-engine.ts';
import { isEntityForgotten, namesForgotten } from '../storage/entity-tombstone.ts';
import { entityTombstoneRange, tombstonesOf } from '../storage/tombstones-of.ts';
import {
  entityWithoutNames,
  factWithoutNames,
  type ForgottenNames,
} from '../storage/forgetting/plan-without-names.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';
import { entityWithoutMessages, factWithoutMessages } from '../storage/remove-sources.ts';

/** Stands for the user, where something was entered by hand and no message tells it. */
const BY_HAND = '';

export interface MergeOptions {
  /** What the file has comes back, though it was forgotten here. @default false */
  readonly restoreForgotten?: boolean;
}

/** What was forgotten of entities, here or where the file was made: it does not come back. */
export class ImportedTombstones {
  readonly #transaction: WriteTransaction;
  readonly #new = new Set<string>();
  readonly #ofFile = new Map<string, string[]>();
  readonly #ofDatabase = new Map<string, string[]>();

  constructor(transaction: WriteTransaction) {
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

  /** To be called for each tombstone of the file that is stored and was not here. */
  noteNew(messageId: string): void {
    this.#new.add(messageId);
  }

  /** Whether the file has brought tombstones of a message. */
  isNew(messageId: string): boolean {
    return this.#new.has(messageId);
  }

  async isForgotten(messageId: string, entityKeys: readonly string[]): Promise<boolean> {
    const all = await this.#tombstones(messageId);
    return all.length > 0 && entityKeys.some((key) => isEntityForgotten(all, messageId, key));
  }

  /** Takes away what was forgotten here as told by a message, and not in the file. Returns whether that was anything. */
  bringBack(messageId: string): Promise<boolean> {
    return this.#removeTombstones(messageId, () => true);
  }

  /** The same for what was entered by hand of these entities. */
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

  /** All tombstones that begin with a message id, of the file and of the database. */
  async #tombstones(messageId: string): Promise<string[]> {
    let known = this.#ofDatabase.get(messageId);
    if (!known) {
      known = await tombstonesOf(this.#transaction, [messageId]);
      this.#ofDatabase.set(messageId, known);
    }
    return [...known, ...(this.#ofFile.get(messageId) ?? [])];
  }

  /** Tells of texts that were made from these messages, or entered by hand, what in them was forgotten. */
  async #names(messageIds: readonly string[]): Promise<Pick<ForgottenNames, 'inTextOf'>> {
    const tombstones = (await Promise.all(['', ...messageIds].map((id) => this.#tombstones(id)))).flat();
    return { inTextOf: (messageId, text) => namesForgotten(text, messageId, tombstones) };
  }

  /** What is left of a fact. @param isHere whether a message is there, as it was when it was read for facts */
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

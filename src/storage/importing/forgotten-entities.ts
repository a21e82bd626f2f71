import { isEntityForgotten, namesForgotten } from '../entity-tombstone.ts';
import { entityWithoutMessages, factWithoutMessages } from '../facts-and-entities.ts';
import {
  entityWithoutNames,
  factWithoutNames,
  type ForgottenNames,
  type NamesInRow,
} from '../forgetting/plan-without-names.ts';
import { planForgetting } from '../forgetting/knowledge-erasure.ts';
import type { Plan } from '../plan.ts';
import { entityTombstoneRange, groupedBy, tombstonesOf } from '../rows.ts';
import { readPages } from '../codec/read-in-pages.ts';
import type { EntityRow, FactRow, SessionKey } from '../schema.ts';
import type { WriteTransaction } from '../storage-engine.ts';

/** Message id for data that was entered by hand and therefore has no message. */
const BY_HAND = '';

/** Returns whether a message is stored, with the content that a row was read from. */
type IsHere = (messageId: string) => boolean;

/** Tombstones of entities, in the database and in the file. Data that they name is not imported. */
export class ForgottenEntities {
  readonly #transaction: WriteTransaction;
  /** Ids of the messages of the file that are here. */
  readonly #messages: ReadonlySet<string>;
  /** Ids of messages for which the file has brought new tombstones. */
  readonly #newFor = new Set<string>();
  /** Tombstones of the file, by message id. */
  readonly #ofFile = new Map<string, string[]>();
  readonly #ofDatabase = new Map<string, string[]>();
  #names: Promise<ForgottenNames> | undefined;

  constructor(transaction: WriteTransaction, messages: ReadonlySet<string>) {
    this.#transaction = transaction;
    this.#messages = messages;
  }

  /** Adds a tombstone of the file that begins with a message id. */
  add(key: string): void {
    const messageId = messageOf(key);
    const known = this.#ofFile.get(messageId);
    if (known) known.push(key);
    else this.#ofFile.set(messageId, [key]);
  }

  /** Returns the forgotten names of the file and the database. Call it when all messages of the file are stored. */
  names(): Promise<ForgottenNames> {
    this.#names ??= this.#readNames();
    return this.#names;
  }

  /** Removes the tombstones that a message has here but not in the file. Returns whether there were any. */
  bringBack(messageId: string): Promise<boolean> {
    return this.#removeTombstones(messageId, () => true);
  }

  /** Does the same for data that was entered by hand about these entities. */
  bringBackByHand(entityKeys: readonly string[]): Promise<boolean> {
    return this.#removeTombstones(BY_HAND, (tombstone) =>
      entityKeys.some((key) => isEntityForgotten([tombstone], BY_HAND, key)),
    );
  }

  /** Returns what remains of a fact of the file. */
  async factLeft(fact: FactRow, isHere: IsHere = this.#isHere): Promise<FactRow | undefined> {
    const gone = await this.#gone(fact.messageIds, [fact.subjectKey, fact.objectKey], isHere);
    const left = factWithoutMessages(fact, gone);
    return left && factWithoutNames(left, await this.#namesIn(left.messageIds));
  }

  /** Returns what remains of an entity of the file. */
  async entityLeft(entity: EntityRow, isHere: IsHere = this.#isHere): Promise<EntityRow> {
    const left = entityWithoutMessages(entity, await this.#gone(entity.messageIds, [entity.key], isHere));
    return entityWithoutNames(left, await this.#namesIn(left.messageIds));
  }

  /** Returns the ids of the messages with tombstones in the file that are here, if their scope is concerned. */
  async messagesHere(concerns: (scope: string) => boolean): Promise<string[]> {
    const messages = this.#transaction.objectStore('messages').index('id');
    const here: string[] = [];
    for (const id of this.#ofFile.keys()) {
      const key = await messages.getKey(id);
      if (id === BY_HAND || (key && concerns(key[0]))) here.push(id);
    }
    return here;
  }

  /** Stores the tombstones that the file has for these messages. Returns whether anything was written. */
  async keep(messageIds: readonly string[]): Promise<boolean> {
    const tombstones = this.#transaction.objectStore('tombstones');
    for (const messageId of messageIds) {
      for (const key of this.#ofFile.get(messageId) ?? []) {
        if ((await tombstones.getKey(key)) !== undefined) continue;
        this.#newFor.add(messageId);
        await tombstones.put(true, key);
      }
    }
    return this.#newFor.size > 0;
  }

  /**
   * Plans what the tombstones for a message erase here, as `forget` does: an entity may lose a name, and then its facts
   * under that name move.
   */
  async plan(messageId: string): Promise<Plan[]> {
    const [facts, entities] = await Promise.all([
      this.#transaction.objectStore('triples').index('messageIds').getAll(messageId),
      this.#transaction.objectStore('entities').index('messageIds').getAll(messageId),
    ]);
    const isHere: IsHere = () => true;
    const factsLeft = new Map<string, FactRow | undefined>();
    for (const fact of facts)
      if (await this.#isForgotten(messageId, [fact.subjectKey, fact.objectKey]))
        factsLeft.set(fact.id, await this.factLeft(fact, isHere));
    const left = new Map<string, EntityRow>();
    for (const entity of entities) left.set(entity.id, await this.entityLeft(entity, isHere));
    const forgotten = facts.filter(({ id }) => factsLeft.has(id));
    return planForgetting(this.#transaction, forgotten, entities, {
      fact: (fact) => (factsLeft.has(fact.id) ? factsLeft.get(fact.id) : fact),
      entity: (entity) => left.get(entity.id) ?? entity,
    });
  }

  readonly #isHere: IsHere = (messageId) => this.#messages.has(messageId);

  async #removeTombstones(messageId: string, isMeant: (tombstone: string) => boolean): Promise<boolean> {
    const store = this.#transaction.objectStore('tombstones');
    const ofFile = new Set(this.#ofFile.get(messageId));
    const keys = await store.getAllKeys(entityTombstoneRange(messageId));
    const gone = keys.filter((key) => !ofFile.has(key) && isMeant(key));
    await Promise.all(gone.map((key) => store.delete(key)));
    this.#ofDatabase.delete(messageId);
    this.#names = undefined;
    return gone.length > 0;
  }

  /** Returns all tombstones that begin with a message id, in the file and in the database. */
  async #tombstones(messageId: string): Promise<string[]> {
    const known = this.#ofDatabase.get(messageId) ?? (await tombstonesOf(this.#transaction, [messageId]));
    this.#ofDatabase.set(messageId, known);
    return [...known, ...(this.#ofFile.get(messageId) ?? [])];
  }

  async #isForgotten(messageId: string, entityKeys: readonly string[]): Promise<boolean> {
    const all = await this.#tombstones(messageId);
    return entityKeys.some((key) => isEntityForgotten(all, messageId, key));
  }

  /** Returns the tests for names in data that was derived from these messages or entered by hand. */
  async #namesIn(messageIds: readonly string[]): Promise<NamesInRow> {
    const all = await Promise.all([BY_HAND, ...messageIds].map((id) => this.#tombstones(id)));
    const tombstones = all.flat();
    return {
      inTextOf: (messageId, text) => namesForgotten(text, messageId, tombstones),
      isForgotten: (messageId, key) => isEntityForgotten(tombstones, messageId, key),
    };
  }

  async #gone(
    messageIds: readonly string[],
    entityKeys: readonly string[],
    isHere: IsHere,
  ): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const id of messageIds) if (!isHere(id) || (await this.#isForgotten(id, entityKeys))) gone.add(id);
    return gone;
  }

  /** Reads which names were forgotten in which messages, and in data that was entered by hand. */
  async #readNames(): Promise<ForgottenNames> {
    const tombstones = [...this.#ofFile.values()].flat();
    for await (const { keys } of readPages(this.#transaction, 'tombstones'))
      tombstones.push(...keys.filter((key) => key.includes('/')));
    const byMessage = groupedBy(tombstones, messageOf);
    const bySession = new Map<string, string[]>();
    const messages = this.#transaction.objectStore('messages').index('id');
    for (const id of byMessage.keys()) {
      const key = await messages.getKey(id);
      const session = key && JSON.stringify(key.slice(0, 2));
      if (session) bySession.set(session, [...(bySession.get(session) ?? []), id]);
    }
    const inTextOf = (messageId: string, text: string): boolean =>
      namesForgotten(text, messageId, byMessage.get(messageId) ?? []);
    const namedIn = (session: SessionKey): readonly string[] => bySession.get(JSON.stringify(session)) ?? [];
    return {
      inTextOf,
      inTextOfSession: (session, text) => namedIn(session).some((id) => inTextOf(id, text)),
      isInMessagesOf: (session) => namedIn(session).some((id) => this.#newFor.has(id)),
      isForgotten: (messageId, key) => isEntityForgotten(byMessage.get(messageId) ?? [], messageId, key),
    };
  }
}

/** Returns the id of the message that a tombstone of an entity begins with. */
function messageOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

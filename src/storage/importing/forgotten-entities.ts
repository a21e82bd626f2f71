import { memoizeAsync } from '../../model/loading.ts';
import { isEntityForgotten, namesForgotten, statementKey } from '../entity-tombstone.ts';
import { entityWithoutMessages, factWithoutMessages } from '../facts-and-entities.ts';
import {
  entityWithoutNames,
  factWithoutNames,
  type ForgottenNames,
} from '../forgetting/plan-without-names.ts';
import { planForgetting } from '../forgetting/knowledge-erasure.ts';
import type { Plan } from '../plan.ts';
import { entityTombstoneRange, groupedBy } from '../rows.ts';
import { readPages } from '../codec/read-in-pages.ts';
import type { EntityRow, FactRow, SessionKey } from '../schema.ts';
import type { WriteTransaction } from '../storage-engine.ts';

/** Message id for data that was entered by hand and therefore has no message. */
const BY_HAND = '';

/** Tombstones of entities, in the database and in the file. Data that they name is not imported. */
export class ForgottenEntities {
  readonly #transaction: WriteTransaction;
  /** Ids of the messages of the file that are here. */
  readonly #messages: ReadonlySet<string>;
  /** Ids of messages for which the file has brought new tombstones. */
  readonly #newFor = new Set<string>();
  /** Tombstones of the file, by message id. */
  readonly #ofFile = new Map<string, string[]>();
  /** Tombstones of the file and of the database, by message id. Empty until they are read. */
  #tombstones = new Map<string, string[]>();
  /** Returns the forgotten names of the file and the database. Call it when all messages of the file are stored. */
  readonly names: () => Promise<ForgottenNames> = memoizeAsync(() => this.#readNames());

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
  async factLeft(fact: FactRow): Promise<FactRow | undefined> {
    return factLeft(fact, await this.names(), this.#messages);
  }

  /** Returns what remains of an entity of the file. */
  async entityLeft(entity: EntityRow): Promise<EntityRow> {
    return entityLeft(entity, await this.names(), this.#messages);
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
    const [names, facts, entities] = await Promise.all([
      this.names(),
      this.#transaction.objectStore('triples').index('messageIds').getAll(messageId),
      this.#transaction.objectStore('entities').index('messageIds').getAll(messageId),
    ]);
    const told = facts.filter((fact) => keysOf(fact).some((key) => names.isForgotten(messageId, key)));
    return planForgetting(this.#transaction, told, entities, {
      fact: (fact) => factLeft(fact, names),
      entity: (entity) => (entities.includes(entity) ? entityLeft(entity, names) : entity),
    });
  }

  async #removeTombstones(messageId: string, isMeant: (tombstone: string) => boolean): Promise<boolean> {
    const store = this.#transaction.objectStore('tombstones');
    const range = entityTombstoneRange(messageId);
    const ofFile = new Set(this.#ofFile.get(messageId));
    const removed = (await store.getAllKeys(range)).filter((key) => !ofFile.has(key) && isMeant(key));
    await Promise.all(removed.map((key) => store.delete(key)));
    this.#tombstones.set(messageId, [...(await store.getAllKeys(range)), ...ofFile]);
    return removed.length > 0;
  }

  /** Reads which names were forgotten in which messages, and in data that was entered by hand. */
  async #readNames(): Promise<ForgottenNames> {
    const all = [...this.#ofFile.values()].flat();
    for await (const { keys } of readPages(this.#transaction, 'tombstones'))
      all.push(...keys.filter((key) => key.includes('/')));
    this.#tombstones = groupedBy(all, messageOf);
    const bySession = new Map<string, string[]>();
    const messages = this.#transaction.objectStore('messages').index('id');
    for (const id of this.#tombstones.keys()) {
      const key = await messages.getKey(id);
      const session = key && JSON.stringify(key.slice(0, 2));
      if (session) bySession.set(session, [...(bySession.get(session) ?? []), id]);
    }
    const tombstonesOf = (messageId: string): readonly string[] => this.#tombstones.get(messageId) ?? [];
    const inTextOf = (messageId: string, text: string): boolean =>
      namesForgotten(text, messageId, tombstonesOf(messageId));
    const namedIn = (session: SessionKey): readonly string[] => bySession.get(JSON.stringify(session)) ?? [];
    return {
      inTextOf,
      inTextOfSession: (session, text) => namedIn(session).some((id) => inTextOf(id, text)),
      isInMessagesOf: (session) => namedIn(session).some((id) => this.#newFor.has(id)),
      isForgotten: (messageId, key) => isEntityForgotten(tombstonesOf(messageId), messageId, key),
    };
  }
}

/** Returns what remains of a fact without the forgotten names, and without messages that are not here. */
function factLeft(fact: FactRow, names: ForgottenNames, here?: ReadonlySet<string>): FactRow | undefined {
  const left = factWithoutMessages(fact, gone(fact.messageIds, keysOf(fact), names, here));
  return left && factWithoutNames(left, names);
}

/** Returns the keys by which a fact may have been forgotten: another device has the same under another id. */
function keysOf({ subjectKey, predicate, objectKey, source }: FactRow): string[] {
  return [
    subjectKey,
    objectKey,
    ...(source === 'user' ? [] : [statementKey(subjectKey, predicate, objectKey)]),
  ];
}

/** Does the same for an entity. */
function entityLeft(entity: EntityRow, names: ForgottenNames, here?: ReadonlySet<string>): EntityRow {
  const left = entityWithoutMessages(entity, gone(entity.messageIds, [entity.key], names, here));
  return entityWithoutNames(left, names);
}

/** Returns the messages that are not here, or in which one of the entities was forgotten. */
function gone(
  messageIds: readonly string[],
  entityKeys: readonly string[],
  names: ForgottenNames,
  here: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const isGone = (id: string): boolean =>
    here?.has(id) === false || entityKeys.some((key) => names.isForgotten(id, key));
  return new Set(messageIds.filter(isGone));
}

/** Returns the id of the message that a tombstone of an entity begins with. */
function messageOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

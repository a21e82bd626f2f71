import { isEntityForgotten, namesForgotten } from '../storage/entity-tombstone.ts';
import {
  entityWithoutNames,
  factWithoutNames,
  type ForgottenNames,
  type NamesInRow,
} from '../storage/forgetting/plan-without-names.ts';
import { groupedBy, entityTombstoneRange, tombstonesOf } from '../storage/rows.ts';
import { planForgetting } from '../storage/forgetting/knowledge-erasure.ts';
import type { Plan } from '../storage/plan.ts';
import { entityWithoutMessages, factWithoutMessages } from '../storage/facts-and-entities.ts';
import type { DocumentRecord, EntityRow, FactRow, RecordRow, SessionKey } from '../storage/schema.ts';
import type { Transaction, WriteTransaction } from '../storage/storage-engine.ts';
import { documentTombstone } from '../storage/document-tombstone.ts';
import { planWithoutTexts } from '../storage/stores/documents.ts';
import { planWithoutRecords } from '../storage/record-store.ts';
import { readPages, readRows } from './read-in-pages.ts';

/** Message id for data that was entered by hand and therefore has no message. */
const BY_HAND = '';

/** Tombstones of entities, in the database and in the file. Data that they name is not imported. */
export class ImportedTombstones {
  /** True to import data of the file that was forgotten here. */
  readonly isRestoring: boolean;
  /** Ids of messages for which the file has brought new tombstones. */
  readonly newFor: Set<string> = new Set();
  /** Tombstones of the file, by message id. */
  readonly ofFile: Map<string, string[]> = new Map();
  readonly #transaction: WriteTransaction;
  readonly #scope: string | undefined;
  readonly #ofDatabase = new Map<string, string[]>();
  #forgottenNames: Promise<ForgottenNames> | undefined;

  /** @param scope the only scope that is imported into, or undefined for all scopes of the file */
  constructor(transaction: WriteTransaction, isRestoring: boolean, scope: string | undefined) {
    this.#transaction = transaction;
    this.isRestoring = isRestoring;
    this.#scope = scope;
  }

  /** Returns whether they concern the rows of a scope. Other scopes keep what the scope of the file has forgotten. */
  concern(scope: string): boolean {
    return this.#scope === undefined || scope === this.#scope;
  }

  /** Adds a tombstone of the file that begins with a message id. */
  add(key: string): void {
    const messageId = messageOf(key);
    const known = this.ofFile.get(messageId);
    if (known) known.push(key);
    else this.ofFile.set(messageId, [key]);
  }

  /** Returns the forgotten names of the file and the database. Call it when all messages of the file are stored. */
  names(): Promise<ForgottenNames> {
    this.#forgottenNames ??= this.#readNames();
    return this.#forgottenNames;
  }

  async isForgotten(messageId: string, entityKeys: readonly string[]): Promise<boolean> {
    const all = await this.#tombstones(messageId);
    return all.length > 0 && entityKeys.some((key) => isEntityForgotten(all, messageId, key));
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

  async #removeTombstones(messageId: string, isMeant: (tombstone: string) => boolean): Promise<boolean> {
    const store = this.#transaction.objectStore('tombstones');
    const ofFile = new Set(this.ofFile.get(messageId));
    const keys = await store.getAllKeys(entityTombstoneRange(messageId));
    const gone = keys.filter((key) => !ofFile.has(key) && isMeant(key));
    await Promise.all(gone.map((key) => store.delete(key)));
    this.#ofDatabase.delete(messageId);
    this.#forgottenNames = undefined;
    return gone.length > 0;
  }

  /** Returns all tombstones that begin with a message id, in the file and in the database. */
  async #tombstones(messageId: string): Promise<string[]> {
    let known = this.#ofDatabase.get(messageId);
    if (!known) {
      known = await tombstonesOf(this.#transaction, [messageId]);
      this.#ofDatabase.set(messageId, known);
    }
    return [...known, ...(this.ofFile.get(messageId) ?? [])];
  }

  /** Returns the tests for names in data that was derived from these messages or entered by hand. */
  async #namesIn(messageIds: readonly string[]): Promise<NamesInRow> {
    const tombstones = (await Promise.all([BY_HAND, ...messageIds].map((id) => this.#tombstones(id)))).flat();
    return {
      inTextOf: (messageId, text) => namesForgotten(text, messageId, tombstones),
      isForgotten: (messageId, key) => isEntityForgotten(tombstones, messageId, key),
    };
  }

  /**
   * Returns what remains of a fact.
   *
   * @param isHere whether a message is stored, with the content that the fact was read from
   */
  async factLeft(fact: FactRow, isHere: (messageId: string) => boolean): Promise<FactRow | undefined> {
    const gone = await this.#gone(fact, [fact.subjectKey, fact.objectKey], isHere);
    const left = factWithoutMessages(fact, gone);
    return left && factWithoutNames(left, await this.#namesIn(left.messageIds));
  }

  async entityLeft(entity: EntityRow, isHere: (messageId: string) => boolean): Promise<EntityRow> {
    const left = entityWithoutMessages(entity, await this.#gone(entity, [entity.key], isHere));
    return entityWithoutNames(left, await this.#namesIn(left.messageIds));
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

  /** Reads which names were forgotten in which messages, and in data that was entered by hand. */
  async #readNames(): Promise<ForgottenNames> {
    const tombstones = [...this.ofFile.values()].flat();
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
      isInMessagesOf: (session) => namedIn(session).some((id) => this.newFor.has(id)),
      isForgotten: (messageId, key) => isEntityForgotten(byMessage.get(messageId) ?? [], messageId, key),
    };
  }
}

/** Plans the removal of records, texts of retrievers and facts that have tombstones of their own. */
export async function planForgottenRows(
  transaction: Transaction,
  isForgotten: (tombstone: string, scope: string) => boolean,
): Promise<Plan[]> {
  const records: RecordRow[] = [];
  const documents: DocumentRecord[] = [];
  const facts: FactRow[] = [];
  for await (const row of readRows(transaction, 'records'))
    if (isForgotten(row.id, row.scope)) records.push(row);
  for await (const row of readRows(transaction, 'documents'))
    if (isForgotten(documentTombstone(row), row.scope)) documents.push(row);
  for await (const row of readRows(transaction, 'triples'))
    if (isForgotten(row.id, row.scope)) facts.push(row);
  const whole = { fact: () => undefined, entity: <Row>(entity: Row) => entity };
  return [
    planWithoutRecords(records),
    planWithoutTexts(documents),
    ...(await planForgetting(transaction, facts, [], whole)),
  ];
}

/** Returns the id of the message that a tombstone of an entity begins with. */
function messageOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

import type { BackupRows } from '../storage/codec/backup-rows.ts';
import { startingWith } from '../storage/key-range.ts';
import type { WriteTransaction } from '../storage/storage-engine.ts';
import { applyPlans } from '../storage/plan.ts';
import { erase } from '../storage/forgetting/erase.ts';
import { openingMessage } from '../storage/stores/sessions.ts';
import { erasureOf } from '../storage/erasure.ts';
import { loadTurn } from '../storage/transcript/read-session.ts';
import { planReplaced } from '../storage/transcript/replace-turn.ts';
import type { MessageRecord, SessionKey, SessionRecord } from '../storage/schema.ts';
import { planForgottenRows, type ImportedTombstones } from './imported-tombstones.ts';
import type { ImportReceipt } from '../storage/receipts.ts';
import { readPages } from './read-in-pages.ts';
import { SessionMerge } from './session-merge.ts';

/** Merges tombstones, sessions and messages of a file into the database. */
export class TranscriptMerge {
  readonly #transaction: WriteTransaction;
  readonly #receipt: ImportReceipt;
  readonly #forgotten: ImportedTombstones;
  /** By scope and id, as JSON. */
  readonly #sessions = new Map<string, SessionMerge>();
  readonly #loaded = new Set<SessionMerge>();
  readonly #here = new Set<string>();
  readonly #newTurns = new Set<string>();
  readonly #newTombstones = new Set<string>();
  /** Messages here that the file marks as forgotten. */
  readonly #erased: MessageRecord[] = [];

  constructor(transaction: WriteTransaction, receipt: ImportReceipt, forgotten: ImportedTombstones) {
    this.#transaction = transaction;
    this.#receipt = receipt;
    this.#forgotten = forgotten;
  }

  session(scope: string, id: string): SessionMerge | undefined {
    return this.#sessions.get(JSON.stringify([scope, id]));
  }

  /** Returns whether a message of the file is in the database with the same content. */
  readonly isHere = (messageId: string): boolean => this.#here.has(messageId);

  /** Returns whether the file has brought any message of a turn. */
  isNewTurn(scope: string, turnId: string): boolean {
    return this.#newTurns.has(JSON.stringify([scope, turnId]));
  }

  /** Stores a tombstone. Returns whether anything was written. */
  async putTombstone({ key }: BackupRows['tombstones']): Promise<boolean> {
    if (key.includes('/')) {
      this.#forgotten.add(key); // stored only if its message is here after the import
      return false;
    }
    const tombstones = this.#transaction.objectStore('tombstones');
    const [known, message] = await Promise.all([
      tombstones.getKey(key),
      this.#transaction.objectStore('messages').index('id').get(key),
    ]);
    if (message && !this.#forgotten.concern(message.scope)) return false;
    if (message) this.#erased.push(message);
    if (known === undefined) {
      this.#newTombstones.add(key);
      await tombstones.put(true, key);
    }
    return known === undefined || message !== undefined;
  }

  /** Erases what the file marks as forgotten. Call it when all tombstones of the file are stored. */
  async eraseForgotten(): Promise<void> {
    if (this.#newTombstones.size > 0)
      await applyPlans(
        this.#transaction,
        await planForgottenRows(
          this.#transaction,
          (tombstone, scope) => this.#newTombstones.has(tombstone) && this.#forgotten.concern(scope),
        ),
      );
    if (this.#erased.length > 0) await erase(this.#transaction, erasureOf(this.#erased));
    this.#receipt.forgotten = this.#erased.length;
  }

  /** Merges a session. */
  async putSession(row: BackupRows['sessions']): Promise<void> {
    const present = await this.#transaction.objectStore('sessions').get([row.scope, row.id]);
    this.#sessions.set(JSON.stringify([row.scope, row.id]), new SessionMerge(row, present));
  }

  /** Merges messages. Returns whether anything was written. @throws MnemoraError `turn-conflict` */
  async putMessages(rows: readonly BackupRows['messages'][]): Promise<boolean> {
    const messages = this.#transaction.objectStore('messages');
    const tombstones = this.#transaction.objectStore('tombstones');
    const areBroughtBack = this.#forgotten.isRestoring && (await this.#bringBack(rows));
    const found = await Promise.all(
      rows.map((row) =>
        Promise.all([
          tombstones.getKey(row.id),
          messages.index('id').getKey(row.id),
          messages.index('turnId').getKey([row.scope, row.turnId]),
        ]),
      ),
    );
    const puts: MessageRecord[] = [];
    for (const [index, row] of rows.entries()) {
      const [tombstone, owner, turn] = found[index] ?? [];
      const session = this.session(row.scope, row.sessionId);
      if (!session) continue;
      await this.#load(session);
      const isElsewhere = owner && !(owner[0] === row.scope && owner[1] === row.sessionId);
      if (tombstone !== undefined || isElsewhere) {
        session.withhold(row);
        this.#receipt.skipped += 1;
        if (tombstone !== undefined) this.#receipt.stillForgotten = (this.#receipt.stillForgotten ?? 0) + 1;
        continue;
      }
      const { put, isNew, isHere } = session.add(row, turn?.[1]);
      if (isHere) this.#here.add(row.id);
      if (isNew) this.#newTurns.add(JSON.stringify([row.scope, row.turnId]));
      this.#receipt[isNew ? 'messages' : 'skipped'] += 1;
      if (put) puts.push(put);
    }
    await Promise.all(puts.map((row) => messages.put(row)));
    return puts.length > 0 || areBroughtBack;
  }

  /** Removes the tombstones of messages and of entities in them. Returns whether there were any. */
  async #bringBack(rows: readonly BackupRows['messages'][]): Promise<boolean> {
    const tombstones = this.#transaction.objectStore('tombstones');
    let isChanged = false;
    for (const { id } of rows) {
      isChanged ||= (await tombstones.getKey(id)) !== undefined;
      await tombstones.delete(id);
      if (await this.#forgotten.bringBack(id)) isChanged = true;
    }
    return isChanged;
  }

  /** Writes the sessions. Call it when all messages are stored. Returns whether anything was written. */
  async putSessions(): Promise<boolean> {
    const sessions = this.#transaction.objectStore('sessions');
    const messages = this.#transaction.objectStore('messages');
    let isChanged = false;
    for (const session of this.#sessions.values()) {
      await this.#load(session);
      const key: SessionKey = [session.row.scope, session.row.id];
      const row = session.isWithheld
        ? undefined
        : session.finish(
            await messages.count(startingWith(...key)),
            await openingMessage(this.#transaction, key),
          );
      if (row) await sessions.put(row);
      if (await this.#replaceTurns(session, row ?? session.present)) isChanged = true;
      isChanged ||= row !== undefined;
      this.#receipt[row && !session.present ? 'sessions' : 'skipped'] += 1;
    }
    return isChanged;
  }

  /** Replaces turns here that are replaced in the file. Returns whether there were any. */
  async #replaceTurns({ replaced }: SessionMerge, session: SessionRecord | undefined): Promise<boolean> {
    if (!session || replaced.size === 0) return false;
    const key: SessionKey = [session.scope, session.id];
    const turns = await Promise.all(
      Array.from(replaced, (turnId) => loadTurn(this.#transaction, session.scope, turnId)),
    );
    const old = turns.flat().filter((row) => row.sessionId === session.id && row.state === 'complete');
    const opening = await openingMessage(this.#transaction, key, (message) => replaced.has(message.turnId));
    const plans = await planReplaced(this.#transaction, old, session, opening ? [opening] : []);
    await applyPlans(this.#transaction, plans);
    return old.length > 0;
  }

  async #load(session: SessionMerge): Promise<void> {
    if (this.#loaded.has(session)) return;
    this.#loaded.add(session);
    if (!session.present) return;
    const range = startingWith(session.row.scope, session.row.id);
    for await (const { rows } of readPages(this.#transaction, 'messages', range)) session.load(rows);
  }
}

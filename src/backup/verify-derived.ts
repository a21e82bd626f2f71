import { checkOptionNames } from '../model/check-options.ts';
import { isSearchable } from '../model/message.ts';
import { isConversationSegment, propertiesAt } from '../search/conversation-segment.ts';
import { readMissed } from '../storage/change-log.ts';
import { describeLoss } from '../storage/data-loss.ts';
import { BackupContents } from '../storage/codec/backup-contents.ts';
import type { RecordOf } from '../storage/codec/backup-rows.ts';
import { startingWith } from '../storage/key-range.ts';
import { readPages } from '../storage/codec/read-in-pages.ts';
import { countName } from '../storage/receipts.ts';
import { groupedBy } from '../storage/rows.ts';
import {
  type Change,
  type MessageRecord,
  type Schema,
  type SessionRecord,
  type StoreName,
  STORE_NAMES,
  STORES,
  type StoreShape,
  type VectorBlockRecord,
} from '../storage/schema.ts';
import { persistedCursor, readParts } from '../storage/search-rows.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import { rulesOf } from '../storage/store-rules.ts';

export interface VerifyProblem {
  /** Name of the object store. */
  store: string;
  /** Key of the record as text; a key of several parts as JSON. */
  key: string;
  /** Description of what is wrong. */
  problem: string;
}

/** Number of records checked, and the problems found. */
export interface VerifyReport {
  ok: boolean;
  problems: VerifyProblem[];
  counts: {
    sessions: number;
    messages: number;
    summaries: number;
    facts: number;
    entities: number;
    vectors: number;
    jobs: number;
  };
}

/**
 * Checks everything derived in a scope against its transcript, and the counters of its sessions. Reads one consistent
 * state and repairs nothing. A loss of the database that was not acknowledged is a problem too.
 *
 * @throws MnemoraError the `storage-…` codes
 */
export async function verifyDerived(
  engine: StorageEngine,
  scope: string,
  options: { signal?: AbortSignal } = {},
): Promise<VerifyReport> {
  checkOptionNames('backup.verify', options, ['signal']);
  const report = await engine.read(
    STORE_NAMES,
    (transaction) => new Verification(transaction, scope).run(),
    options.signal,
  );
  const loss = await engine.losses?.last();
  if (!loss) return report;
  const problem = { store: 'changes', key: '', problem: describeLoss(engine.name, loss) };
  return { ...report, ok: false, problems: [problem, ...report.problems] };
}

/** A message as the saved keyword index should contain it. */
interface IndexedMessage extends Pick<MessageRecord, 'sessionId' | 'seq' | 'turn' | 'turnId' | 'createdAt'> {
  readonly isSearchable: boolean;
}

/** Walks the table of stores, and checks the rows of one scope. */
class Verification {
  readonly #transaction: Transaction;
  readonly #scope: string;
  readonly #contents: BackupContents;
  readonly #report: VerifyReport = {
    ok: true,
    problems: [],
    counts: { sessions: 0, messages: 0, summaries: 0, facts: 0, entities: 0, vectors: 0, jobs: 0 },
  };
  readonly #sessions: SessionRecord[] = [];
  readonly #messages = new Map<string, IndexedMessage>();

  constructor(transaction: Transaction, scope: string) {
    this.#transaction = transaction;
    this.#scope = scope;
    this.#contents = new BackupContents(scope);
  }

  async run(): Promise<VerifyReport> {
    const entities = this.#transaction.objectStore('entities');
    for (const key of await entities.getAllKeys(startingWith(this.#scope))) this.#contents.addEntity(...key);
    for await (const { keys } of readPages(this.#transaction, 'tombstones'))
      for (const key of keys) this.#contents.tombstones.add(key);
    for (const name of STORE_NAMES) await this.#checkStore(name);
    this.#checkCounters();
    await this.#checkPostings();
    return this.#report;
  }

  async #checkStore(name: StoreName): Promise<void> {
    const { refersTo, problems } = rulesOf(name);
    if (!refersTo && !problems) return;
    const { keyPath = '' }: StoreShape = STORES[name];
    const range = keyPath[0] === 'scope' ? startingWith(this.#scope) : undefined;
    for await (const { rows, keys } of readPages(this.#transaction, name, range)) {
      for (const [at, stored] of rows.entries()) {
        const row = stored as RecordOf<StoreName> & { readonly scope: string };
        if (row.scope !== this.#scope) continue;
        const key = typeof keys[at] === 'object' ? JSON.stringify(keys[at]) : String(keys[at]);
        this.#register(name, stored);
        this.#checkReferences(name, key, row);
        for await (const problem of problems?.(stored, this.#contents, this.#transaction) ?? [])
          this.#add(name, key, problem);
      }
    }
  }

  /** Counts a row, and keeps what others are checked against. */
  #register(name: StoreName, row: Schema[StoreName]['value']): void {
    const { counts } = this.#report;
    const counted = countName(name);
    if (counted in counts)
      counts[counted as keyof typeof counts] +=
        name === 'vectors' ? (row as VectorBlockRecord).ids.length : 1;
    if (name === 'sessions') {
      this.#sessions.push(row as SessionRecord);
      this.#contents.addSession(row as SessionRecord);
    }
    if (name !== 'messages') return;
    const message = row as MessageRecord;
    const { id, sessionId, seq, turn, turnId, createdAt } = message;
    this.#messages.set(id, { sessionId, seq, turn, turnId, createdAt, isSearchable: isSearchable(message) });
    this.#contents.addMessage(message);
  }

  #checkReferences(
    name: StoreName,
    key: string,
    row: RecordOf<StoreName> & { readonly scope: string },
  ): void {
    const { sessionId, messageIds = [] } = rulesOf(name).refersTo?.(row) ?? {};
    if (sessionId !== undefined && !this.#contents.session(this.#scope, sessionId))
      this.#add(name, key, 'its session is not there');
    for (const id of this.#contents.missing(this.#scope, messageIds))
      this.#add(name, key, `its message "${id}" is not there`);
    if (!('messageIds' in row)) return;
    const sources = new Set(messageIds);
    const indexed = row.messageIds;
    if (sources.size !== indexed.length || indexed.some((id) => !sources.has(id)))
      this.#add(name, key, 'its messageIds differ from those of its sources');
  }

  #checkCounters(): void {
    const bySession = groupedBy([...this.#messages.values()], ({ sessionId }) => sessionId);
    for (const { id, messageCount, nextSeq, nextTurn } of this.#sessions) {
      const messages = bySession.get(id) ?? [];
      const seq = messages.reduce((most, message) => Math.max(most, message.seq), -1);
      const turn = messages.reduce((most, message) => Math.max(most, message.turn), -1);
      const add = (problem: string): void =>
        this.#add('sessions', JSON.stringify([this.#scope, id]), problem);
      if (messageCount !== messages.length)
        add(`messageCount is ${messageCount}, but there are ${messages.length}`);
      if (nextSeq <= seq) add(`nextSeq is ${nextSeq}, but the message ${seq} is there`);
      if (nextTurn <= turn) add(`nextTurn is ${nextTurn}, but the turn ${turn} is there`);
    }
  }

  /**
   * Checks the saved keyword index against all messages. A message in no segment would not be found after the next
   * start, and a message that no longer exists would be. The words of a segment are covered by its checksum.
   */
  async #checkPostings(): Promise<void> {
    const parts = await readParts(this.#transaction, this.#scope);
    const newest = parts.at(-1);
    if (!newest) return;
    const saved = new Set<string>();
    const add = (part: number, problem: string): void =>
      this.#add('postings', JSON.stringify([this.#scope, part]), problem);
    for (const { part, segment } of parts) {
      if (!isConversationSegment(segment)) return add(part, 'it cannot be read, and will be rebuilt');
      for (const [row, id] of segment.ids.entries()) {
        saved.add(id);
        const message = this.#messages.get(id);
        const { sessionId, order, turnId, createdAt } = propertiesAt(segment, row).metadata;
        if (!message) add(part, `the message "${id}" is not there`);
        else if (
          message.sessionId !== sessionId ||
          message.seq !== order ||
          message.turnId !== turnId ||
          message.createdAt !== createdAt
        )
          add(part, `the message "${id}" is indexed with another position or time`);
      }
    }
    const { missed } = await readMissed(this.#transaction, persistedCursor(newest));
    if (!missed) return; // the index will be rebuilt, because the changes since its cursor are gone
    for (const [id, message] of this.#messages) {
      if (message.isSearchable && !saved.has(id) && !missed.some((change) => this.#isAbout(change, message)))
        add(newest.part, `the message "${id}" is in no index segment`);
    }
  }

  #isAbout(change: Change, { sessionId, seq }: IndexedMessage): boolean {
    if (change.kind !== 'turn' || change.scope !== this.#scope || change.sessionId !== sessionId)
      return false;
    return change.fromSeq <= seq && seq <= change.toSeq;
  }

  #add(store: StoreName, key: string, problem: string): void {
    this.#report.ok = false;
    this.#report.problems.push({ store, key, problem });
  }
}

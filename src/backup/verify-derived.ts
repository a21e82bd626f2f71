import { foldName } from '../language/fold.ts';
import { checkOptionNames } from '../model/check-options.ts';
import { isSearchable, messageText } from '../model/message.ts';
import { isConversationSegment, metadataAt } from '../search/conversation-segment.ts';
import { readMissed } from '../storage/change-log.ts';
import type { StoreRules } from '../storage/codec/backup-rows.ts';
import { isFiniteVector } from '../storage/codec/plain-value.ts';
import { describeLoss } from '../storage/data-loss.ts';
import { startingWith } from '../storage/key-range.ts';
import {
  STORE_NAMES,
  STORES,
  type Change,
  type FactRow,
  type MessageRecord,
  type Schema,
  type SessionRecord,
  type StoreName,
  type StoreShape,
} from '../storage/schema.ts';
import { persistedCursor, readParts } from '../storage/search-rows.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import { STORE_RULES } from '../storage/store-rules.ts';
import { readPages, readRows } from './read-in-pages.ts';
import { dimensionsOf, vectorAt } from './vectors.ts';

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
    [...STORE_NAMES],
    (transaction) => new Verification(transaction, scope).run(),
    options.signal,
  );
  const loss = await engine.losses?.last();
  if (!loss) return report;
  const problem = { store: 'changes', key: '', problem: describeLoss(engine.name, loss) };
  return { ...report, ok: false, problems: [problem, ...report.problems] };
}

/** A message as the saved keyword index should contain it. */
interface IndexedMessage extends Pick<MessageRecord, 'sessionId' | 'seq' | 'turnId' | 'createdAt'> {
  readonly isSearchable: boolean;
}

class Verification {
  readonly #transaction: Transaction;
  readonly #scope: string;
  readonly #report: VerifyReport = {
    ok: true,
    problems: [],
    counts: { sessions: 0, messages: 0, summaries: 0, facts: 0, entities: 0, vectors: 0, jobs: 0 },
  };
  readonly #sessions = new Map<string, SessionRecord>();
  readonly #messages = new Map<string, IndexedMessage>();
  readonly #turns = new Map<string, string>();

  constructor(transaction: Transaction, scope: string) {
    this.#transaction = transaction;
    this.#scope = scope;
  }

  async run(): Promise<VerifyReport> {
    for await (const row of this.#rows('sessions', 'sessions', startingWith(this.#scope)))
      this.#sessions.set(row.id, row);
    await this.#checkMessages();
    await this.#checkSummaries();
    await this.#checkFacts(await this.#checkEntities());
    await this.#checkVectors();
    await this.#checkPostings();
    await this.#checkJobs();
    for (const name of STORE_NAMES) await this.#checkReferences(name);
    return this.#report;
  }

  /** Yields the rows of a store that belong to the scope, and counts them. */
  async *#rows<Name extends 'sessions' | 'summaries' | 'entities' | 'triples' | 'jobs'>(
    name: Name,
    counted: keyof VerifyReport['counts'],
    range?: IDBKeyRange,
  ): AsyncGenerator<Schema[Name]['value'], void> {
    for await (const row of readRows(this.#transaction, name, range)) {
      if (row.scope !== this.#scope) continue;
      this.#report.counts[counted] += 1;
      yield row;
    }
  }

  async #checkMessages(): Promise<void> {
    const tombstones = this.#transaction.objectStore('tombstones');
    const tallies = new Map<string, { count: number; seq: number; turn: number }>();
    for await (const { rows } of readPages(this.#transaction, 'messages', startingWith(this.#scope))) {
      const forgotten = await Promise.all(rows.map((row) => tombstones.getKey(row.id)));
      for (const [index, row] of rows.entries()) {
        const { count, seq, turn } = tallies.get(row.sessionId) ?? EMPTY_TALLY;
        const tally = { count: count + 1, seq: Math.max(seq, row.seq), turn: Math.max(turn, row.turn) };
        tallies.set(row.sessionId, tally);
        this.#checkMessage(row, forgotten[index] !== undefined);
      }
      this.#report.counts.messages += rows.length;
    }
    for (const [id, { messageCount, nextSeq, nextTurn }] of this.#sessions) {
      const { count, seq, turn } = tallies.get(id) ?? EMPTY_TALLY;
      const add = (problem: string): void =>
        this.#add('sessions', JSON.stringify([this.#scope, id]), problem);
      if (messageCount !== count) add(`messageCount is ${messageCount}, but there are ${count}`);
      if (nextSeq <= seq) add(`nextSeq is ${nextSeq}, but the message ${seq} is there`);
      if (nextTurn <= turn) add(`nextTurn is ${nextTurn}, but the turn ${turn} is there`);
    }
  }

  #checkMessage(row: MessageRecord, isForgotten: boolean): void {
    const { sessionId, seq, turnId, createdAt } = row;
    const key = JSON.stringify([this.#scope, sessionId, seq]);
    this.#hasSession('messages', key, sessionId);
    if (isForgotten) this.#add('messages', key, 'it was forgotten, but is still stored');
    this.#messages.set(row.id, { sessionId, seq, turnId, createdAt, isSearchable: isSearchable(row) });
    this.#turns.set(turnId, sessionId);
  }

  async #checkSummaries(): Promise<void> {
    for await (const { sessionId, memoryId, coversSeq } of this.#rows(
      'summaries',
      'summaries',
      startingWith(this.#scope),
    )) {
      const key = JSON.stringify([this.#scope, sessionId, memoryId]);
      const nextSeq = this.#sessions.get(sessionId)?.nextSeq ?? 0;
      if (this.#hasSession('summaries', key, sessionId) && coversSeq >= nextSeq)
        this.#add('summaries', key, `it covers ${coversSeq}, but nextSeq is ${nextSeq}`);
    }
  }

  async #checkEntities(): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for await (const row of this.#rows('entities', 'entities', startingWith(this.#scope))) {
      keys.add(row.key);
      const told = new Set(row.mentions.flatMap((mention) => mention.messageIds));
      this.#checkSources('entities', row.key, told, row.messageIds);
    }
    return keys;
  }

  async #checkFacts(entityKeys: ReadonlySet<string>): Promise<void> {
    for await (const row of this.#rows('triples', 'facts')) {
      const told = new Set(row.sources.map((source) => source.messageId));
      this.#checkSources('triples', row.id, told, row.messageIds);
      for (const end of ['subjectKey', 'objectKey'] as const) {
        if (!entityKeys.has(row[end])) this.#add('triples', row.id, `the entity of its ${end} is not there`);
      }
      await this.#checkQuotes(row);
    }
  }

  async #checkQuotes(row: FactRow): Promise<void> {
    const messages = this.#transaction.objectStore('messages').index('id');
    for (const { messageId, quote } of row.sources) {
      const message = quote === undefined ? undefined : await messages.get(messageId);
      if (message && !foldName(messageText(message)).includes(foldName(quote ?? '')))
        this.#add('triples', row.id, `its quote is not in the message "${messageId}"`);
    }
  }

  #checkSources(store: StoreName, key: string, told: ReadonlySet<string>, indexed: readonly string[]): void {
    this.#requireMessages(store, key, told);
    if (told.size !== indexed.length || indexed.some((id) => !told.has(id)))
      this.#add(store, key, 'its messageIds differ from those of its sources');
  }

  async #checkVectors(): Promise<void> {
    const store = this.#transaction.objectStore('vectors');
    const dimensions = new Map<string, number>();
    for (const key of await store.getAllKeys()) {
      const block = key[1] === this.#scope ? await store.get(key) : undefined;
      if (!block) continue;
      const add = (problem: string): void => this.#add('vectors', JSON.stringify(key), problem);
      const length = dimensionsOf(block);
      const expected = dimensions.get(block.embedder) ?? length;
      dimensions.set(block.embedder, expected);
      if (!Number.isInteger(length) || length !== expected) add('its vectors have different lengths');
      else {
        const bad = block.ids.find((_id, row) => !isFiniteVector(vectorAt(block, row)));
        if (bad !== undefined) add(`the vector of "${bad}" contains NaN or Infinity`);
      }
      for (const id of block.ids) if (!this.#messages.has(id)) add(`the message "${id}" is not there`);
      this.#report.counts.vectors += block.ids.length;
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
      for (const [row, id] of segment.keywords.ids.entries()) {
        saved.add(id);
        const message = this.#messages.get(id);
        const { sessionId, order, turnId, createdAt } = metadataAt(segment.places, row);
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

  async #checkJobs(): Promise<void> {
    for await (const { id, sessionId, turnIds } of this.#rows('jobs', 'jobs')) {
      if (sessionId) this.#hasSession('jobs', String(id), sessionId);
      for (const turnId of turnIds) {
        if (this.#turns.get(turnId) !== sessionId)
          this.#add('jobs', String(id), `its turn "${turnId}" is not there`);
      }
    }
  }

  /** Checks the dependencies of rows that the table of stores declares. */
  async #checkReferences(name: StoreName): Promise<void> {
    const refersTo = STORE_RULES[name].refersTo as StoreRules<StoreName>['refersTo'];
    if (!refersTo) return;
    for await (const row of readRows(this.#transaction, name)) {
      const { scope, sessionId, messageIds = [] } = refersTo(row);
      if (scope !== this.#scope) continue;
      const key = keyText(row, STORES[name]);
      if (sessionId !== undefined) this.#hasSession(name, key, sessionId);
      this.#requireMessages(name, key, messageIds);
    }
  }

  /** Returns whether a session is there; if not, that is a problem of the row. */
  #hasSession(store: StoreName, key: string, sessionId: string): boolean {
    const isThere = this.#sessions.has(sessionId);
    if (!isThere) this.#add(store, key, 'its session is not there');
    return isThere;
  }

  #requireMessages(store: StoreName, key: string, ids: Iterable<string>): void {
    for (const id of ids)
      if (!this.#messages.has(id)) this.#add(store, key, `its message "${id}" is not there`);
  }

  #add(store: StoreName, key: string, problem: string): void {
    this.#report.ok = false;
    this.#report.problems.push({ store, key, problem });
  }
}

/** Tally of a session without messages. */
const EMPTY_TALLY = { count: 0, seq: -1, turn: -1 };

/** Returns the key of a row as text. */
function keyText(row: unknown, { keyPath = [] }: StoreShape): string {
  const fields = row as Readonly<Record<string, unknown>>;
  if (typeof keyPath === 'string') return String(fields[keyPath]);
  return JSON.stringify(keyPath.map((name) => fields[name]));
}

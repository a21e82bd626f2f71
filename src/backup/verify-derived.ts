import { startingWith } from '../storage/key-range.ts';
import { checkOptionNames } from '../model/check-options.ts';
import { messageText } from '../model/message.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import {
  type FactRow,
  type MessageRecord,
  type SessionRecord,
  type StoreName,
  STORE_NAMES,
  STORES,
  type StoreShape,
} from '../storage/schema.ts';
import { readPages } from './read-in-pages.ts';
import { dimensionsOf, vectorAt } from './vector-pages.ts';
import { STORE_RULES } from '../storage/store-rules.ts';
import type { StoreRules } from '../storage/codec/backup-rows.ts';
import { isFiniteVector } from '../storage/codec/plain-value.ts';
import { checkPostings, toIndexedMessage, type IndexedMessage } from './verify-postings.ts';

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
 * state and repairs nothing.
 *
 * @throws MnemoraError the `storage-…` codes
 */
export async function verifyDerived(
  engine: StorageEngine,
  scope: string,
  options: { signal?: AbortSignal } = {},
): Promise<VerifyReport> {
  checkOptionNames('verify', options, ['signal']);
  return engine.read(
    [...STORE_NAMES],
    (transaction) => new Verification(transaction, scope).run(),
    options.signal,
  );
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
    for await (const rows of readPages(this.#transaction, 'sessions')) {
      for (const row of rows) if (row.scope === this.#scope) this.#sessions.set(row.id, row);
    }
    await this.#checkMessages();
    await this.#checkSummaries();
    const entityKeys = await this.#checkEntities();
    await this.#checkFacts(entityKeys);
    await this.#checkVectors();
    await checkPostings(this.#transaction, this.#scope, this.#messages, (key, problem) =>
      this.#add('postings', key, problem),
    );
    await this.#checkJobs();
    for (const name of STORE_NAMES) await this.#checkReferences(name);
    return this.#report;
  }

  async #checkMessages(): Promise<void> {
    const tombstones = this.#transaction.objectStore('tombstones');
    const tallies = new Map<string, { count: number; seq: number; turn: number }>();
    for await (const page of readPages(this.#transaction, 'messages')) {
      const rows = page.filter((row) => row.scope === this.#scope || this.#sessions.has(row.sessionId));
      const forgotten = await Promise.all(rows.map((row) => tombstones.getKey(row.id)));
      for (const [index, row] of rows.entries()) {
        const tally = tallies.get(row.sessionId) ?? { count: 0, seq: -1, turn: -1 };
        tally.count += 1;
        tally.seq = Math.max(tally.seq, row.seq);
        tally.turn = Math.max(tally.turn, row.turn);
        tallies.set(row.sessionId, tally);
        this.#checkMessage(row, forgotten[index] !== undefined);
      }
      this.#report.counts.messages += rows.length;
    }
    for (const [id, session] of this.#sessions) {
      const tally = tallies.get(id) ?? { count: 0, seq: -1, turn: -1 };
      const { messageCount, nextSeq, nextTurn } = session;
      const add = (problem: string): void => this.#add('sessions', id, problem);
      if (messageCount !== tally.count) add(`messageCount is ${messageCount}, but there are ${tally.count}`);
      if (nextSeq <= tally.seq) add(`nextSeq is ${nextSeq}, but the message ${tally.seq} is there`);
      if (nextTurn <= tally.turn) add(`nextTurn is ${nextTurn}, but the turn ${tally.turn} is there`);
      this.#report.counts.sessions += 1;
    }
  }

  #checkMessage(row: MessageRecord, isForgotten: boolean): void {
    const key = JSON.stringify([row.sessionId, row.seq]);
    const session = this.#sessions.get(row.sessionId);
    if (!session) this.#add('messages', key, 'its session is not there');
    else if (session.scope !== row.scope)
      this.#add('messages', key, 'its scope differs from the scope of its session');
    if (isForgotten) this.#add('messages', key, 'it was forgotten, but is still stored');
    this.#messages.set(row.id, toIndexedMessage(row));
    this.#turns.set(row.turnId, row.sessionId);
  }

  async #checkSummaries(): Promise<void> {
    for await (const rows of readPages(this.#transaction, 'summaries')) {
      for (const row of rows) {
        if (row.scope !== this.#scope) continue;
        this.#report.counts.summaries += 1;
        const key = JSON.stringify([row.sessionId, row.memoryId]);
        const session = this.#sessions.get(row.sessionId);
        if (!session) this.#add('summaries', key, 'its session is not there');
        else if (row.coversSeq >= session.nextSeq)
          this.#add('summaries', key, `it covers ${row.coversSeq}, but nextSeq is ${session.nextSeq}`);
      }
    }
  }

  async #checkEntities(): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    const ofScope = startingWith(this.#scope);
    for await (const rows of readPages(this.#transaction, 'entities', ofScope)) {
      for (const row of rows) {
        this.#report.counts.entities += 1;
        keys.add(row.key);
        const told = new Set(row.mentions.flatMap((mention) => mention.messageIds));
        this.#checkSources('entities', row.key, told, row.messageIds);
      }
    }
    return keys;
  }

  async #checkFacts(entityKeys: ReadonlySet<string>): Promise<void> {
    for await (const rows of readPages(this.#transaction, 'triples')) {
      for (const row of rows) {
        if (row.scope !== this.#scope) continue;
        this.#report.counts.facts += 1;
        const told = new Set(row.sources.map((source) => source.messageId));
        this.#checkSources('triples', row.id, told, row.messageIds);
        for (const end of ['subjectKey', 'objectKey'] as const) {
          if (!entityKeys.has(row[end]))
            this.#add('triples', row.id, `the entity of its ${end} is not there`);
        }
        await this.#checkQuotes(row);
      }
    }
  }

  async #checkQuotes(row: FactRow): Promise<void> {
    const messages = this.#transaction.objectStore('messages').index('id');
    for (const { messageId, quote } of row.sources) {
      if (quote === undefined) continue;
      const message = await messages.get(messageId);
      if (message && !plain(messageText(message)).includes(plain(quote)))
        this.#add('triples', row.id, `its quote is not in the message "${messageId}"`);
    }
  }

  #checkSources(store: StoreName, key: string, told: ReadonlySet<string>, indexed: readonly string[]): void {
    for (const id of told) {
      if (!this.#messages.has(id)) this.#add(store, key, `its message "${id}" is not there`);
    }
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

  /** Checks the dependencies of rows that the table of stores declares. */
  async #checkReferences(name: StoreName): Promise<void> {
    const refersTo = STORE_RULES[name].refersTo as StoreRules<StoreName>['refersTo'];
    if (!refersTo) return;
    for await (const rows of readPages(this.#transaction, name)) {
      for (const row of rows) {
        const { scope, sessionId, messageIds = [] } = refersTo(row);
        if (scope !== this.#scope) continue;
        const key = keyText(row, STORES[name]);
        if (sessionId !== undefined && !this.#sessions.has(sessionId))
          this.#add(name, key, 'its session is not there');
        for (const id of messageIds) {
          if (!this.#messages.has(id)) this.#add(name, key, `its message "${id}" is not there`);
        }
      }
    }
  }

  async #checkJobs(): Promise<void> {
    for await (const rows of readPages(this.#transaction, 'jobs')) {
      for (const row of rows) {
        if (row.scope !== this.#scope) continue;
        this.#report.counts.jobs += 1;
        if (!this.#sessions.has(row.sessionId)) this.#add('jobs', String(row.id), 'its session is not there');
        for (const turnId of row.turnIds) {
          if (this.#turns.get(turnId) !== row.sessionId)
            this.#add('jobs', String(row.id), `its turn "${turnId}" is not there`);
        }
      }
    }
  }

  #add(store: StoreName, key: string, problem: string): void {
    this.#report.ok = false;
    this.#report.problems.push({ store, key, problem });
  }
}

/** Returns the key of a row as text. */
function keyText(row: unknown, { keyPath = [] }: StoreShape): string {
  const fields = row as Readonly<Record<string, unknown>>;
  if (typeof keyPath === 'string') return String(fields[keyPath]);
  return JSON.stringify(keyPath.map((name) => fields[name]));
}

/** Normalizes a text for comparing quotes: case, width and spacing do not matter. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { StoredMessage } from '../model/message.ts';
import { jobSource, newSession, planAppend, type AppendInput } from './append-plan.ts';
import { readChangeSet, recordChange } from './change-log.ts';
import type { Connection, Transaction } from './connection.ts';
import { databaseSecret } from './database-secret.ts';
import { DERIVED_STORES } from './derived-erasure.ts';
import { eraseDocuments, eraseMessages, eraseSessionRows, makeRoom, selectMessages } from './erasure.ts';
import { enqueueJobs } from './job-rows.ts';
import { bySeq, listNewest, loadTurn, sessionRange } from './message-rows.ts';
import { readBack, type SessionPages } from './read-back.ts';
import type { MessageRecord, SessionRecord, StoreName } from './schema.ts';
import type {
  AppendReceipt,
  ChangeCursor,
  ChangeSet,
  EmbeddedMessage,
  ForgetReceipt,
  ErasureSelector,
  ListOptions,
  NewPart,
  SavedIndexParts,
  SavedSpan,
  SessionQuery,
  SessionSnapshot,
  TranscriptStore,
} from './transcript-store.ts';
import { reachOf, readParts, saveParts } from './postings-parts.ts';
import { appendRows, readRows, type BlockKey } from './vector-blocks.ts';

const APPEND_STORES: StoreName[] = ['sessions', 'messages', 'changes'];
const CHANGE_STORES: StoreName[] = ['sessions', 'messages', 'vectors', 'changes', 'meta'];
const ERASED_STORES: StoreName[] = [
  'sessions',
  'messages',
  'documents',
  'vectors',
  'postings',
  'changes',
  'tombstones',
  ...DERIVED_STORES,
];

/** The transcript in IndexedDB. Turns and erasures commit `strict`; what can be rebuilt, `relaxed`. */
export class IndexedDbTranscript implements TranscriptStore {
  readonly #connection: Connection;
  readonly #machineClock: Clock;
  #secret: Promise<string> | undefined;

  /** @param machineClock when jobs are due is told by it; the times of turns come with them */
  constructor(connection: Connection, machineClock: Clock = Date.now) {
    this.#connection = connection;
    this.#machineClock = machineClock;
  }

  append(input: AppendInput, signal?: AbortSignal): Promise<AppendReceipt> {
    return this.#connection.write(
      input.jobs?.length ? [...APPEND_STORES, 'jobs', 'meta'] : APPEND_STORES,
      'strict',
      async (transaction) => {
        const messages = transaction.objectStore('messages');
        const [session, newest, sameTurn] = await Promise.all([
          transaction.objectStore('sessions').get(input.sessionId),
          messages.openCursor(sessionRange(input.sessionId), 'prev'),
          input.turnId === undefined ? [] : messages.index('turnId').getAll(input.turnId),
        ]);
        const plan = planAppend(input, { session, last: newest?.value, sameTurn: sameTurn.toSorted(bySeq) });
        if (!plan.duplicate) {
          const seqs = plan.messages.map((row) => row.seq);
          await Promise.all([
            transaction.objectStore('sessions').put(plan.session),
            ...plan.messages.map(async (row) => messages.put(row)), // async: what cannot be cloned throws
            recordChange(transaction, {
              kind: 'turn',
              scope: plan.session.scope,
              sessionId: plan.session.id,
              fromSeq: Math.min(...seqs),
              toSeq: Math.max(...seqs),
            }),
          ]);
          const queued = jobSource(input, plan, this.#machineClock());
          if (queued) await enqueueJobs(transaction, input.jobs ?? [], queued);
        }
        return {
          turnId: plan.turn[0]?.turnId ?? '',
          messageIds: plan.turn.map((row) => row.id),
          sessionId: input.sessionId,
          duplicate: plan.duplicate,
        };
      },
      signal,
    );
  }

  listMessages(sessionId: string, options: ListOptions = {}): Promise<StoredMessage[]> {
    const { last = Infinity, beforeSeq = Infinity, afterSeq = -1, signal } = options;
    return this.#connection.read(
      ['messages'],
      (transaction) => listNewest(transaction, sessionId, { last, beforeSeq, afterSeq }),
      signal,
    );
  }

  loadTurns(turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]> {
    return this.#connection.read(
      ['messages'],
      async (transaction) => {
        const turns = await Promise.all(turnIds.map((turnId) => loadTurn(transaction, turnId)));
        return turns.filter((turn) => turn.length > 0);
      },
      signal,
    );
  }

  readSession(sessionId: string, { memoryId, reach, signal }: SessionQuery): Promise<SessionSnapshot> {
    return this.#connection.read(
      ['sessions', 'summaries', 'messages'],
      async (transaction) => {
        const [session, summary] = await Promise.all([
          transaction.objectStore('sessions').get(sessionId),
          transaction.objectStore('summaries').get([sessionId, memoryId]),
        ]);
        const back = reach(summary);
        const pages: SessionPages = {
          page: (afterSeq, beforeSeq, last) =>
            listNewest(transaction, sessionId, { afterSeq, beforeSeq, last }),
          turn: (turnId) => loadTurn(transaction, turnId),
        };
        const messages = back ? await readBack(pages, back) : [];
        return { session, summary, erasures: session?.erasures ?? 0, messages };
      },
      signal,
    );
  }

  secret(): Promise<string> {
    this.#secret ??= databaseSecret(this.#connection);
    this.#secret.catch(() => (this.#secret = undefined)); // the next call tries again
    return this.#secret;
  }

  session(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#connection.read(['sessions'], (transaction) =>
      transaction.objectStore('sessions').get(sessionId),
    );
  }

  async ensureSession(sessionId: string, scope: string, createdAt: number): Promise<SessionRecord> {
    const known = await this.session(sessionId);
    if (known) return known;
    return this.#connection.write(['sessions'], 'strict', async (transaction) => {
      const store = transaction.objectStore('sessions');
      const session = (await store.get(sessionId)) ?? newSession(sessionId, scope, createdAt);
      await store.put(session);
      return session;
    });
  }

  async listSessions(scope?: string): Promise<SessionRecord[]> {
    const sessions = await this.#connection.read(['sessions'], (transaction) => {
      const store = transaction.objectStore('sessions');
      return scope === undefined ? store.getAll() : store.index('scope').getAll(scope);
    });
    return sessions
      .filter((session) => session.messageCount > 0)
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  forget(selector: ErasureSelector, scope: string): Promise<ForgetReceipt> {
    return this.#erase(
      (transaction) => selectMessages(transaction, selector, scope),
      async (transaction) => ({
        sessions: await eraseSessionRows(transaction, selector, scope),
        documents: await eraseDocuments(transaction, selector, scope),
      }),
      'everything' in selector ? scope : undefined,
    );
  }

  clearSession(sessionId: string, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt> {
    return this.#erase(
      (transaction) => transaction.objectStore('messages').getAll(sessionRange(sessionId)),
      async (transaction) => {
        const store = transaction.objectStore('sessions');
        if (row === 'keep-row') return { sessions: 0, documents: 0 };
        const sessions = await store.count(sessionId);
        await store.delete(sessionId);
        return { sessions, documents: await eraseDocuments(transaction, { sessionId }) };
      },
    );
  }

  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#connection.write(['messages'], 'relaxed', async (transaction) => {
      const store = transaction.objectStore('messages');
      await Promise.all(
        [...counts].map(async ([id, count]) => {
          const row = await store.index('id').get(id);
          if (row) await store.put({ ...row, tokens: { ...row.tokens, [tokenizerId]: count } });
        }),
      );
    });
  }

  appendVectors(embedder: string, scope: string, entries: readonly EmbeddedMessage[]): Promise<void> {
    return this.#connection.write(['messages', 'vectors', 'changes'], 'relaxed', async (transaction) => {
      const index = transaction.objectStore('messages').index('id');
      const keys = await Promise.all(entries.map((entry) => index.getKey(entry.id)));
      const rows = entries.filter((_entry, position) => keys[position] !== undefined);
      for (const part of await appendRows(transaction, embedder, scope, rows)) {
        await recordChange(transaction, { kind: 'vectors', scope, embedder, ...part });
      }
    });
  }

  readChanges(
    scope: string,
    embedder: string | undefined,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
  ): Promise<ChangeSet> {
    return this.#connection.read(
      CHANGE_STORES,
      (transaction) => readChangeSet(transaction, scope, embedder, since),
      signal,
    );
  }

  readVectors(scope: string, embedder: string): Promise<EmbeddedMessage[]> {
    return this.#connection.read(['vectors'], (transaction) => readRows(transaction, embedder, scope));
  }

  async dropOtherVectors(scope: string, embedders: readonly string[]): Promise<void> {
    const isOther = ([embedder, keyScope]: BlockKey): boolean =>
      keyScope === scope && !embedders.includes(embedder);
    const keys = await this.#connection.read(['vectors'], (transaction) =>
      transaction.objectStore('vectors').getAllKeys(),
    );
    if (!keys.some(isOther)) return;
    await this.#connection.write(['vectors'], 'relaxed', async (transaction) => {
      const store = transaction.objectStore('vectors');
      const others = (await store.getAllKeys()).filter(isOther);
      await Promise.all(others.map((key) => store.delete(key)));
    });
  }

  loadIndex(scope: string, signal?: AbortSignal): Promise<SavedIndexParts> {
    return this.#connection.read(
      ['postings', ...CHANGE_STORES],
      async (transaction) => {
        const parts = await readParts(transaction, scope);
        const changes = await readChangeSet(transaction, scope, undefined, reachOf(parts.at(-1)));
        return { parts, changes };
      },
      signal,
    );
  }

  saveIndex(scope: string, parts: readonly NewPart[], span: SavedSpan): Promise<ChangeCursor | undefined> {
    return this.#connection.write(['postings', 'changes', 'meta'], 'relaxed', (transaction) =>
      saveParts(transaction, scope, parts, span),
    );
  }

  close(): void {
    this.#connection.close();
  }

  /** Erases in one transaction; on a full disk, which has no room for tombstones, makes room in one before. */
  async #erase(
    select: (transaction: Transaction) => Promise<MessageRecord[]>,
    eraseRest: (
      transaction: Transaction<'readwrite'>,
    ) => Promise<Pick<ForgetReceipt, 'sessions' | 'documents'>>,
    wholeScope?: string,
  ): Promise<ForgetReceipt> {
    try {
      return await this.#connection.write(ERASED_STORES, 'strict', async (transaction) => {
        const receipt = await eraseMessages(transaction, await select(transaction), wholeScope);
        return { ...receipt, ...(await eraseRest(transaction)) };
      });
    } catch (error) {
      if (!(error instanceof MnemoraError) || error.code !== 'storage-full') throw error;
    }
    const rows = await this.#connection.write(
      ['messages', 'vectors', 'postings', 'meta'],
      'strict',
      async (transaction) => {
        const selected = await select(transaction);
        await makeRoom(transaction, selected);
        return selected;
      },
    );
    return this.#connection.write(ERASED_STORES, 'strict', async (transaction) => {
      await transaction.objectStore('meta').put({ key: 'generation', value: newId() });
      const written = await select(transaction); // by other tabs, since
      const receipt = await eraseMessages(transaction, [...rows, ...written], wholeScope);
      return { ...receipt, ...(await eraseRest(transaction)) };
    });
  }
}

import { checkName, checkOptionNames, checkWord } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { Clock } from '../model/clock.ts';
import { parseJson } from '../model/json.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import { weakValueMap } from '../model/weak-value-map.ts';
import type { WarningListener } from '../model/warning.ts';
import { DEFAULT_SCOPE } from '../storage/transcript/append-plan.ts';
import { Connection } from '../storage/connection.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { SummaryStore } from '../storage/summary-store.ts';
import { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { SessionRecord } from '../storage/schema.ts';
import type { ChatMessageHistory } from './chat-message-history.ts';
import { lazyEntityStore } from './lazy-entity-store.ts';
import type { MemoryDatabase, SessionInfo } from './memory-database.ts';
import { registerEngine } from './database-engine.ts';
import { IndexedDbChatMemoryStore } from './indexeddb-chat-memory-store.ts';
import type { ScopeEntityStore } from './scope-entity-store.ts';
import { parseSessionId, TranscriptHistory } from './transcript-history.ts';

export interface OpenDatabaseOptions {
  /** Name of the IndexedDB database. @default 'mnemora' */
  name?: string;
  /**
   * Where to store: `memory` keeps everything in RAM, for tests and where there is no IndexedDB.
   *
   * @default 'indexeddb'
   */
  history?: 'indexeddb' | 'memory';
  /** Returns the time in milliseconds since 1970. @default Date.now */
  clock?: Clock;
  /**
   * Milliseconds that another tab may block the database before a call rejects with `storage-blocked`.
   *
   * @default 20000
   */
  blockedTimeoutMs?: number;
  onWarning?: WarningListener;
}

/**
 * Opens the database, and creates it if it does not exist.
 *
 * @throws MnemoraError `storage-unavailable` if there is no IndexedDB, `storage-newer` if a newer version of the
 *   library wrote the database (which is left unchanged), `storage-blocked` if another tab blocks its upgrade.
 *
 * @example
 * const database = await openDatabase();
 * const memory = new ConversationBufferMemory({ chatHistory: database.chatHistory('today') });
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<MemoryDatabase> {
  const { name = 'mnemora', history, clock, ...rest } = checkOptions(options);
  if (history === 'memory') {
    const { memoryEngine } = await import('./open-memory-history.ts');
    return databaseOver(memoryEngine(), clock);
  }
  const connection = new Connection({ name, ...rest });
  await connection.open();
  loadAhead([() => import('../storage/on-demand.ts'), () => import('./scope-entity-store.ts')]);
  return databaseOver(connection, clock);
}

/** Returns a record store whose code is loaded on first use. */
function lazyRecordStore(
  engine: StorageEngine,
  namespace: string,
  options: { scope: string; clock: Clock | undefined },
): RecordStore {
  const load = memoizeAsync(async () => {
    const { recordStore } = await import('../storage/on-demand.ts');
    return recordStore(engine, namespace, options);
  });
  return {
    get: async (...args) => (await load()).get(...args),
    async put(key, value, putOptions) {
      const asGiven = parseJson(value, 'The value of a record'); // parsed now, because the caller may change it later
      return (await load()).put(key, asGiven, putOptions);
    },
    delete: async (...args) => (await load()).delete(...args),
    list: async (...args) => (await load()).list(...args),
  };
}

/** Builds the public database over a storage engine. */
function databaseOver(engine: StorageEngine, clock: Clock | undefined): MemoryDatabase {
  const transcript = new TranscriptStore(engine);
  const stores = { transcript, summaries: new SummaryStore(engine), engine };
  // One object for each session, so that memories combined over it can see that they share it.
  const histories = weakValueMap<ChatMessageHistory>(
    (sessionId) => new TranscriptHistory(stores, sessionId, clock),
  );
  const close = (): void => engine.close();
  const database: MemoryDatabase = {
    name: engine.name,
    chatHistory: (sessionId) => histories.get(sessionId),
    entityStore: ({ scope = DEFAULT_SCOPE } = {}) =>
      lazyEntityStore(loadEntityStore(engine, checkName('scope', scope))),
    records: (namespace, { scope = DEFAULT_SCOPE } = {}) =>
      lazyRecordStore(engine, checkName('The namespace of records', namespace), {
        scope: checkName('scope', scope),
        clock,
      }),
    chatMemoryStore: () => new IndexedDbChatMemoryStore(engine),
    sessions: async () => (await transcript.listSessions()).map(toSessionInfo),
    deleteSession: async (id) => {
      await transcript.clearSession(parseSessionId(id), 'drop-row');
    },
    close,
    delete: () => engine.delete(),
    [Symbol.asyncDispose]: async () => close(),
  };
  return registerEngine(database, engine);
}

function loadEntityStore(engine: StorageEngine, scope: string): () => Promise<ScopeEntityStore> {
  return memoizeAsync(async () => (await import('./scope-entity-store.ts')).openEntityStore(engine, scope));
}

const OPTION_NAMES: readonly string[] = ['name', 'history', 'clock', 'blockedTimeoutMs', 'onWarning'];
/** Browsers run a timer at once if its delay is longer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

function checkOptions(options: OpenDatabaseOptions): OpenDatabaseOptions {
  checkOptionNames('openDatabase', options, OPTION_NAMES);
  const { name = 'mnemora', blockedTimeoutMs = 1 } = options;
  checkName('The name of a database', name);
  if (options.history !== undefined) checkWord('history', options.history, ['indexeddb', 'memory']);
  if (!Number.isFinite(blockedTimeoutMs) || blockedTimeoutMs <= 0 || blockedTimeoutMs > LONGEST_TIMEOUT_MS) {
    throw new MnemoraError(
      'invalid-option',
      `blockedTimeoutMs must be a number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}; got ${String(blockedTimeoutMs)}.`,
    );
  }
  return options;
}

export function toSessionInfo(session: SessionRecord): SessionInfo {
  const { id, scope, title, createdAt, updatedAt, messageCount } = session;
  return { id, scope, title, createdAt, updatedAt, messageCount };
}

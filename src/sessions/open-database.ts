import { checkFunction, checkName, checkOptions, oneOf, wholeNumber } from '../model/check-options.ts';
import type { Clock } from '../model/clock.ts';
import { parseJson } from '../model/json.ts';
import { lazyMethods } from '../model/lazy-methods.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import type { WarningListener } from '../model/warning.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { DEFAULT_SCOPE } from '../model/scope.ts';
import { appendTurn } from '../storage/transcript/append-turn.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { SessionKey, SessionRecord, StoreName } from '../storage/schema.ts';
import { parseMemoryId, type ChatMemoryStore } from './chat-memory-store.ts';
import { announcedWrites } from './announced-writes.ts';
import { parseCountedMessages, type ChatMessageHistory } from './chat-message-history.ts';
import type { EntityStore } from './entity-store.ts';
import { registerEngine, type MemoryDatabase, type SessionInfo } from './memory-database.ts';
import { TranscriptHistory } from './transcript-history.ts';
import { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import { SummaryStore } from '../storage/summary-store.ts';
import { watchedConnection } from '../storage/watched-connection.ts';

const loadOnDemand = () => import('../storage/on-demand.ts');
const loadEntityStore = () => import('./scope-entity-store.ts');

export interface OpenDatabaseOptions {
  /** Name of the IndexedDB database. @default 'mnemora' */
  name?: string;
  /**
   * Where to store data: `memory` keeps everything in RAM, for tests and where there is no IndexedDB.
   *
   * @default 'indexeddb'
   */
  storage?: 'indexeddb' | 'memory';
  /**
   * Returns the time, in milliseconds since 1970, that is stored with messages and records. Background work is
   * scheduled by the system clock. @default Date.now
   */
  clock?: Clock;
  /**
   * Milliseconds that another tab may block the database before a call rejects with `storage-blocked`; 24 days at most.
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
 *   library wrote the database (which is left unchanged), `storage-blocked` if another tab blocks its upgrade,
 *   `invalid-option`.
 *
 * @example
 * const database = await openDatabase();
 * const memory = new ConversationBufferMemory({ chatHistory: database.chatHistory('today') });
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<MemoryDatabase> {
  checkOptions('openDatabase', options, {
    name: (_option, value) => checkName('The name of a database', value),
    storage: oneOf('indexeddb', 'memory'),
    clock: checkFunction,
    blockedTimeoutMs: wholeNumber(1),
    onWarning: checkFunction,
  });
  const { name = 'mnemora', storage, clock, ...rest } = options;
  if (storage === 'memory') {
    const { memoryEngine } = await import('./open-memory-history.ts');
    return databaseOver(memoryEngine(), clock);
  }
  const connection = watchedConnection({ name, ...rest });
  await connection.open();
  loadAhead([loadOnDemand, loadEntityStore]);
  return databaseOver(connection, clock);
}

/** Builds the public database over a storage engine. */
function databaseOver(engine: StorageEngine, clock: Clock | undefined): MemoryDatabase {
  const announced = announcedWrites(engine);
  const transcript = new TranscriptStore(announced);
  const stores = { transcript, summaries: new SummaryStore(announced) };
  // One object for each session, so that memories combined over it can see that they share it.
  const histories = weakValueMap<ChatMessageHistory>(
    (key) => new TranscriptHistory((use) => use(stores), JSON.parse(key) as SessionKey, clock, engine),
  );
  const database: MemoryDatabase = {
    name: engine.name,
    chatHistory: (sessionId, options) =>
      histories.get(JSON.stringify([scopeOf('chatHistory', options), checkName('A session id', sessionId)])),
    entityStore: (options) => lazyEntityStore(announced, scopeOf('entityStore', options)),
    records: (namespace, options) =>
      lazyRecordStore(announced, checkName('The namespace of records', namespace), {
        scope: scopeOf('records', options),
        clock,
      }),
    chatMemoryStore: () => storedChatMemories(announced, clock),
    sessions: async () => (await transcript.listSessions()).map(toSessionInfo),
    deleteSession: async (id, options) => {
      const key: SessionKey = [scopeOf('deleteSession', options), checkName('A session id', id)];
      await transcript.clearSession(key, 'drop-row');
    },
    close: () => engine.close(),
    delete: () => engine.delete(),
    [Symbol.asyncDispose]: async () => engine.close(),
  };
  return registerEngine(database, engine);
}

/** Returns the scope that a method is called for. @throws MnemoraError `invalid-option` */
function scopeOf(method: string, options: { scope?: string } = {}): string {
  return checkOptions(method, options, { scope: checkName }).scope ?? DEFAULT_SCOPE;
}

const ENTITY_METHODS = {
  get: true,
  set: true,
  setMany: true,
  has: true,
  delete: true,
  clear: true,
  list: true,
} as const;

/** Returns an entity store whose code is loaded on first use. */
function lazyEntityStore(engine: StorageEngine, scope: string): EntityStore {
  const load = memoizeAsync(async () => {
    const { ScopeEntityStore } = await loadEntityStore();
    return new ScopeEntityStore(engine, scope);
  });
  return {
    ...lazyMethods<Omit<EntityStore, 'followsMessages'>>(ENTITY_METHODS, load),
    followsMessages: true,
  };
}

/** Returns a record store whose code is loaded on first use. */
function lazyRecordStore(
  engine: StorageEngine,
  namespace: string,
  options: { scope: string; clock: Clock | undefined },
): RecordStore {
  const load = memoizeAsync(async () => {
    const { recordStore } = await loadOnDemand();
    return recordStore(engine, namespace, options);
  });
  return {
    ...lazyMethods<Omit<RecordStore, 'put'>>({ get: true, delete: true, list: true }, load),
    async put(key, value, putOptions) {
      const asGiven = parseJson(value, 'The value of a record'); // parsed now, because the caller may change it later
      return (await load()).put(key, asGiven, putOptions);
    },
  };
}

/** Returns the lists of chat memories in a database. */
function storedChatMemories(engine: StorageEngine, clock: Clock = Date.now): ChatMemoryStore {
  return {
    async getMessages(id) {
      const key = parseMemoryId(id);
      const record = await engine.read(['chatMemories'], (transaction) =>
        transaction.objectStore('chatMemories').get(key),
      );
      return record?.messages ?? [];
    },
    async updateMessages(id, messages) {
      const record = { id: parseMemoryId(id), messages: parseCountedMessages(messages) };
      await engine.write(['chatMemories'], (transaction) =>
        transaction.objectStore('chatMemories').put(record),
      );
    },
    async deleteMessages(id) {
      const key = parseMemoryId(id);
      await engine.write(['chatMemories'], (transaction) =>
        transaction.objectStore('chatMemories').delete(key),
      );
    },
    async changeMessages(id, change, added = []) {
      const key = parseMemoryId(id);
      const stores: StoreName[] = ['chatMemories', 'sessions', 'messages', 'changes'];
      await engine.write(stores, async (transaction) => {
        const store = transaction.objectStore('chatMemories');
        const changed = change((await store.get(key))?.messages ?? []);
        if (changed) await store.put({ id: key, messages: parseCountedMessages(changed) });
        if (added.length === 0) return;
        // Evicted messages stay in the transcript of the session with the memory's id.
        const turn = {
          sessionId: key,
          messages: parseCountedMessages(added),
          state: 'complete',
          createdAt: clock,
        } as const;
        await appendTurn(transaction, turn, Date.now());
      });
    },
  };
}

export function toSessionInfo(session: SessionRecord): SessionInfo {
  const { id, scope, title, createdAt, updatedAt, messageCount } = session;
  return { id, scope, title, createdAt, updatedAt, messageCount };
}

/** A cache of objects by key. Each object is shared by all who hold it, and dropped once nothing refers to it. */
export interface WeakValueMap<Value extends object> {
  /** Returns the object of the key that is still in use, or a new one. */
  get(key: string): Value;
  /** Number of keys that are remembered. */
  readonly size: number;
}

/** @param make is called for a key without a live object */
export function weakValueMap<Value extends object>(make: (key: string) => Value): WeakValueMap<Value> {
  const values = new Map<string, WeakRef<Value>>();
  const dropped = new FinalizationRegistry<string>((key) => {
    // Another object may have been made for the key since.
    if (values.get(key)?.deref() === undefined) values.delete(key);
  });
  return {
    get(key) {
      const held = values.get(key)?.deref();
      if (held) return held;
      const value = make(key);
      values.set(key, new WeakRef(value));
      dropped.register(value, key);
      return value;
    },
    get size() {
      return values.size;
    },
  };
}

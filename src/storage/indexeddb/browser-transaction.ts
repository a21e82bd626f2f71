import type { WriteTransaction } from '../storage-engine.ts';

/** Number of looks at a transaction within the time that it may be silent. */
const LOOKS = 4;

/**
 * A transaction of the browser, with promises instead of events. Its methods never throw: whatever fails rejects the
 * promise of that request. Such a rejection may be left unhandled, because the end of the transaction reports it as well.
 *
 * Nothing here tests for classes, because the database may come from a frame, whose classes differ from the page's.
 */
export class BrowserTransaction {
  readonly #raw: IDBTransaction;
  readonly #copy: (value: unknown) => unknown;
  #requests = 0;
  #answers = 0;
  /**
   * Resolves when the transaction is committed. Rejects with the browser's reason when it is rolled back: null if the
   * browser has none, as after {@link abort}.
   */
  readonly ended: Promise<void>;

  constructor(raw: IDBTransaction) {
    this.#raw = raw;
    // Values read through a frame are made of the frame's classes.
    this.#copy = raw.db instanceof IDBDatabase ? (value) => value : (value) => structuredClone(value);
    this.ended = new Promise((resolve, reject) => {
      const over = new AbortController();
      const fail = (): void => {
        over.abort();
        reject(raw.error);
      };
      const complete = (): void => {
        over.abort();
        resolve();
      };
      raw.addEventListener('complete', complete);
      raw.addEventListener('abort', fail);
      // Chromium closes a database whose data are cleared, and does not always report the end of its transactions.
      raw.db.addEventListener('close', fail, { signal: over.signal });
    });
    this.ended.catch(() => undefined);
  }

  /** The transaction as the code above the storage engines uses it. */
  get stores(): WriteTransaction {
    return { objectStore: (name: string) => this.#store(name) } as unknown as WriteTransaction;
  }

  /** True once the browser has answered a request: nothing outside of this transaction blocks it any more. */
  get hasBegun(): boolean {
    return this.#answers > 0;
  }

  /**
   * Rolls the transaction back. Returns false if it may still be committed, which only {@link ended} shows: a browser
   * commits once every request is answered, and not before.
   */
  abort(): boolean {
    const isOpen = !this.hasBegun || this.#requests > this.#answers;
    try {
      this.#raw.abort();
      return isOpen;
    } catch {
      return false; // it has ended
    }
  }

  /**
   * Spends the transaction after one that found the disk full: in Firefox it may only delete, and every `put` of it
   * throws InvalidStateError.
   */
  spendCleanup(): void {
    const { db, objectStoreNames } = this.#raw;
    try {
      db.transaction(objectStoreNames, 'readwrite').abort();
    } catch {
      // the connection was closed meanwhile, and a new one is not affected
    }
  }

  /**
   * Calls the listener each time that no request was answered for this time, until the returned function is called.
   * Counts looks rather than time, so that a page that was frozen or busy gets the answers that wait for it first.
   */
  onSilence(ms: number, listener: () => void): () => void {
    let silentLooks = 0;
    let answers = 0;
    const timer = setInterval(() => {
      silentLooks = answers === this.#answers ? silentLooks + 1 : 0;
      answers = this.#answers;
      if (silentLooks >= LOOKS) listener();
    }, ms / LOOKS);
    return () => clearInterval(timer);
  }

  #store(name: string): object {
    const store = (): IDBObjectStore => this.#raw.objectStore(name);
    return {
      ...this.#reads(store),
      index: (index: string) => this.#reads(() => store().index(index)),
      openCursor: (query?: IDBKeyRange, direction?: IDBCursorDirection) =>
        this.#cursor(() => store().openCursor(query, direction)),
      openKeyCursor: (query?: IDBKeyRange, direction?: IDBCursorDirection) =>
        this.#cursor(() => store().openKeyCursor(query, direction)),
      put: (value: unknown, key?: IDBValidKey) => this.#ask(() => store().put(value, key)),
      add: (value: unknown, key?: IDBValidKey) => this.#ask(() => store().add(value, key)),
      delete: (query: IDBKeyRange) => this.#ask(() => store().delete(query)),
      clear: () => this.#ask(() => store().clear()),
    };
  }

  #reads(rows: () => IDBObjectStore | IDBIndex): object {
    return {
      get: (query: IDBKeyRange) => this.#ask(() => rows().get(query)),
      getKey: (query: IDBKeyRange) => this.#ask(() => rows().getKey(query)),
      getAll: (query?: IDBKeyRange, count?: number) => this.#ask(() => rows().getAll(query, count)),
      getAllKeys: (query?: IDBKeyRange, count?: number) => this.#ask(() => rows().getAllKeys(query, count)),
      count: (query?: IDBKeyRange) => this.#ask(() => rows().count(query)),
    };
  }

  #cursor<Cursor extends IDBCursor>(open: () => IDBRequest<Cursor | null>): Promise<object | null> {
    return this.#ask(open, (cursor, request) => {
      if (!cursor) return null;
      const copy = this.#copy;
      return {
        key: copy(cursor.key),
        get value() {
          return copy('value' in cursor ? cursor.value : undefined);
        },
        advance: (count: number) =>
          this.#cursor(() => {
            cursor.advance(count);
            return request;
          }),
      };
    });
  }

  #ask<Result, Answer>(
    make: () => IDBRequest<Result>,
    read: (result: Result, request: IDBRequest<Result>) => Answer = this.#copy as () => Answer,
  ): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => {
      const request = make();
      this.#requests += 1;
      request.onsuccess = () => {
        this.#answers += 1;
        resolve(read(request.result, request));
      };
      request.onerror = () => {
        this.#answers += 1;
        reject(request.error);
      };
    });
    answer.catch(() => undefined);
    return answer;
  }
}

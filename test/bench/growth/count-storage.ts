/** What was asked of IndexedDB. */
export interface StorageCounts {
  /** Rows and keys that the browser has returned. */
  rows: number;
  reads: number;
  writes: number;
}

let counts: StorageCounts = { rows: 0, reads: 0, writes: 0 };

/** Counts what this page asks of IndexedDB from now on. Call it once, before anything is opened. */
export function countStorage(): void {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...request) {
    counts[request[1] === 'readwrite' ? 'writes' : 'reads'] += 1;
    return transaction.apply(this, request);
  };
  for (const { prototype } of [IDBObjectStore, IDBIndex]) {
    for (const name of ['get', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor'] as const) {
      const ask = prototype[name] as (...parameters: unknown[]) => IDBRequest<unknown>;
      const counted = function (this: IDBObjectStore | IDBIndex, ...parameters: unknown[]): IDBRequest {
        const request = ask.apply(this, parameters);
        request.addEventListener('success', () => {
          const { result } = request;
          counts.rows += Array.isArray(result)
            ? result.length
            : Number(result !== undefined && result !== null);
        });
        return request;
      };
      Object.assign(prototype, { [name]: counted });
    }
  }
}

/** Returns what was asked since the last call. */
export function takeCounts(): StorageCounts {
  const taken = counts;
  counts = { rows: 0, reads: 0, writes: 0 };
  return taken;
}

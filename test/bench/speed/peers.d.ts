/** What the benchmarks use of the libraries in test/bench/package.json, which `npm ci` does not install. */
declare module '@babycommando/entity-db' {
  export class EntityDB {
    constructor(options: { vectorPath: string });
    insertManualVectors(row: Record<string, unknown>): Promise<unknown>;
    queryManualVectors(
      vector: readonly number[],
      options: { limit: number },
    ): Promise<Record<string, unknown>[]>;
  }
}

declare module '@orama/orama' {
  export interface Orama {
    readonly schema: Readonly<Record<string, string>>;
  }
  export function create(options: { schema: Readonly<Record<string, string>> }): Orama;
  export function insertMultiple(
    database: Orama,
    documents: readonly object[],
    batchSize: number,
  ): Promise<unknown>;
  export function searchVector(
    database: Orama,
    query: {
      mode: 'vector';
      vector: { value: readonly number[]; property: string };
      similarity: number;
      limit: number;
    },
  ): Promise<{ hits: { id: string }[] }>;
}

declare module 'client-vector-search' {
  export class EmbeddingIndex {
    constructor(rows: readonly object[]);
    search(vector: readonly number[], options: { topK: number }): Promise<{ object: { id: string } }[]>;
  }
}

declare module 'dexie' {
  interface Table {
    add(row: object): Promise<unknown>;
    put(row: object): Promise<unknown>;
    bulkPut(rows: readonly object[]): Promise<unknown>;
  }
  export class Dexie {
    constructor(name: string, options: { chromeTransactionDurability: 'strict' });
    version(version: number): { stores(schema: Readonly<Record<string, string>>): void };
    open(): Promise<unknown>;
    table(name: string): Table;
    transaction(mode: 'rw', stores: readonly string[], body: () => Promise<void>): Promise<void>;
    delete(): Promise<void>;
  }
}

declare module 'hnswlib-wasm' {
  interface Index {
    initIndex(size: number, links: number, effort: number, seed: number): void;
    setEfSearch(effort: number): void;
    addItems(vectors: readonly Float32Array[], replacesDeleted: boolean): readonly number[];
    searchKnn(query: Float32Array, k: number, filter: undefined): { neighbors: readonly number[] };
  }
  export function loadHnswlib(): Promise<{
    HierarchicalNSW: new (space: 'cosine', dimensions: number, file: string) => Index;
  }>;
}

declare module 'voy-search/voy_search_bg.js' {
  export class Voy {
    constructor(resource: { embeddings: readonly object[] });
    search(query: Float32Array, k: number): { neighbors: readonly { id: string }[] };
    free(): void;
  }
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

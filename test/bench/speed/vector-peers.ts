import { EntityDB } from '@babycommando/entity-db';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { create, insertMultiple, searchVector } from '@orama/orama';
import { EmbeddingIndex } from 'client-vector-search';
import { loadHnswlib } from 'hnswlib-wasm';
import * as voyCode from 'voy-search/voy_search_bg.js';
import voyWasmUrl from 'voy-search/voy_search_bg.wasm?url';

/** Another library, filled with the vectors `v0`, `v1`, … of unit length. */
export interface VectorPeer {
  search(query: Float32Array, k: number): Promise<string[]>;
  close(): Promise<void>;
}

export interface VectorPeerKind {
  readonly who: string;
  readonly note: string;
  /** More take minutes to build. */
  readonly mostVectors: number;
  open(vectors: readonly Float32Array[]): Promise<VectorPeer>;
}

const nothing = (): Promise<void> => Promise.resolve();

export const VECTOR_PEERS: readonly VectorPeerKind[] = [
  { who: 'orama', note: 'RAM, exact', mostVectors: Infinity, open: openOrama },
  { who: 'voy', note: 'RAM', mostVectors: Infinity, open: openVoy },
  {
    who: 'LangChain MemoryVectorStore',
    note: 'RAM, exact',
    mostVectors: Infinity,
    open: openLangchain,
  },
  { who: 'client-vector-search', note: 'RAM, exact', mostVectors: Infinity, open: openClientVectorSearch },
  { who: 'hnswlib-wasm', note: 'RAM, approximate', mostVectors: 10_000, open: openHnswlib },
  { who: 'entity-db', note: 'IndexedDB, exact', mostVectors: 10_000, open: openEntityDb },
];

async function openOrama(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const dimensions = vectors[0]?.length ?? 0;
  const database = create({ schema: { embedding: `vector[${dimensions}]` } });
  const documents = vectors.map((vector, i) => ({ id: `v${i}`, embedding: [...vector] }));
  await insertMultiple(database, documents, 1000);
  return {
    async search(query, k) {
      const vector = { value: [...query], property: 'embedding' };
      const found = await searchVector(database, { mode: 'vector', vector, similarity: -1, limit: k });
      return found.hits.map((hit) => hit.id);
    },
    close: nothing,
  };
}

async function openVoy(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(voyWasmUrl), {
    './voy_search_bg.js': voyCode as unknown as WebAssembly.ModuleImports,
  });
  voyCode.__wbg_set_wasm(instance.exports);
  const embeddings = vectors.map((vector, i) => ({
    id: `v${i}`,
    title: '',
    url: '',
    embeddings: [...vector],
  }));
  const index = new voyCode.Voy({ embeddings });
  return {
    search: (query, k) => Promise.resolve(index.search(query, k).neighbors.map(({ id }) => id)),
    close: () => Promise.resolve(index.free()),
  };
}

async function openLangchain(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const store = new MemoryVectorStore({
    embedQuery: () => Promise.resolve([]),
    embedDocuments: () => Promise.resolve([]),
  });
  await store.addVectors(
    vectors.map((vector) => [...vector]),
    vectors.map((_, i) => new Document({ id: `v${i}`, pageContent: '' })),
  );
  return {
    async search(query, k) {
      const found = await store.similaritySearchVectorWithScore([...query], k);
      return found.map(([document]) => String(document.id));
    },
    close: nothing,
  };
}

function openClientVectorSearch(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const index = new EmbeddingIndex(vectors.map((vector, i) => ({ id: `v${i}`, embedding: [...vector] })));
  return Promise.resolve({
    async search(query, k) {
      const found = await index.search([...query], { topK: k });
      return found.map(({ object }) => object.id);
    },
    close: nothing,
  });
}

async function openHnswlib(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const library = await loadHnswlib();
  const index = new library.HierarchicalNSW('cosine', vectors[0]?.length ?? 0, '');
  index.initIndex(vectors.length, 16, 200, 1);
  index.setEfSearch(64);
  const labels = index.addItems([...vectors], false);
  const positions = new Map(labels.map((label, position) => [label, position]));
  return {
    search: (query, k) =>
      Promise.resolve(
        index.searchKnn(query, k, undefined).neighbors.map((label) => `v${positions.get(label)}`),
      ),
    close: nothing,
  };
}

async function openEntityDb(vectors: readonly Float32Array[]): Promise<VectorPeer> {
  const store = new EntityDB({ vectorPath: 'vector' });
  for (const [i, vector] of vectors.entries())
    await store.insertManualVectors({ name: `v${i}`, vector: [...vector] });
  return {
    async search(query, k) {
      const found = await store.queryManualVectors([...query], { limit: k });
      return found.map((row) => String(row['name']));
    },
    close: async () => {
      const { dbPromise } = store as unknown as { dbPromise: Promise<IDBDatabase> };
      (await dbPromise).close();
      await new Promise((resolve) => {
        indexedDB.deleteDatabase('EntityDB').onsuccess = resolve;
      });
    },
  };
}

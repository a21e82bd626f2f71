import { afterEach, describe, expect, it } from 'vitest';
import { createMemory, openDatabase, type MemoryDatabase } from '../../../src/index.ts';
import { memoryRetriever, VectorStoreRetrieverMemory, type MemoryRetriever } from '../../../src/langchain.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const open: MemoryDatabase[] = [];

async function databaseOf(name: string): Promise<MemoryDatabase> {
  const database = await openDatabase({ name });
  open.push(database);
  return database;
}

async function texts(retriever: MemoryRetriever, query: string, k = 50): Promise<string[]> {
  return (await retriever.search(query, { limit: k })).map((found) => found.document.text);
}

const never = (): Promise<never> => new Promise(() => undefined);

afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

describe('memoryRetriever', () => {
  it("RTV-1: each exchange is stored like LangChain's document, in RAM and in the database", async () => {
    const database = await databaseOf(newId());
    for (const where of [{}, { database }]) {
      for (const embedder of [hashEmbedder(), false] as const) {
        const collection = newId();
        const retriever = memoryRetriever({ embedder, collection, topK: 1, ...where });
        const memory = new VectorStoreRetrieverMemory({ retriever });
        await memory.saveContext({ input: 'My favorite food is pizza' }, { output: 'thats good to know' });
        await memory.saveContext({ input: 'My favorite sport is soccer' }, { output: '...' });
        await memory.saveContext({ input: "I don't the Celtics" }, { output: 'ok' });
        expect(await memory.loadMemoryVariables({ prompt: 'what sport should i watch?' })).toEqual({
          history: 'input: My favorite sport is soccer\noutput: ...',
        });
        expect(await texts(retriever, 'favorite food', 2)).toContain(
          'input: My favorite food is pizza\noutput: thats good to know',
        );
        expect(await retriever.search('favorite')).toHaveLength(1);
        expect(await retriever.search('favorite', { limit: 0 })).toEqual([]);
      }
    }
  });

  it('RTV-2: the same id twice is one document, also within one call, and collections have their own ids', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const make = (collection: string): MemoryRetriever =>
      memoryRetriever({ embedder: hashEmbedder(), database, collection });
    const [one, two] = [make('one'), make('two')];
    const added = await one.add([
      { id: 't', text: 'red boat' },
      { id: 't', text: 'blue boat' },
    ]);
    expect(added).toEqual(['t', 't']);
    await two.add([{ id: 't', text: 'green boat' }]);
    await one.add([{ id: 't', text: 'yellow boat' }]);
    for (const [retriever, text] of [
      [one, 'red boat'],
      [make('one'), 'red boat'],
      [make('two'), 'green boat'],
    ] as const) {
      expect(await retriever.search('boat')).toMatchObject([{ id: 't', document: { text } }]);
    }
    await two.delete(['t', 'none']);
    expect(await texts(one, 'boat')).toEqual(['red boat']);
    expect(await texts(make('one'), 'boat')).toEqual(['red boat']);
  });

  it('RTV-3: clear removes from every store what its session added, also before a reload', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const embedder = hashEmbedder();
    const mine = memoryRetriever({ embedder, database, sessionId: 'mine' });
    const theirs = memoryRetriever({ embedder, database, sessionId: 'theirs' });
    await mine.add([{ text: 'quokkamine boat', metadata: { note: 'quokkameta' } }]);
    await theirs.add([{ text: 'their boat' }]);
    expect(await texts(theirs, 'boat')).toHaveLength(2);
    const reopened = memoryRetriever({ embedder, database: await databaseOf(name), sessionId: 'mine' });
    await reopened.clear?.();
    expect(await texts(theirs, 'boat')).toEqual(['their boat']);
    expect(await texts(mine, 'boat')).toEqual(['their boat']);
    expect(JSON.stringify(await dump(name))).not.toContain('quokka');
  });

  it("RTV-4: two tabs find each other's documents, embed each once and read only new ones", async () => {
    const name = newId();
    const embedders = [hashEmbedder(), hashEmbedder()];
    const [one, two] = await Promise.all(
      embedders.map(async (embedder) => memoryRetriever({ embedder, database: await databaseOf(name) })),
    );
    if (!one || !two) throw new Error('not opened');
    for (let each = 0; each < 30; each++) {
      await one.add([{ text: `boat ${each}` }]);
      await two.add([{ text: `ship ${each}` }]);
    }
    expect(await texts(one, 'ship', 100)).toHaveLength(60);
    expect(await texts(two, 'boat', 100)).toHaveLength(60);
    const all = embedders.flatMap((embedder) => embedder.documents);
    expect([all.length, new Set(all).size]).toEqual([60, 60]);
    const [id = ''] = await two.add([{ text: 'a quokka' }]);
    const caughtUp = await watchIdb(() => one.search('quokka', { limit: 1 }));
    expect(caughtUp.rows).toBeLessThanOrEqual(4);
    await one.delete([id]);
    expect(await texts(two, 'quokka', 100)).not.toContain('a quokka');
  });

  it('RTV-5: a different embedder embeds the documents again once, and deleted ones stay deleted', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const old = memoryRetriever({ embedder: hashEmbedder({ id: 'old' }), database });
    const ids = await old.add([{ text: 'red boat' }, { text: 'blue car' }]);
    const embedder = hashEmbedder({
      id: 'new',
      dimensions: 16,
      before: async (_texts, kind) => {
        if (kind === 'document') await old.delete(ids.slice(1));
      },
    });
    const renewed = memoryRetriever({ embedder, database });
    await renewed.search('boat');
    expect(await texts(renewed, 'boat')).toEqual(['red boat']);
    expect(embedder.documents).toHaveLength(2);
    const again = hashEmbedder({ id: 'new', dimensions: 16 });
    const reopened = memoryRetriever({ embedder: again, database: await databaseOf(name) });
    expect(await texts(reopened, 'boat')).toEqual(['red boat']);
    expect(again.documents).toEqual([]);
    expect(JSON.stringify(await dump(name))).not.toContain('blue car');
    expect(await texts(old, 'boat')).toEqual(['red boat']);
  });

  it('RTV-6: without an embedder, all documents are ranked by keywords', async () => {
    const database = await databaseOf(newId());
    await memoryRetriever({ embedder: hashEmbedder(), database }).add([{ text: 'the red boat' }]);
    const words = memoryRetriever({ embedder: false, database });
    await words.add([{ text: 'the blue car' }]);
    expect(await texts(words, 'cars')).toEqual(['the blue car']);
    expect(await texts(words, 'boats')).toEqual(['the red boat']);
    const later = memoryRetriever({ embedder: hashEmbedder(), database });
    expect((await texts(later, 'the blue car'))[0]).toBe('the blue car');
  });

  it('RTV-12: of equal matches the older document comes first, also after reopening', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const retriever = memoryRetriever({ embedder: false, database, topK: 1 });
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(...(await retriever.add([{ text: 'the same words' }])));
    expect((await retriever.search('words', { limit: 20 })).map((found) => found.id)).toEqual(ids);
    const reopened = memoryRetriever({ embedder: false, database: await databaseOf(name), topK: 1 });
    const added = await reopened.add([{ text: 'the same words' }]);
    expect(await reopened.search('words')).toMatchObject([{ id: ids[0] }]);
    expect((await reopened.search('words', { limit: 21 })).at(-1)?.id).toBe(added[0]);
  });

  it('FGT-13: forgetting a session, a time or everything erases its documents and no others', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const made = (sessionId: string, collection = 'user'): MemoryRetriever =>
      memoryRetriever({ embedder: false, database, sessionId, collection });
    await made('a').add([{ text: 'zebra one', createdAt: 1 }]);
    await made('b').add([{ text: 'zebra two', createdAt: 2 }]);
    await made('c').add([{ text: 'zebra three', createdAt: 3 }]);
    await made('c', 'guest').add([{ text: 'zebra guest', createdAt: 1 }]);
    const reader = made('reader');
    expect(await texts(reader, 'zebra')).toHaveLength(3);
    await database.deleteSession('a');
    expect((await texts(reader, 'zebra')).toSorted()).toEqual(['zebra three', 'zebra two']);
    const memory = await createMemory({ name, embedder: false });
    expect(await memory.forget({ before: 3 })).toMatchObject({ documents: 1 });
    expect(await texts(reader, 'zebra')).toEqual(['zebra three']);
    expect(await memory.forget({ everything: true })).toMatchObject({ documents: 1 });
    await memory.close();
    expect(await texts(reader, 'zebra')).toEqual([]);
    expect(await texts(made('reader', 'guest'), 'zebra')).toEqual(['zebra guest']);
  });

  it('RTV-8: an aborted call rejects with the reason, adds nothing and does not wait for the embedder', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const reason = new Error('left');
    const aborted = { signal: AbortSignal.abort(reason) };
    const retriever = memoryRetriever({ embedder: hashEmbedder(), database });
    await expect(retriever.add([{ text: 'a' }], aborted)).rejects.toBe(reason);
    await expect(retriever.search('a', aborted)).rejects.toBe(reason);
    const slow = memoryRetriever({ embedder: hashEmbedder({ before: never }), database });
    const abort = new AbortController();
    const adding = slow.add([{ text: 'quokka' }], { signal: abort.signal });
    abort.abort(reason);
    await expect(adding).rejects.toBe(reason);
    expect((await dump(name))['documents']).toEqual([]);
    const inRam = memoryRetriever({ embedder: false });
    await expect(inRam.search('a', aborted)).rejects.toBe(reason);
  });

  it('RTV-13: of two documents with one id that are being embedded, the first one stored is kept', async () => {
    const database = await databaseOf(newId());
    for (const where of [{}, { database }]) {
      const collection = newId();
      let meanwhile = async (): Promise<unknown> => undefined;
      const retriever = memoryRetriever({
        embedder: hashEmbedder({ before: () => meanwhile() }),
        collection,
        ...where,
      });
      const quick =
        'database' in where ? memoryRetriever({ embedder: hashEmbedder(), collection, ...where }) : retriever;
      meanwhile = () => {
        meanwhile = async () => undefined;
        return quick.add([{ id: 't', text: 'red boat' }]);
      };
      expect(await retriever.add([{ id: 't', text: 'blue car' }])).toEqual(['t']);
      expect(await retriever.search('boat')).toMatchObject([{ document: { text: 'red boat' } }]);
      expect(await texts(quick, 'car')).toEqual(['red boat']);
    }
  });

  it('RTV-14: a document is not stored if its session, its time or everything is forgotten while it is being embedded', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const memory = await createMemory({ name, embedder: false, learning: false, sessionId: 'chat' });
    await memory.remember({ user: 'a quokka', assistant: 'ok' });
    const elsewhere = await createMemory({ name: newId(), embedder: false, learning: false });
    await elsewhere.remember({ user: 'hello', assistant: 'hi' });
    const backup = await elsewhere.backup.export();
    await elsewhere.close();
    const forgetting: readonly (readonly [sessionId: string, forget: () => Promise<unknown>])[] = [
      ['chat', () => memory.forget({ sessionId: 'chat' })],
      ['of no messages', () => database.deleteSession('of no messages')],
      ['chat', () => memory.forget({ everything: true })],
      ['of no messages', () => memory.forget({ everything: true })],
      ['of no messages', () => memory.forget({ before: Date.now() + 60_000 })],
      [
        'of no messages',
        async () => {
          await memory.forget({ sessionId: 'of no messages' });
          await memory.backup.import(backup); // has readers of the change log begin again
        },
      ],
    ];
    for (const [sessionId, forget] of forgetting) {
      const retriever = memoryRetriever({ embedder: hashEmbedder({ before: forget }), database, sessionId });
      await retriever.add([{ text: 'a quokka' }]);
      expect([sessionId, (await dump(name))['documents']]).toEqual([sessionId, []]);
    }
    await memory.close();
  });

  it('RTV-9: invalid options and input are rejected and nothing is stored', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const wrongOptions: unknown[] = [
      undefined,
      null,
      {},
      { embedder: true },
      { embedder: {} },
      { embedder: false, topk: 3 },
      { embedder: false, topK: 0 },
      { embedder: false, topK: 1.5 },
      { embedder: false, sessionId: '' },
      { embedder: false, collection: 5 },
      { embedder: false, scope: '' },
      { embedder: false, database: {} },
    ];
    for (const options of wrongOptions) {
      expect(() => memoryRetriever(options as never), JSON.stringify(options)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    }
    const retriever = memoryRetriever({ embedder: hashEmbedder(), database });
    const good = { text: 'good' };
    const wrongDocuments: unknown[] = [
      'text',
      [good, null],
      [good, { text: 5 }],
      [good, { text: 'a', id: '' }],
      [good, { text: 'a', id: 5 }],
      [good, { text: 'a', createdAt: Number.NaN }],
      [good, { text: 'a', metadata: { run: () => 1 } }],
      [good, { text: 'a', metadata: 'text' }],
    ];
    for (const documents of wrongDocuments) {
      await expect(retriever.add(documents as never), String(documents)).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
    await expect(retriever.search(5 as never)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(retriever.search('a', { limit: Number.NaN })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await expect(retriever.delete('a' as never)).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await dump(name))['documents']).toEqual([]);
  });

  it('RTV-10: invalid vectors are rejected before anything is stored', async () => {
    const name = newId();
    const database = await databaseOf(name);
    const embedder = { ...hashEmbedder(), embed: async () => [new Float32Array([Number.NaN])] };
    const retriever = memoryRetriever({ embedder, database });
    await expect(retriever.add([{ text: 'a' }])).rejects.toMatchObject({ code: 'model-unavailable' });
    expect((await dump(name))['documents']).toEqual([]);
    const changed = memoryRetriever({ embedder: hashEmbedder({ dimensions: 8 }), database });
    await changed.add([{ text: 'a' }]);
    const other = memoryRetriever({ embedder: hashEmbedder({ dimensions: 16 }), database });
    await expect(other.add([{ text: 'b' }])).rejects.toMatchObject({ name: 'MnemoraError' });
    expect(await texts(changed, 'a')).toEqual(['a']);
  });

  it("RTV-11: a retriever and a memory share a database without touching each other's rows", async () => {
    const name = newId();
    const database = await databaseOf(name);
    const retriever = memoryRetriever({ embedder: false, database });
    await retriever.add([{ text: 'a red boat' }]);
    const memory = await createMemory({ name, embedder: false });
    const { turnId } = await memory.remember({ user: 'a blue boat', assistant: 'ok' });
    expect(await memory.search('boat')).toMatchObject([{ text: 'a blue boat' }]);
    expect(await texts(retriever, 'boat')).toEqual(['a red boat']);
    await memory.forget({ turnId });
    expect(await texts(retriever, 'boat')).toEqual(['a red boat']);
    await memory.close();
  });
});

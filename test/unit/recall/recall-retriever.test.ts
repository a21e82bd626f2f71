import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/index.ts';
import { memoryRetriever } from '../../../src/recall/memory-retriever.ts';
import { KeywordIndex } from '../../../src/search/keyword-index.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

it('RTV-7: a retriever with an embedder builds no keyword index', async () => {
  const add = vi.spyOn(KeywordIndex.prototype, 'add');
  for (const embedder of [hashEmbedder(), false] as const) {
    const retriever = memoryRetriever({ embedder });
    await retriever.add([{ text: 'the red boat' }, { text: 'the blue car' }]);
    expect((await retriever.search('a boat', { limit: 1 })).map((hit) => hit.document.text)).toEqual([
      'the red boat',
    ]);
    expect(add).toHaveBeenCalledTimes(embedder ? 0 : 2);
  }
  add.mockRestore();
});

it('RTV-15: clear leaves the documents of another scope, also of a session with the same id', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const open = (scope: string) =>
    memoryRetriever({ embedder: false, database, collection: 'notes', scope, sessionId: 'main' });
  const [alice, bob] = [open('alice'), open('bob')];
  await alice.add([{ id: 'a', text: 'the boat of Alice' }]);
  await bob.add([{ id: 'b', text: 'the boat of Bob' }]);
  await alice.clear?.();
  expect((await bob.search('boat')).map(({ id }) => id)).toEqual(['b']);
  await bob.clear?.();
  expect(await bob.search('boat')).toEqual([]);
});

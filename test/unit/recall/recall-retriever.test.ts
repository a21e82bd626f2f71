import { expect, it, vi } from 'vitest';
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

import { expect, it } from 'vitest';
import { createMemory } from '../../../../src/client/create-memory.ts';
import { scopeGraph } from '../../../../src/graph.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { openDatabase } from '../../../../src/sessions/open-database.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';

it('LRN-5: rebuild, and rules that are newer than the facts, keep what a page has added itself', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  const graph = scopeGraph({ database });
  await graph.update((draft) => {
    draft.graph.addTriple({ subject: 'Mara', predicate: 'owns', object: 'a boat' });
  });
  await database.chatHistory('earlier').addMessages([
    { role: 'user', content: 'Good morning.' },
    { role: 'assistant', content: 'Good morning!' },
  ]);
  const options = { database, embedder: false, learning: { extractor: offlineExtractor() } } as const;
  await using memory = await createMemory({ ...options, tokenizer: approximateTokenizer() });
  await memory.remember({ user: 'I live in Bern.', assistant: 'I see.' });
  await memory.work.settled();
  const known = async (): Promise<string[]> =>
    (await memory.facts.list()).map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);
  const facts = ['Mara owns a boat', 'user lives in Bern'];
  expect((await known()).toSorted()).toEqual(facts);
  await memory.backup.rebuild();
  expect((await known()).toSorted()).toEqual(facts);
});

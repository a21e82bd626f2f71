import { expect, it, vi } from 'vitest';
import { createMemory, openDatabase, type Extractor } from '../../../../src/index.ts';
import { TranscriptStore } from '../../../../src/storage/transcript/transcript-store.ts';
import { rowsOf } from '../../../fixtures/rows-of.ts';

/** As many as are learned from at once. */
const TURNS = 16;

const NOTHING: Extractor = {
  id: 'nothing',
  extract: () => Promise.resolve({ mentions: [], triples: [], unreadable: 0 }),
  summarize: () => Promise.resolve(''),
};

it('LRN-35: what the replies of a batch may repeat is read at once, each turn once', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const { transcript } = rowsOf(database);
  for (let n = 0; n < TURNS; n += 1) {
    await transcript.append({
      ...{ sessionId: 's', scope: 'user', turnId: `t${n}`, state: 'complete', createdAt: n + 1 },
      messages: [
        { role: 'user', content: `I was at gate${n}.` },
        { role: 'assistant', content: 'Good to know about the gate.' },
      ],
    });
  }
  const memory = await createMemory({ database, embedder: false, learning: { extractor: NOTHING } });
  await memory.work.settled();
  const loadTurns = vi.spyOn(TranscriptStore.prototype, 'loadTurns');
  await memory.backup.rebuild();
  const loaded = loadTurns.mock.calls.map(([, turnIds]) => turnIds);
  loadTurns.mockRestore();
  await memory.close();
  // The turns, those before the first of them, and what their replies repeat.
  expect(loaded.length).toBeLessThanOrEqual(3);
  expect(loaded.flat().length).toBeLessThanOrEqual(2 * TURNS);
});

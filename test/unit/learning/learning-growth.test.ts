import { expect, it, vi } from 'vitest';
import { FactIndex } from '../../../src/graph/fact-index.ts';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { createMemory, openDatabase, type Extractor } from '../../../src/index.ts';
import { EndIndex } from '../../../src/learning/claims/end-index.ts';
import { ConversationIndex } from '../../../src/search/conversation-index.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import { countRows } from '../../fixtures/databases/counted-rows.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Numbers of turns. `MNEMORA_SIZES=1000,4000,10000` measures others. */
const SIZES = (process.env['MNEMORA_SIZES'] ?? '250,1000').split(',').map(Number);

const SAID = [
  'I live in Porto with my sister.',
  'I work as a nurse at the clinic.',
  'My brother sings in the choir on Mondays.',
  'I quit the choir.',
  'We moved to Faro.',
  'I love olives and hate tea.',
];

/** Learns one fact from each turn. */
const EXTRACTOR: Extractor = {
  id: 'gate',
  extract: ({ messages }) => {
    const triples = messages.flatMap(({ id, text }) => {
      const [object] = /gate\d+/u.exec(text) ?? [];
      return object === undefined
        ? []
        : [{ subject: 'user', predicate: 'met', object, messageId: id, quote: object }];
    });
    return Promise.resolve({ mentions: [], triples, unreadable: 0 });
  },
  summarize: () => Promise.resolve('The user meets people.'),
};

/** Returns the rows read and the claims compared by a rebuild of this number of turns, each divided by that number. */
async function rebuilding(turns: number): Promise<{ rows: number; compared: number }> {
  const database = await openDatabase({ storage: 'memory' });
  const { transcript, connection } = rowsOf(database);
  for (let n = 0; n < turns; n += 1) {
    const text = `${SAID[n % SAID.length]} I was at gate${n}.`;
    await transcript.append({
      ...{ sessionId: 's', scope: 'user', turnId: `t${n}`, state: 'complete', createdAt: n + 1 },
      messages: [{ role: 'user', content: text }],
    });
  }
  const memory = await createMemory({ database, embedder: false, learning: { extractor: EXTRACTOR } });
  await memory.work.settled();
  let compared = 0;
  const counting = (['targetsOf', 'endersOf'] as const).map((name) => {
    const original = EndIndex.prototype[name] as (claim: object) => ClaimRow[];
    const counted = function (this: EndIndex, claim: object): ClaimRow[] {
      const found = original.call(this, claim);
      compared += found.length;
      return found;
    };
    return vi.spyOn(EndIndex.prototype, name).mockImplementation(counted);
  });
  const { rows, rowsOf: byStore } = await countRows(connection, () => memory.backup.rebuild());
  for (const spy of counting) spy.mockRestore();
  expect(await memory.facts.list()).toHaveLength(turns);
  await memory.close();
  if (process.env['MNEMORA_SIZES'])
    process.stdout.write(`${JSON.stringify({ turns, rows, compared, byStore })}\n`);
  return { rows: rows / turns, compared: compared / turns };
}

it('LRN-33: rebuild reads as many rows and compares as many claims a turn, whatever the number of turns', async () => {
  const costs = [];
  for (const size of SIZES) costs.push(await rebuilding(size));
  const [first, ...larger] = costs;
  for (const cost of larger) {
    expect(cost.rows).toBeLessThanOrEqual((first?.rows ?? 0) * 1.2);
    expect(cost.compared).toBeLessThanOrEqual((first?.compared ?? 0) * 1.5);
  }
});

it('LRN-36: of a reply the rarest words are searched for, in 1,000 places at most', async () => {
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { extractor: EXTRACTOR },
  });
  for (let n = 0; n < 520; n += 1) {
    await memory.remember({
      user: `Is gate${n} near the fountain?`,
      assistant: `Behind the fountain, near stall${n}.`,
    });
  }
  await memory.work.settled();
  const score = vi.spyOn(ConversationIndex.prototype, 'score');
  await memory.remember({ user: 'And gate7?', assistant: 'Behind the fountain, near stall7.' });
  await memory.work.settled();
  const searched = score.mock.calls.map(([words]) => [...words].join(' '));
  score.mockRestore();
  await memory.close();
  expect(searched.some((words) => words.includes('stall7'))).toBe(true);
  expect(searched.some((words) => words.includes('fountain'))).toBe(false);
});

it('LRN-37: which of many facts in a slot holds is found from the last ones alone', () => {
  let now = 0;
  const graph = new KnowledgeGraph({ clock: () => now });
  for (let n = 0; n < 500; n += 1) {
    now += 10;
    graph.addTriple({ subject: 'user', predicate: 'lives in', object: `Town${n}` });
  }
  const ids = graph.triples().map(({ id }) => id);
  const all = vi.spyOn(FactIndex.prototype, 'inSlot');
  const latest = vi.spyOn(FactIndex.prototype, 'latestInSlot');
  const view = graph.view();
  expect(ids.map((id) => view.holds(id))).toEqual([true]);
  expect(graph.view().latest('user').next().value?.object).toBe('Town499');
  expect(all).not.toHaveBeenCalled();
  expect(latest).toHaveBeenCalled();
  vi.restoreAllMocks();
});

it('LRN-40: what the user says of themselves makes no row grow', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await createMemory({ database, embedder: false });
  for (const food of ['olives', 'figs', 'rye bread', 'lentils', 'plums', 'leeks'])
    await memory.remember({ user: `I love ${food}.`, assistant: 'Good to know.' });
  await memory.work.settled();
  const stored = await rowsOf(database).connection.read(['entities'], (transaction) =>
    transaction.objectStore('entities').getAll(),
  );
  expect(await memory.facts.list()).toHaveLength(6);
  expect(stored.find(({ key }) => key === 'user')?.mentions).toEqual([]);
  await memory.close();
});

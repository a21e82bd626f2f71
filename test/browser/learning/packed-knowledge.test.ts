import { afterEach, expect, it, vi } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { openDatabase } from '../../../src/index.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import { newId } from '../../../src/model/id.ts';
import { textIn } from '../../fixtures/databases/copied-database.ts';
import { watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const PEOPLE = 600;
const NOTHING = { rows: '{"facts":[],"entities":[]}', index: undefined };

afterEach(() => {
  vi.useRealTimers();
});

/** A memory that knows so much that its rows are packed. */
async function packedMemory(): Promise<string> {
  const name = newId();
  const database = await openDatabase({ name });
  const { messageIds } = await rowsOf(database).transcript.append({
    sessionId: 'told',
    scope: 'user',
    messages: Array.from({ length: PEOPLE }, (_, n) => ({ role: 'user' as const, content: `message ${n}` })),
    state: 'complete',
    createdAt: 1,
  });
  const ids = messageIds.length === PEOPLE ? messageIds : await idsOf(name);
  const graph = new ScopeGraph({ store: rowsOf(database).knowledge, scope: 'user' });
  await graph.update((draft) => {
    for (let n = 0; n < PEOPLE; n++) {
      const messageId = ids[n] ?? '';
      const note = `Person${n} likes thing${n}.`;
      draft.addMention(`Person${n}`, { messageIds: [messageId], note, aliases: [], recordedAt: n });
      const words = { subject: `Person${n}`, predicate: 'likes', object: `thing${n}` };
      draft.graph.addTriple({ ...words, sources: [{ messageId }] });
    }
  });
  await graph.pack();
  database.close();
  expect(await packedIn(name)).toContain('person7 ');
  return name;
}

async function idsOf(name: string): Promise<string[]> {
  const { messages = [] } = await dump(name);
  return (messages as { id: string }[]).map(({ id }) => id);
}

async function packedIn(name: string): Promise<string> {
  const { packedKnowledge = [] } = await dump(name);
  const row = (packedKnowledge as { scope: string; parts: unknown }[]).find(({ scope }) => scope === 'user');
  return row ? `${textIn(row.parts).replaceAll(/[^a-z\d]+/g, ' ')} ` : '';
}

it('FACT-21: a large graph is opened from its snapshot without reading rows, and knows the same', async () => {
  const name = await packedMemory();
  const traffic = await watchIdb(async () => {
    const { items } = await (await memoryOf({ name, learning: false })).recall('What does Person7 like?');
    expect(items.map(({ text }) => text).join()).toContain('Person7 likes thing7');
  });
  expect(traffic.rowsOf['triples'] ?? 0).toBe(0);
  expect(traffic.rowsOf['entities'] ?? 0).toBe(0);
  const memory = await memoryOf({ name, learning: false });
  const facts = (await memory.facts.list()).map(({ subject, object }) => [subject, object]);
  expect(facts).toEqual(Array.from({ length: PEOPLE }, (_, n) => [`Person${n}`, `thing${n}`]));
  await memory.facts.correct((await memory.facts.list({ about: 'Person9' }))[0]?.id ?? '', { object: 'tea' });
  const again = await memoryOf({ name, learning: false });
  expect((await again.facts.list({ about: 'Person9' })).map(({ object }) => object)).toEqual(['tea']);
});

it.each([
  ['an entity', (): object => ({ entity: 'Person7' })],
  ['a message', async (name: string): Promise<object> => ({ messageId: (await idsOf(name))[7] })],
  ['everything', (): object => ({ everything: true })],
] as const)('FGT-33: forgetting %s leaves nothing of it in the snapshots', async (_what, selectorOf) => {
  const name = await packedMemory();
  const memory = await memoryOf({ name, learning: false });
  await memory.forget((await selectorOf(name)) as { everything: true });
  expect(await packedIn(name)).not.toContain('person7 ');
  expect(await memory.facts.list({ about: 'Person7' })).toEqual([]);
  await memory.work.settled();
  await memory.close();
  expect(await packedIn(name)).not.toContain('person7 ');
  const again = await memoryOf({ name, learning: false });
  expect(await again.facts.list({ about: 'Person7' })).toEqual([]);
  expect((await again.facts.list()).length).toBe(_what === 'everything' ? 0 : PEOPLE - 1);
});

it('FGT-33: a snapshot made before an erasure is not stored, and one made before something was learned is', async () => {
  const name = await packedMemory();
  const database = await openDatabase({ name });
  const { packed } = rowsOf(database).knowledge;
  const before = (await rowsOf(database).knowledge.read('user')).cursor;
  const graph = new ScopeGraph({ store: rowsOf(database).knowledge, scope: 'user' });
  await graph.update((draft) => draft.dropEntity('person7'));
  expect(await packed?.save('user', [NOTHING], before)).toBe(false);
  expect(await packedIn(name)).not.toContain('person7 ');
  const now = (await rowsOf(database).knowledge.read('user')).cursor;
  await graph.update(
    (draft) => void draft.graph.addTriple({ subject: 'Zoe', predicate: 'likes', object: 'tea' }),
  );
  expect(await packed?.save('user', [NOTHING], now)).toBe(true);
  const { changes } = (await packed?.load('user')) ?? {};
  expect(changes?.facts.map(({ subject }) => subject)).toEqual(['Zoe']);
  database.close();
});

it('FACT-24: work of many steps writes the snapshot once, after the last of them', async () => {
  const name = await packedMemory();
  const database = await openDatabase({ name });
  const store = rowsOf(database).knowledge;
  const save = vi.spyOn(store.packed ?? { save: () => undefined }, 'save');
  const graph = new ScopeGraph({ store, scope: 'user' });
  await graph.rows();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let n = 0; n < 6; n += 1) {
    await graph.update((draft) => draft.dropEntity(`person${n}`));
    await graph.rows();
  }
  expect(save).not.toHaveBeenCalled();
  vi.useRealTimers();
  await graph.pack();
  expect(save).toHaveBeenCalledTimes(1);
  expect(await packedIn(name)).not.toContain('person5 ');
  expect(await packedIn(name)).toContain('person6 ');
  await graph.pack();
  expect(save).toHaveBeenCalledTimes(1);
  database.close();
});

it('BAK-79: after an import and its work, a new page reads neither all messages nor all knowledge', async () => {
  const source = await memoryOf({ name: await packedMemory(), learning: false });
  const name = newId();
  const memory = await memoryOf({ name });
  await memory.backup.import(await source.backup.export());
  await memory.work.settled();
  await memory.close();
  const traffic = await watchIdb(async () => {
    const { items } = await (await memoryOf({ name, learning: false })).recall('What does Person7 like?');
    expect(items.map(({ text }) => text).join()).toContain('Person7 likes thing7');
  });
  expect(traffic.rowsOf['messages'] ?? 0).toBeLessThan(100);
  expect(traffic.rowsOf['triples'] ?? 0).toBe(0);
  expect(traffic.rowsOf['entities'] ?? 0).toBe(0);
});

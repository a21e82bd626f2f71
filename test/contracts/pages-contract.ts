import { expect, it, onTestFinished } from 'vitest';
import { createMemory, type Memory, type MemoryDatabase } from '../../src/index.ts';
import { countRows, type CountedRows } from '../fixtures/databases/counted-rows.ts';
import { rowsOf } from '../fixtures/rows-of.ts';

const PAGE = 7;

/** The lists of a memory that are read in pages, on either storage engine. */
export function pagesContract(open: () => Promise<MemoryDatabase>): void {
  async function opened(): Promise<{ memory: Memory; database: MemoryDatabase }> {
    const database = await open();
    const memory = await createMemory({ database, embedder: false, learning: false, sessionId: 's0' });
    onTestFinished(async () => {
      await memory.close();
      database.close();
    });
    return { memory, database };
  }

  /** Reads a list page by page, with the rows that each page read. */
  async function paged<Item>(
    database: MemoryDatabase,
    read: (last: Item | undefined) => Promise<Item[]>,
  ): Promise<{ items: Item[]; reads: CountedRows['rowsOf'][] }> {
    const items: Item[] = [];
    const reads: CountedRows['rowsOf'][] = [];
    const { connection } = rowsOf(database);
    for (;;) {
      const before = items.length;
      const body = async () => items.push(...(await read(items.at(-1))));
      const counted = await countRows(connection, body, ['get', 'getAll', 'last']);
      if (items.length < before + PAGE) return { items, reads };
      reads.push(counted.rowsOf);
    }
  }

  it('HIST-14: `sessions({ limit, after })` returns a page of the sessions, newest first, and reads no more rows than it returns', async () => {
    const { memory, database } = await opened();
    // Some have the same time.
    for (let n = 0; n < 30; n += 1)
      await memory
        .session(`s${n}`)
        .remember(
          { user: `Day ${n}.`, assistant: 'Noted.' },
          { createdAt: 1000 + Math.floor(((n * 7) % 30) / 3) },
        );
    const bob = await createMemory({ database, embedder: false, learning: false, scope: 'bob' });
    await bob.remember({ user: 'Hello.', assistant: 'Hello.' });
    await bob.close();
    await memory.work.settled(); // what else reads rows would be counted, too

    const all = await memory.sessions();
    expect(all).toHaveLength(30);
    expect(all).toEqual(all.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1)));
    const page = (last?: (typeof all)[number]) =>
      memory.sessions({ limit: PAGE, ...(last ? { after: last } : {}) });
    const { items, reads } = await paged(database, page);
    expect(items).toEqual(all);
    const read = reads.map((rows) => Object.entries(rows).filter(([, count]) => count > 0));
    expect(read).toEqual(Array.from({ length: 4 }, () => [['sessions', PAGE]]));

    expect(await memory.sessions({ limit: 0 })).toEqual([]);
    expect(await memory.sessions({ limit: 2 ** 40 })).toEqual(all);
    const [first, second, ...others] = all;
    expect(await memory.sessions({ after: second ?? { id: '', updatedAt: 0 } })).toEqual(others);

    // One that is forgotten or goes on moves no other to another page.
    await memory.forget({ sessionId: second?.id ?? '' });
    await memory
      .session(others[0]?.id ?? '')
      .remember({ user: 'More.', assistant: 'Noted.' }, { createdAt: 5000 });
    expect(await memory.sessions({ after: second ?? { id: '', updatedAt: 0 } })).toEqual(others.slice(1));
    expect((await memory.sessions({ limit: 2 })).map(({ id }) => id)).toEqual([others[0]?.id, first?.id]);
  });

  it('HIST-14: a page of sessions is full, also if all messages of some sessions were forgotten', async () => {
    const { memory } = await opened();
    for (let n = 0; n < 20; n += 1) {
      const turn = { user: `Day ${n}.`, assistant: 'Noted.' };
      await memory.session(`s${n}`).remember(turn, { createdAt: 1000 - n, turnId: `t${n}` });
    }
    for (let n = 0; n < 20; n += 1) if (n % 4 > 0) await memory.forget({ turnId: `t${n}` });
    expect((await memory.sessions({ limit: 4 })).map(({ id }) => id)).toEqual(['s0', 's4', 's8', 's12']);
  });

  it('FACT-42: `facts.entities({ limit, after })` returns a page of the entities, sorted by name, and reads only their rows', async () => {
    const { memory, database } = await opened();
    for (let n = 0; n < 30; n += 1)
      await memory.facts.add({
        subject: `Person ${n}`,
        predicate: 'knows',
        object: `PERSON ${(n * 7) % 30}`,
      });
    await memory.work.settled();
    const all = await memory.facts.entities();
    expect(all).toHaveLength(30);
    const sorted = all.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    const page = (last?: (typeof all)[number]) =>
      memory.facts.entities({ limit: PAGE, ...(last ? { after: last.name } : {}) });
    const { items, reads } = await paged(database, page);
    expect(items).toEqual(sorted);
    // Each is the subject of one fact and the object of another.
    for (const read of reads) {
      expect(read['entities']).toBe(PAGE);
      expect(read['triples']).toBeLessThanOrEqual(2 * PAGE + 2);
      expect(read['messages'] ?? 0).toBe(0);
    }
    expect(await memory.facts.entities({ limit: 0 })).toEqual([]);
    expect(await memory.facts.entities({ limit: 2 ** 40 })).toEqual(sorted);
    expect(await memory.facts.entities({ after: 'person 5' })).toEqual(sorted.slice(-4));
  });

  it('FACT-42: a page of entities says the same about each as the whole list', async () => {
    const { memory, database } = await opened();
    const learner = await createMemory({ database, embedder: false, sessionId: 's0' });
    for (const user of [
      'My sister Ana lives in Porto.',
      'Ana plays the cello.',
      'I moved to Braga with Ana.',
    ])
      await learner.remember({ user, assistant: 'Noted.' });
    await learner.work.settled();
    await learner.close();
    const all = await memory.facts.entities();
    expect(all.length).toBeGreaterThan(2);
    const byName = (list: typeof all) =>
      list
        .map((entity) => ({ ...entity, sources: entity.sources.toSorted() }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName(await memory.facts.entities({ limit: 100 }))).toEqual(byName(all));
  });

  it('HIST-14: misspelled or wrong options of a page are refused', async () => {
    const { memory } = await opened();
    for (const options of [{ limit: -1 }, { limit: 1.5 }, { after: 's0' }, { after: { id: 's0' } }])
      await expect(memory.sessions(options as never)).rejects.toMatchObject({ code: 'invalid-input' });
    for (const options of [{ limit: -1 }, { after: '' }, { after: { name: 'Ana' } }])
      await expect(memory.facts.entities(options as never)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(memory.sessions({ last: 1 } as never)).rejects.toMatchObject({ code: 'invalid-option' });
    await expect(memory.facts.entities({ about: 'Ana' } as never)).rejects.toMatchObject({
      code: 'invalid-option',
    });
  });
}

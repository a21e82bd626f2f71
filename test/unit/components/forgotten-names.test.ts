import { expect, it, onTestFinished, vi } from 'vitest';
import { scopeGraph } from '../../../src/graph.ts';
import { openDatabase, type Extractor, type Memory, type MemoryDatabase } from '../../../src/index.ts';
import { ConversationEntityMemory, ConversationKGMemory } from '../../../src/langchain.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

const SAID = { input: 'Sam is married to Dana.' };
const ANSWER = { output: 'I see.' };

/** Does something the next time that only tombstones were read, as another tab may. */
function afterLook(database: MemoryDatabase, then: () => Promise<unknown>): { readonly isDone: boolean } {
  const look = { isDone: false };
  const { connection } = rowsOf(database);
  const { read } = connection;
  const spy = vi.spyOn(connection, 'read').mockImplementation(async (stores, ...rest) => {
    const found = await read.call(connection, stores, ...rest);
    if (!look.isDone && stores.join() === 'tombstones') {
      look.isDone = true;
      await then();
    }
    return found;
  });
  onTestFinished(() => spy.mockRestore());
  return look;
}

/** A database with a memory that forgets. */
async function open(): Promise<{ database: MemoryDatabase; memory: Memory }> {
  const database = await openDatabase({ storage: 'memory' });
  return { database, memory: await memoryOf({ database, sessionId: 'other', learning: false }) };
}

interface Moments {
  /** What the model does before it answers. */
  readonly beforeAnswer?: () => Promise<unknown>;
  readonly enrichment?: 'inline' | 'background';
}

const MEMORIES = {
  graph: (database: MemoryDatabase, { beforeAnswer, enrichment = 'inline' }: Moments) =>
    new ConversationKGMemory({
      llm: async () => {
        await beforeAnswer?.();
        return { text: '(Sam, is married to, Dana)' };
      },
      chatHistory: database.chatHistory('s'),
      graph: scopeGraph({ database }),
      enrichment,
    }),
  entity: (database: MemoryDatabase, { beforeAnswer, enrichment = 'inline' }: Moments) => {
    const extractor: Extractor = {
      id: 'test/notes',
      summarize: async () => '',
      extract: async ({ messages }) => {
        await beforeAnswer?.();
        const said = messages.filter(({ role }) => role === 'user');
        const mentions = said.map(({ id, text }) => ({ name: 'Sam', messageId: id, note: text }));
        return { mentions, triples: [], unreadable: 0 };
      },
    };
    return new ConversationEntityMemory({
      extractor,
      chatHistory: database.chatHistory('s'),
      entityStore: database.entityStore(),
      enrichment,
      detectOnLoad: 'known-names',
    });
  },
};

/** Everything that was learned, as it is stored. */
async function learned(database: MemoryDatabase): Promise<string> {
  const { facts, entities } = await rowsOf(database).knowledge.read('user');
  return JSON.stringify({ facts, entities });
}

const KINDS = ['graph', 'entity'] as const;

it.each(KINDS)(
  'FGT-75: the %s memory learns the names of the same turn if nothing was forgotten',
  async (kind) => {
    const { database } = await open();
    await MEMORIES[kind](database, {}).saveContext(SAID, ANSWER);
    expect(await learned(database)).toContain('Dana');
  },
);

it.each(KINDS)(
  'FGT-75: the %s memory does not learn a name that was forgotten while its turn waited',
  async (kind) => {
    const { database, memory } = await open();
    const closed = MEMORIES[kind](database, { enrichment: 'background' });
    await closed.saveContext(SAID, ANSWER);
    await closed.close();
    expect(await learned(database)).not.toContain('Dana');
    expect(await memory.forget({ entity: 'Dana' })).toMatchObject({ turnsStillNaming: 1 });
    let answers = 0;
    const next = MEMORIES[kind](database, {
      enrichment: 'background',
      beforeAnswer: async () => void (answers += 1),
    });
    await next.settled();
    await next.close();
    expect(answers).toBe(1);
    expect(await learned(database)).not.toContain('Dana');
  },
);

it.each(KINDS)(
  'FGT-75: the %s memory does not learn a name that was forgotten while the model answered',
  async (kind) => {
    const { database, memory } = await open();
    const beforeAnswer = (): Promise<unknown> => memory.forget({ entity: 'Dana' });
    await MEMORIES[kind](database, { beforeAnswer }).saveContext(SAID, ANSWER);
    expect(await learned(database)).not.toContain('Dana');
  },
);

it.each(KINDS)(
  'FGT-75: the %s memory does not learn a name that was forgotten after it looked for forgotten names',
  async (kind) => {
    const { database, memory } = await open();
    const look = afterLook(database, () => memory.forget({ entity: 'Dana' }));
    await MEMORIES[kind](database, {}).saveContext(SAID, ANSWER);
    expect(look.isDone).toBe(true);
    expect(await learned(database)).not.toContain('Dana');
  },
);

it('FGT-75: the graph memory learns a forgotten name that a later turn of the same job says again', async () => {
  const { database, memory } = await open();
  const closed = MEMORIES.graph(database, { enrichment: 'background' });
  await closed.saveContext(SAID, ANSWER);
  await closed.close();
  await memory.forget({ entity: 'Dana' });
  const next = MEMORIES.graph(database, { enrichment: 'background' });
  await next.saveContext(SAID, ANSWER);
  await next.settled();
  await next.close();
  expect(await learned(database)).toContain('Dana');
});

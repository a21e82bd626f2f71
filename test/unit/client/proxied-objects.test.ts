import { reactive, ref } from 'vue';
import { expect, it } from 'vitest';
import { createMemory, live, openDatabase, withMemory, type Warning } from '../../../src/index.ts';
import { ConversationBufferMemory, memoryRetriever } from '../../../src/langchain.ts';

const OFFLINE = { embedder: false, learning: false, sessionId: 's' } as const;

it('MEM-100: a database in the state of Vue is taken where a database is', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  const state = reactive({ database });
  expect(state.database).not.toBe(database);
  await using memory = await createMemory({ ...OFFLINE, database: state.database });
  await memory.remember({ user: 'Hi.', assistant: 'Hello.' });
  expect(await state.database.sessions()).toHaveLength(1);
  const chatHistory = state.database.chatHistory('s');
  expect(await new ConversationBufferMemory({ chatHistory }).loadMemoryVariables({})).toEqual({
    history: 'Human: Hi.\nAI: Hello.',
  });
  const retriever = memoryRetriever({ embedder: false, database: state.database });
  expect(await retriever.search('Hi.')).toEqual([]);
});

it('MEM-100: a memory in the state of Vue is the same memory: its chats wait for each other, and it warns', async () => {
  const warnings: Warning[] = [];
  await using memory = await createMemory({
    ...{ ...OFFLINE, storage: 'memory' },
    onWarning: (warning) => warnings.push(warning),
  });
  const shown = ref(memory);
  const order: string[] = [];
  const llm = async (): Promise<string> => {
    order.push('asked');
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push('answered');
    return 'Hello.';
  };
  const lengths: number[] = [];
  const stop = live(
    shown.value,
    (from) => from.history(),
    ({ data = [] }) => lengths.push(data.length),
  );
  await Promise.all([
    withMemory(llm, shown.value).send('Hi.'),
    withMemory(llm, memory).send('Are you there?'),
  ]);
  expect(order).toEqual(['asked', 'answered', 'asked', 'answered']);
  await expect.poll(() => lengths.at(-1)).toBe(4);
  stop();
  const closing = withMemory(async () => {
    await memory.close();
    return 'Too late.';
  }, shown.value);
  expect(await closing.send('Bye.')).toBe('Too late.');
  expect(warnings.map(({ code }) => code)).toContain('save-failed');
});

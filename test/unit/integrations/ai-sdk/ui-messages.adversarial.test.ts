import type { UIMessage } from 'ai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../../src/index.ts';
import { loadUIMessages, saveUIMessages } from '../../../../src/integrations/ai-sdk.ts';

const offline = { storage: 'memory', embedder: false, learning: false } as const;

let memory: Memory;

beforeEach(async () => {
  memory = await createMemory(offline);
});
afterEach(() => memory.close());

const text = (id: string, role: UIMessage['role'], words: string): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text: words }],
});

it('AIU-1: a message of which no model reads anything is loaded, and saving the chat again writes nothing', async () => {
  const messages: UIMessage[] = [
    { id: 'hello', role: 'assistant', parts: [{ type: 'data-card', data: { n: 1 } }] },
    text('u', 'user', 'Hi?'),
    text('a', 'assistant', 'Hello.'),
  ];
  await saveUIMessages(memory, 'trip', messages);
  expect(await loadUIMessages(memory, 'trip')).toEqual(messages);
  const before = await memory.history({ sessionId: 'trip' });
  await saveUIMessages(memory, 'trip', messages);
  expect(await memory.history({ sessionId: 'trip' })).toEqual(before);
  const context = await memory.recall('And now?', { sessionId: 'trip' });
  expect(context.messages.map(({ content }) => content).slice(1)).toEqual(['Hi?', 'Hello.', 'And now?']);
});

it('AIU-1: turns that no page had shown are not stored again once the page has loaded them', async () => {
  await memory.remember({ user: 'Who am I?', assistant: 'Ada.' }, { sessionId: 'trip' });
  const loaded = await loadUIMessages(memory, 'trip');
  await saveUIMessages(memory, 'trip', loaded);
  expect(await memory.history({ sessionId: 'trip' })).toHaveLength(2);
  const longer = [...loaded, text('u', 'user', 'Sure?'), text('a', 'assistant', 'Yes.')];
  await saveUIMessages(memory, 'trip', longer);
  expect((await memory.history({ sessionId: 'trip' })).map(({ state }) => state)).toEqual(
    Array(4).fill('complete'),
  );
  expect(await loadUIMessages(memory, 'trip')).toEqual(longer);
});

it('AIU-2: turns of others in the session are not replaced by a page that has not loaded them', async () => {
  await memory.remember({ user: 'Who am I?', assistant: 'Ada.' }, { sessionId: 'trip' });
  await saveUIMessages(memory, 'trip', [text('u', 'user', 'Sure?'), text('a', 'assistant', 'Yes.')]);
  expect((await memory.history({ sessionId: 'trip' })).map(({ state }) => state)).toEqual(
    Array(4).fill('complete'),
  );
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

it.each([
  ['a reserved name', JSON.parse('{"constructor":1}')],
  ['a prototype', JSON.parse('{"__proto__":{"a":1}}')],
  ['depth', nested(300)],
])('AIU-3: a message with %s is refused by name, and the chat is unchanged', async (_name, data) => {
  const bad = { id: 'b', role: 'assistant', parts: [{ type: 'data-n', data }] };
  const saved = saveUIMessages(memory, 'trip', [text('z', 'user', 'Hm.'), bad as never]);
  await expect(saved).rejects.toMatchObject({
    code: 'invalid-message',
    message: expect.stringContaining('Message 1'),
  });
  expect(await memory.history({ sessionId: 'trip' })).toEqual([]);
});

it('AIU-3: a turn whose parts cannot be stored leaves a chat of whole turns, which can be saved again', async () => {
  const first = [text('u', 'user', 'Hi?'), text('a', 'assistant', 'Hello.')];
  const second = [text('v', 'user', 'Sure?'), text('b', 'assistant', 'Yes.')];
  const real = memory.records('ai-sdk/ui-messages');
  let puts = 0;
  const full = {
    ...memory,
    records: () => ({
      ...real,
      put: (...given: Parameters<typeof real.put>) =>
        (puts += 1) === 2 ? Promise.reject(new Error('full')) : real.put(...given),
    }),
  };
  await expect(saveUIMessages(full, 'trip', [...first, ...second])).rejects.toThrow('full');
  expect(await loadUIMessages(memory, 'trip')).toEqual(first);
  await saveUIMessages(full, 'trip', [...first, ...second]);
  expect(await loadUIMessages(memory, 'trip')).toEqual([...first, ...second]);
  expect(await memory.history({ sessionId: 'trip' })).toHaveLength(4);
});

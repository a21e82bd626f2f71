import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemory, type ChatMessage, type Memory } from '../../../src/index.ts';

let memory: Memory;

beforeEach(async () => {
  memory = await createMemory({ storage: 'memory', embedder: false, sessionId: 'now' });
  const told = { user: 'My sister Hannah lives in Oslo.', assistant: 'A nice city.' };
  await memory.remember(told, { sessionId: 'before' });
  await memory.remember({ user: 'My sister Hannah plays the cello.', assistant: 'Lovely.' });
  await memory.work.settled();
});
afterEach(() => memory.close());

const SAID: readonly ChatMessage[] = [
  { role: 'user', content: 'My sister Hannah\nplays the cello.' },
  { role: 'assistant', content: 'Lovely.' },
];
const QUESTION = 'Where does my sister Hannah live, and what does she play?';

function textOf({ messages }: { messages: readonly ChatMessage[] }): string {
  return JSON.stringify(messages);
}

it('REC-43: beside a conversation that the page sends, neither recent turns nor what it contains are sent', async () => {
  const alone = await memory.recall(QUESTION);
  expect(textOf(alone)).toContain('plays the cello');
  expect(alone.items.map(({ kind }) => kind)).toContain('recent');
  const beside = await memory.recall(QUESTION, { conversation: SAID });
  expect(beside.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(textOf(beside)).toContain('lives in Oslo');
  expect(textOf(beside)).not.toContain('plays the cello.');
  expect(beside.items.map(({ kind }) => kind)).not.toContain('recent');
});

it('REC-43: with an empty conversation, turns of the session are recalled like any other', async () => {
  const context = await memory.recall(QUESTION, { conversation: [] });
  expect(context.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(textOf(context)).toContain('plays the cello');
  expect(textOf(context)).toContain('lives in Oslo');
});

it('REC-43: a conversation with a message of another shape is refused', async () => {
  const recalled = memory.recall(QUESTION, { conversation: [{ role: 'robot' } as never] });
  await expect(recalled).rejects.toMatchObject({ code: 'invalid-message' });
});

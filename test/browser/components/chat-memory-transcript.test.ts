import { expect, it, onTestFinished } from 'vitest';
import {
  MessageWindowChatMemory,
  TokenWindowChatMemory,
} from '../../../src/components/langchain4j/window-chat-memories.ts';
import { newId } from '../../../src/model/id.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';

function said(count: number): ChatMessage[] {
  return Array.from({ length: count }, (_, n): ChatMessage => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `message ${n}`,
  }));
}

it.each(['messages', 'tokens'])(
  'CHM-12: messages that a window of %s evicts stay in the history of its session, even after clear',
  async (unit) => {
    const database = await openDatabase({ name: newId() });
    onTestFinished(() => database.close());
    const store = database.chatMemoryStore();
    const memory =
      unit === 'messages'
        ? new MessageWindowChatMemory({ id: 'chat', store, maxMessages: 2 })
        : new TokenWindowChatMemory({ id: 'chat', store, maxTokens: 20, tokenizer: approximateTokenizer() });
    const history = database.chatHistory('chat');
    const [first, ...rest] = said(10) as [ChatMessage, ...ChatMessage[]];
    await memory.add(first);
    await memory.addAll(rest);
    expect((await memory.messages()).length).toBeLessThan(10);
    expect(await history.getMessages()).toEqual(said(10));
    expect(new Set((await history.list()).map(({ turnId }) => turnId)).size).toBe(5);
    await memory.clear();
    expect(await memory.messages()).toEqual([]);
    expect(await history.getMessages()).toEqual(said(10));
  },
);

it('CHM-13: setting a list again adds only its new messages to the history', async () => {
  const database = await openDatabase({ name: newId() });
  onTestFinished(() => database.close());
  const store = database.chatMemoryStore();
  const memory = new MessageWindowChatMemory({ id: 'chat', store, maxMessages: 5 });
  const history = database.chatHistory('chat');
  const system: ChatMessage = { role: 'system', content: 'Be brief.' };
  for (const count of [4, 4, 10, 10, 12]) {
    await memory.set([system, ...said(count)]);
    expect(await history.getMessages()).toEqual([system, ...said(count)]);
  }
  await memory.add(system);
  expect(await history.getMessages()).toHaveLength(13);
});

import { describe, expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';

describe('InMemoryChatMessageHistory', () => {
  it('HIST-1: the given messages come before those added later', async () => {
    const first = { role: 'user', content: 'one' } as const;
    const history = new InMemoryChatMessageHistory([first]);
    await history.addAIMessage('two');
    expect(await history.getMessages()).toEqual([first, { role: 'assistant', content: 'two' }]);
  });

  it('HIST-13: an answer can be added by either of the names that LangChain has for it', async () => {
    const database = await openDatabase({ storage: 'memory' });
    for (const history of [new InMemoryChatMessageHistory(), database.chatHistory('s')]) {
      await history.addUserMessage('hi');
      await history.addAIChatMessage('hello');
      await history.addAIMessage('well?');
      expect((await history.list()).map(({ role, content, turn }) => [role, content, turn])).toEqual([
        ['user', 'hi', 0],
        ['assistant', 'hello', 0],
        ['assistant', 'well?', 0],
      ]);
    }
  });

  it('HIST-1: an invalid message is rejected by the constructor', () => {
    for (const bad of [[{ role: 'robot', content: 'x' }], 'hi', [null]]) {
      expect(() => new InMemoryChatMessageHistory(bad as never)).toThrow(
        expect.objectContaining({ code: 'invalid-message' }),
      );
    }
  });
});

import { describe, expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../src/sessions/in-memory-history.ts';

describe('InMemoryChatMessageHistory', () => {
  it('HIST-1: holds the messages that it is made with, before those that are added', async () => {
    const first = { role: 'user', content: 'one' } as const;
    const history = new InMemoryChatMessageHistory([first]);
    await history.addAIMessage('two');
    expect(await history.getMessages()).toEqual([first, { role: 'assistant', content: 'two' }]);
  });

  it('HIST-1: a bad message is refused at once', () => {
    for (const bad of [[{ role: 'robot', content: 'x' }], 'hi', [null]]) {
      expect(() => new InMemoryChatMessageHistory(bad as never)).toThrow(
        expect.objectContaining({ code: 'invalid-message' }),
      );
    }
  });
});

import { describe, expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../src/sessions/in-memory-history.ts';

describe('InMemoryChatMessageHistory', () => {
  it('HIST-1: the given messages come before those added later', async () => {
    const first = { role: 'user', content: 'one' } as const;
    const history = new InMemoryChatMessageHistory([first]);
    await history.addAIMessage('two');
    expect(await history.getMessages()).toEqual([first, { role: 'assistant', content: 'two' }]);
  });

  it('HIST-1: an invalid message is rejected by the constructor', () => {
    for (const bad of [[{ role: 'robot', content: 'x' }], 'hi', [null]]) {
      expect(() => new InMemoryChatMessageHistory(bad as never)).toThrow(
        expect.objectContaining({ code: 'invalid-message' }),
      );
    }
  });
});

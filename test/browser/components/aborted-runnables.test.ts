import { expect, it } from 'vitest';
import {
  InMemoryChatMessageHistory,
  withMessageHistory,
  type RunnableOptions,
} from '../../../src/langchain.ts';

/** A model whose client rejects with an error of its own when the signal aborts, as most do. */
function untilAborted(_input: unknown, { onToken, signal }: RunnableOptions): Promise<string> {
  onToken?.('Hel');
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('Request was aborted.')));
  });
}

// The browser itself fires the event of a timeout, and runs microtasks between its listeners.
it('CHN-62: a call whose time is up is cancelled, whatever error the model then rejects with', async () => {
  const history = new InMemoryChatMessageHistory();
  await history.list(); // opens it before the time begins
  const chat = withMessageHistory(untilAborted, { getSessionHistory: () => history });
  const session = { configurable: { sessionId: 's' } };
  await expect(chat.invoke('Hi.', { ...session, signal: AbortSignal.timeout(200) })).rejects.toThrow(
    /aborted|timed out/,
  );
  expect((await history.list()).map(({ state }) => state)).toEqual(['cancelled']);
});

it('CHN-62: a stream whose time is up is cancelled, whatever error the model then rejects with', async () => {
  const history = new InMemoryChatMessageHistory();
  const source = {
    invoke: () => '',
    async *stream(_input: unknown, options: RunnableOptions) {
      yield 'Hel';
      yield await untilAborted(undefined, options);
    },
  };
  await history.list(); // opens it before the time begins
  const chat = withMessageHistory(source, { getSessionHistory: () => history });
  const read = async (): Promise<void> => {
    const signal = AbortSignal.timeout(200);
    for await (const _piece of chat.stream('Hi.', { configurable: { sessionId: 's' }, signal })) continue;
  };
  await expect(read()).rejects.toThrow(/aborted|timed out/);
  expect((await history.list()).map(({ state, content }) => [state, content])).toEqual([
    ['cancelled', 'Hi.'],
    ['cancelled', 'Hel'],
  ]);
});

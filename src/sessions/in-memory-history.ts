import type { CountedMessage } from '../model/message.ts';
import { parseCountedMessages } from './chat-message-history.ts';
import { memoizeAsync } from '../model/loading.ts';
import { TranscriptHistory } from './transcript-history.ts';

/**
 * A history that lives as long as the page.
 *
 * @example
 * const history = new InMemoryChatMessageHistory([{ role: 'user', content: 'Hello' }]);
 */
export class InMemoryChatMessageHistory extends TranscriptHistory {
  /**
   * Creates a history, by default an empty one.
   *
   * @param messages the messages that it begins with
   * @throws MnemoraError `invalid-message`
   */
  constructor(messages: readonly CountedMessage[] = []) {
    const parsed = parseCountedMessages(messages);
    const open = memoizeAsync(async () => {
      const { openMemoryStores } = await import('./open-memory-history.ts');
      return openMemoryStores('default', parsed);
    });
    open().catch(() => undefined); // reported to the next call
    // Without an engine the history queues no jobs: background work has to survive the page.
    super(async (use) => use(await open()), 'default');
  }
}

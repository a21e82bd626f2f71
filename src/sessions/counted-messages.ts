import { MnemoraError } from '../model/error.ts';
import { parseMessage, type CountedMessage, type TokenCounts } from '../model/message.ts';

/**
 * Checks messages from outside, with their token counts, and returns copies.
 *
 * @throws MnemoraError `invalid-message`
 */
export function parseCountedMessages(messages: readonly CountedMessage[]): CountedMessage[] {
  if (!Array.isArray(messages)) throw new MnemoraError('invalid-message', 'Messages must be an array.');
  return Array.from(messages, (counted: CountedMessage) => {
    if (!counted?.tokens) return parseMessage(counted);
    const { tokens, ...message } = counted;
    return { ...parseMessage(message), tokens: parseCounts(tokens) };
  });
}

function parseCounts(tokens: TokenCounts): TokenCounts {
  for (const [id, count] of Object.entries(tokens)) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new MnemoraError(
        'invalid-message',
        `The token count of "${id}" must be a whole number, not ${count}.`,
      );
    }
  }
  return { ...tokens };
}

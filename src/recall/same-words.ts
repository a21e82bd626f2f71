import { messageText, type StoredMessage } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';

/**
 * What messages have in common that say the same but for case, marks and endings: their terms in order. Empty where
 * they have none. No looser than that, because "I paid 50" and "I paid 60" differ in one word out of three.
 */
export function sameWords(messages: readonly StoredMessage[]): string {
  return messages.flatMap((message) => analyze(messageText(message))).join(' ');
}

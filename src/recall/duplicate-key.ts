import { messageText, type StoredMessage } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';
import { speakerName } from './indexed-text.ts';

/**
 * What messages have in common that say the same but for case, marks and endings: their terms in order, and who is
 * named as their speaker. Empty where they have no terms. No looser than that, because "I paid 50" and "I paid 60"
 * differ in one word out of three.
 */
export function duplicateKey(messages: readonly StoredMessage[]): string {
  return messages
    .flatMap((message) => {
      const terms = analyze(messageText(message));
      return terms.length > 0 ? [...analyze(speakerName(message) ?? ''), ':', ...terms] : [];
    })
    .join(' ');
}

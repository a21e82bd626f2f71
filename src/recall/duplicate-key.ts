import { messageText, type StoredMessage } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';
import { speakerName } from './indexed-text.ts';

/**
 * Returns a key that is equal for messages that differ only in case, marks and endings: their speakers and their terms in
 * order. Empty if they have no terms. It is no looser than that, because "I paid 50" and "I paid 60" differ in a single
 * word.
 */
export function duplicateKey(messages: readonly StoredMessage[]): string {
  return messages
    .flatMap((message) => {
      const terms = analyze(messageText(message));
      return terms.length > 0 ? [...analyze(speakerName(message) ?? ''), ':', ...terms] : [];
    })
    .join(' ');
}

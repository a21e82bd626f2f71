import { readText } from '../language/read-text.ts';
import { analyze } from '../language/terms.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { FoundTurn } from './layout/context-layout.ts';
import { asksOnly } from './stated-turns.ts';

/** Maximum number of messages that count as found by the question. */
const FOUND_MESSAGES = 40;
/** An answer of more characters says something. */
const REACTION_CHARACTERS = 200;

/**
 * Leaves out answers that only react to what the user has said, such as "Good that Wanda stays.": short ones where the
 * user asked nothing, which search has not found and which share no word with the question.
 *
 * @param words content terms of the question
 */
export function withoutReactions(
  found: readonly FoundTurn[],
  hits: readonly FusedHit[],
  words: ReadonlySet<string>,
): FoundTurn[] {
  const best = new Set(hits.slice(0, FOUND_MESSAGES).map(({ id }) => id));
  return found.map((turn) => {
    const own = turn.messages.filter(({ role }) => role === 'user').map(messageText);
    if (own.length === 0 || own.some(asks)) return turn;
    const isReaction = (message: StoredMessage): boolean => {
      if (message.role !== 'assistant' || best.has(message.id)) return false;
      const text = messageText(message);
      return text.length <= REACTION_CHARACTERS && !analyze(text).some((term) => words.has(term));
    };
    const messages = turn.messages.filter((message) => !isReaction(message));
    return messages.length === turn.messages.length ? turn : { ...turn, messages };
  });
}

/** Whether a text asks something, with or without a question mark. */
function asks(text: string): boolean {
  return ASKED.test(text) || readText(text).opensAsking || asksOnly(text);
}

const ASKED = /[?？؟]/u;

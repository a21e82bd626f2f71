import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import { USER_NAME } from './first-person.ts';

/** A text that words may have been taken from, and the messages that it goes with. */
export interface WordOrigin {
  readonly messageIds: readonly string[];
  readonly text: string;
}

/**
 * Tells which messages, besides the one that is cited, something needs for its words: "her favourite colour is red" is
 * about Sam only through an earlier one. What was made of it has to go when that message goes, whatever the model says
 * that it cites. Of several messages with a word the last one is named; what is in none is the model's own wording.
 *
 * @param origins oldest first
 */
export function wordOrigins(
  origins: readonly WordOrigin[],
): (texts: readonly string[], citedId: string) => string[] {
  const termsOf = origins.map((origin) => new Set(contentTerms(origin.text)));
  const last = new Map<string, readonly string[]>();
  for (const [position, { messageIds }] of origins.entries()) {
    for (const term of termsOf[position] ?? []) last.set(term, messageIds);
  }
  return (texts, citedId) => {
    const cited = origins.findIndex((origin) => origin.messageIds.includes(citedId));
    const missing = texts.flatMap(contentTerms).filter((term) => !termsOf[cited]?.has(term));
    return [...new Set(missing.flatMap((term) => last.get(term)?.slice(-1) ?? []))];
  };
}

function contentTerms(text: string): string[] {
  return analyze(text).filter((term) => !ENGLISH_STOP_WORDS.has(term) && term !== USER_NAME);
}

import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import { USER_NAME } from './first-person.ts';

/** What words may have been taken from, and the messages that it goes with. */
export interface WordOrigin {
  readonly messageIds: readonly string[];
  /** The text, or what tells whether a word is in there, as it is searched. */
  readonly text: string | ((term: string) => boolean);
}

/**
 * Tells which messages, besides the one that is cited, something needs for its words: "her favorite color is red" is
 * about Sam only through an earlier one. What was made of it has to go when that message goes, whatever the model says
 * that it cites. Of several messages with a word the last one is named; what is in none is the model's own wording.
 *
 * @param origins oldest first
 */
export function wordOrigins(
  origins: readonly WordOrigin[],
): (texts: readonly string[], citedId: string) => string[] {
  const readers = origins.map((origin) => ({ ...origin, has: lazyReader(origin.text) }));
  return (texts, citedId) => {
    // The message itself comes after what is known, some of which it may have told before.
    const cited = readers.findLast((origin) => origin.messageIds.includes(citedId));
    const missing = [...new Set(texts.flatMap(contentTerms))].filter((term) => !cited?.has(term));
    const needed = missing.map((term) => readers.findLast((origin) => origin.has(term))?.messageIds.at(-1));
    return [...new Set(needed)].filter((id) => id !== undefined).filter((id) => id !== citedId);
  };
}

/** Reads the text when first asked: most words are in the message that is cited. */
function lazyReader(text: WordOrigin['text']): (term: string) => boolean {
  if (typeof text !== 'string') return text;
  let terms: ReadonlySet<string> | undefined;
  return (term) => (terms ??= new Set(analyze(text))).has(term);
}

function contentTerms(text: string): string[] {
  return analyze(text).filter((term) => !ENGLISH_STOP_WORDS.has(term) && term !== USER_NAME);
}

import { analyze, contentTerms } from '../language/terms.ts';
import { USER_NAME } from './first-person.ts';

/** A text that words can come from, with its messages. */
export interface WordOrigin {
  readonly messageIds: readonly string[];
  /** The text, or a test for whether it contains an index term. */
  readonly text: string | ((term: string) => boolean);
}

/**
 * Returns a function that finds the messages, besides the cited one, that a text's words come from: "her favorite
 * color is red" is about Sam only because of an earlier message. A result must be erased with those messages,
 * whichever one the model cites. If several messages contain a word, the last one counts; a word in none of them is
 * the model's own.
 *
 * @param origins oldest first
 */
export function wordOrigins(
  origins: readonly WordOrigin[],
): (texts: readonly string[], citedId: string) => string[] {
  const readers = origins.map((origin) => ({ ...origin, has: lazyReader(origin.text) }));
  return (texts, citedId) => {
    // The cited message comes after the known texts, which may have come from it.
    const cited = readers.findLast((origin) => origin.messageIds.includes(citedId));
    const terms = new Set(texts.flatMap(contentTerms));
    const missing = [...terms].filter((term) => term !== USER_NAME && !cited?.has(term));
    const needed = missing.flatMap(
      (term) => readers.findLast((origin) => origin.has(term))?.messageIds.at(-1) ?? [],
    );
    return [...new Set(needed)].filter((id) => id !== citedId);
  };
}

/** Analyzes the text on first use, because most words are in the cited message. */
function lazyReader(text: WordOrigin['text']): (term: string) => boolean {
  if (typeof text !== 'string') return text;
  let terms: ReadonlySet<string> | undefined;
  return (term) => (terms ??= new Set(analyze(text))).has(term);
}

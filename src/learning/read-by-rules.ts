import type { FactView } from '../graph/fact-view.ts';
import { analyze } from '../language/terms.ts';
import type { CheckedTriple } from './check-extraction.ts';
import { isByRules } from './rules/offline-extractor.ts';

/** A fact that rules have read from the words of a message. */
interface ReadByRules {
  readonly messageId: string;
  readonly quote: string;
  /** The words of its subject and of its object. */
  readonly ends: readonly (readonly string[])[];
}

/**
 * Returns what a model has read without what rules have read already: of the same words, about the same two. To correct
 * one of them would leave the other.
 */
export function withoutReadByRules(triples: readonly CheckedTriple[], known: FactView): CheckedTriple[] {
  const messageIds = new Set(triples.map(({ messageId }) => messageId));
  const read = [...messageIds].flatMap((id) => readByRules(id, known));
  return triples.filter((triple) => !read.some((other) => saysTheSame(triple, other)));
}

function readByRules(messageId: string, known: FactView): ReadByRules[] {
  return known.from(messageId).flatMap(({ subject, object, sources, attributes }) => {
    if (!isByRules({ id: String(attributes['madeBy']) })) return [];
    const ends = [subject, object].map(analyze);
    return sources.flatMap(({ quote, isContext, ...source }) =>
      source.messageId !== messageId || isContext || quote === undefined ? [] : { messageId, quote, ends },
    );
  });
}

function saysTheSame({ messageId, quote, subject, object }: CheckedTriple, other: ReadByRules): boolean {
  if (messageId !== other.messageId || quote === undefined) return false;
  if (!quote.includes(other.quote) && !other.quote.includes(quote)) return false;
  const ends = [subject, object].map(analyze);
  return [ends, ends.toReversed()].some((pair) =>
    pair.every((words, at) => haveSameWords(words, other.ends[at] ?? [])),
  );
}

function haveSameWords(words: readonly string[], others: readonly string[]): boolean {
  return (
    words.length > 0 &&
    words.every((word) => others.includes(word)) &&
    others.every((word) => words.includes(word))
  );
}

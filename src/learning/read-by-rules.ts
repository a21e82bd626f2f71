import type { FactView } from '../graph/fact-view.ts';
import { predicateForm } from '../graph/predicate.ts';
import { analyze, contentTerms } from '../language/terms.ts';
import type { CheckedTriple } from './check-extraction.ts';
import { isByRules } from './rules/offline-extractor.ts';
import { RELATIONS } from './support/relations.ts';

/** A fact that rules have read from the words of a message. */
interface ReadByRules {
  readonly messageId: string;
  readonly quote: string;
  readonly predicate: string;
  /** The words of its subject and of its object. */
  readonly ends: readonly (readonly string[])[];
}

/**
 * Returns what a model has read without what rules have read already: in the same words, the same relation of the same
 * two. To correct one of them would leave the other.
 */
export function withoutReadByRules(triples: readonly CheckedTriple[], known: FactView): CheckedTriple[] {
  const messageIds = new Set(triples.map(({ messageId }) => messageId));
  const read = [...messageIds].flatMap((id) => readByRules(id, known));
  return triples.filter((triple) => !read.some((other) => saysTheSame(triple, other)));
}

function readByRules(messageId: string, known: FactView): ReadByRules[] {
  return known.from(messageId).flatMap(({ subject, predicate, object, sources, attributes }) => {
    if (!isByRules({ id: String(attributes['madeBy']) })) return [];
    const ends = [subject, object].map(analyze);
    return sources.flatMap(({ quote, isContext, ...source }) =>
      source.messageId !== messageId || isContext || quote === undefined
        ? []
        : { messageId, quote, predicate, ends },
    );
  });
}

function saysTheSame(triple: CheckedTriple, other: ReadByRules): boolean {
  const { messageId, quote, subject, predicate, object } = triple;
  if (messageId !== other.messageId || quote === undefined) return false;
  if (!isSameRelation(predicate, other.predicate)) return false;
  if (!quote.includes(other.quote) && !other.quote.includes(quote)) return false;
  const ends = [subject, object].map(analyze);
  return [ends, ends.toReversed()].some((pair) =>
    pair.every((words, at) => haveSameWords(words, other.ends[at] ?? [])),
  );
}

/** "Is sister of" and "has sister" share a word; "resides in" and "lives in" are listed as one. */
function isSameRelation(one: string, other: string): boolean {
  const [words, others] = [one, other].map((predicate) => contentTerms(predicateForm(predicate).key));
  if (words?.some((word) => others?.includes(word))) return true;
  const keys = [one, other].map((predicate) => predicateForm(predicate).key);
  return LISTED.some((names) => keys.every((key) => names.has(key)));
}

const LISTED = RELATIONS.map(
  (line) => new Set((line.split('=>')[0] ?? '').split('|').map((name) => predicateForm(name.trim()).key)),
);

function haveSameWords(words: readonly string[], others: readonly string[]): boolean {
  return (
    words.length > 0 &&
    words.every((word) => others.includes(word)) &&
    others.every((word) => words.includes(word))
  );
}

import { sentenceOf } from '../graph/fact-sentence.ts';
import { analyze } from '../search/analyze.ts';
import type { ParsedTriple } from './parse-triples.ts';

/**
 * Counts the words that facts share with a text, in the wording in which they were told. `StatementIndex` ranks them, and
 * has their entities by their keys.
 */
export class FactWords {
  readonly #idsByTerm = new Map<string, Set<string>>();

  /** Adds a fact that is not in here. */
  add(id: string, fact: ParsedTriple): void {
    for (const term of termsOf(fact)) {
      const ids = this.#idsByTerm.get(term);
      if (ids) ids.add(id);
      else this.#idsByTerm.set(term, new Set([id]));
    }
  }

  /** Removes a fact, which has to have the words that it was added with. */
  remove(id: string, fact: ParsedTriple): void {
    for (const term of termsOf(fact)) {
      const ids = this.#idsByTerm.get(term);
      ids?.delete(id);
      if (ids?.size === 0) this.#idsByTerm.delete(term);
    }
  }

  /** The facts with any of these terms, and how many of them each has. */
  sharing(terms: Iterable<string>): Map<string, number> {
    const shared = new Map<string, number>();
    for (const term of new Set(terms)) {
      for (const id of this.#idsByTerm.get(term) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    }
    return shared;
  }
}

function termsOf(fact: ParsedTriple): ReadonlySet<string> {
  return new Set(analyze(sentenceOf(fact)));
}

import type { Extractor, ProposedTriple } from '../../../src/index.ts';

/** A pair of messages, with the phrases of the earlier one that the later one ends, and those that it does not. */
export interface EndsPair {
  readonly earlier: string;
  readonly later: string;
  readonly ended: readonly string[];
  readonly stillTrue: readonly string[];
}

/**
 * Returns a model that reads each phrase of an earlier message as a fact, in words that no rule knows, and says of the
 * later one that it replaces all that is known: only the phrases that have ended, or every phrase of every pair.
 */
export function scriptedEnds(pairs: readonly EndsPair[], of: 'ended' | 'all'): Extractor {
  const said = (messageId: string, quote: string): ProposedTriple => ({
    ...{ subject: 'user', predicate: 'said', object: quote, messageId, quote },
  });
  return {
    id: 'scripted-ends',
    isModel: true,
    summarize: async ({ summary }) => summary,
    extract: async ({ messages, facts }) => ({
      mentions: [],
      unreadable: 0,
      triples: messages.flatMap(({ id, role, text }) =>
        pairs.flatMap(({ earlier, later, ended, stillTrue }): ProposedTriple[] => {
          const phrases = of === 'all' ? [...ended, ...stillTrue] : ended;
          if (role !== 'user' || phrases.length === 0) return [];
          if (text === earlier) return phrases.map((phrase) => said(id, phrase));
          const isEnd = text === later && (of === 'all' || ended.length > 0);
          return isEnd ? [{ ...said(id, later), supersedes: facts.map((fact) => fact.id) }] : [];
        }),
      ),
    }),
  };
}

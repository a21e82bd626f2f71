import type { Memory, MemoryFact, SearchResult } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageIdsOf } from '../memory/known-things.ts';
import type { MessageSessions } from '../memory/message-sessions.ts';
import { isHit, wordsOf } from './highlight.ts';

/** The results of a search, best first. */
export interface Findings {
  readonly facts: readonly MemoryFact[];
  /** Session ids by message id. */
  readonly sessionOf: ReadonlyMap<string, string>;
  /** Messages with words of the query. */
  readonly messages: readonly SearchResult[];
  /** Messages without these words but with a similar meaning. */
  readonly similar: readonly SearchResult[];
}

/** Searches facts by words, and messages by words and meaning. */
export async function searchMemory(
  memory: Memory,
  messageSessions: MessageSessions,
  query: string,
): Promise<Findings> {
  const [facts, messages] = await Promise.all([
    memory.facts.list(),
    memory.search(query, { limit: MAX_MESSAGES }),
  ]);
  const found = factsWith(facts, wordsOf(query)).slice(0, MAX_FACTS);
  return {
    facts: found,
    sessionOf: await messageSessions.find(found.flatMap(messageIdsOf)),
    messages: messages.filter(hasWords),
    similar: closestInMeaning(messages.filter((each) => !hasWords(each))),
  };
}

/** Facts that contain query words, those with the most of them first. */
export function factsWith(facts: readonly MemoryFact[], wanted: readonly string[]): MemoryFact[] {
  const found = facts.map((fact) => {
    const words = sentenceTo(fact)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => !/^(?:you|your|are)$/iu.test(word));
    return { fact, hits: wanted.filter((each) => words.some((word) => isHit(word, [each]))).length };
  });
  return found
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits || b.fact.recordedAt - a.fact.recordedAt)
    .map(({ fact }) => fact);
}

const MAX_FACTS = 5;
const MAX_MESSAGES = 12;
/** How much less similar than the best message another one may be. */
const SIMILARITY_MARGIN = 0.25;

/**
 * The messages closest in meaning, if they stand out from the others. For an unknown word all messages are equally close,
 * and none is returned.
 */
export function closestInMeaning(messages: readonly SearchResult[]): SearchResult[] {
  const meaning = ({ why }: SearchResult): number => why['vector'] ?? 0;
  const best = Math.max(0, ...messages.map(meaning));
  const nearest = messages.filter((each) => best > 0 && meaning(each) >= best - SIMILARITY_MARGIN);
  return nearest.length === 1 || nearest.length <= messages.length / 2 ? nearest : [];
}

function hasWords({ why }: SearchResult): boolean {
  return (why['keyword'] ?? 0) > 0;
}

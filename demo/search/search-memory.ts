import type { Memory, MemoryFact, SearchResult } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageIdsOf } from '../memory/known-things.ts';
import type { MessageSessions } from '../memory/message-sessions.ts';
import { isHit, wordsOf } from './highlight.ts';

/** What the memory holds on a query, best first. */
export interface Findings {
  readonly facts: readonly MemoryFact[];
  /** Conversations by the id of a message in them. */
  readonly places: ReadonlyMap<string, string>;
  /** With words of the query. */
  readonly messages: readonly SearchResult[];
  /** Without any of its words, and near in meaning. */
  readonly similar: readonly SearchResult[];
}

/** Looks in the facts by their words, and in the messages by words and meaning. What does not fit is left out. */
export async function searchMemory(
  memory: Memory,
  places: MessageSessions,
  query: string,
): Promise<Findings> {
  const [facts, messages] = await Promise.all([memory.facts(), memory.search(query, { k: MAX_MESSAGES })]);
  const found = factsWith(facts, wordsOf(query)).slice(0, MAX_FACTS);
  return {
    facts: found,
    places: await places.find(found.flatMap(messageIdsOf)),
    messages: messages.filter(hasWords),
    similar: standingOut(messages.filter((message) => !hasWords(message))),
  };
}

/** The facts with one of the words, those with the most of them first. */
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
/** Messages so much further from the query than the nearest one say something else. */
const SAME_MEANING = 0.25;

/**
 * The messages nearest in meaning, where they stand out from the others: to a word that nobody knows, everything is
 * equally near.
 */
export function standingOut(messages: readonly SearchResult[]): SearchResult[] {
  const meaning = ({ parts }: SearchResult): number => parts['vector'] ?? 0;
  const best = Math.max(0, ...messages.map(meaning));
  const nearest = messages.filter((message) => best > 0 && meaning(message) >= best - SAME_MEANING);
  return nearest.length === 1 || nearest.length <= messages.length / 2 ? nearest : [];
}

function hasWords({ parts }: SearchResult): boolean {
  return (parts['keyword'] ?? 0) > 0;
}

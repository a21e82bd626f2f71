import type { StoredMessage } from '../model/message.ts';

/** A message that search has found. */
export type SearchResult = StoredMessage & {
  /** Higher fits better; comparable within one search only. */
  score: number;
  /**
   * What the score is the sum of, by name: see `RankingPart`. `rerank` alone where a function of the caller's own gave
   * it.
   */
  why: Readonly<Record<string, number>>;
};

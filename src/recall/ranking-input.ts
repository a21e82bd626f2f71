import type { ConversationScores } from '../search/conversation-scores.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { RankedMessage } from './ranking-features.ts';

/** Number of candidates from each list. Large enough that a message at the top of one list also has its other score. */
export const CANDIDATES = 200;

/** Everything that the ranking of a scope's messages for a question depends on. */
export interface RankingInput {
  /** Number of candidates from each list. @default {@link CANDIDATES} */
  readonly limit?: number;
  /** The question, verbatim. */
  readonly question: string;
  readonly scores: ConversationScores;
  /** At most `limit` messages nearest to the query by cosine, best first; empty without a model. */
  readonly similar: readonly SearchHit[];
  neighbor(id: string, side: 'previous' | 'next'): string | undefined;
  /** Whether the filter of the query admits a message. */
  isAdmitted(id: string): boolean;
  /** Returns the traits of a message's text; undefined if they are not known. */
  traitsOf(id: string): RankedMessage['traits'];
  /** Whether the speaker of a message is the one whom the query names; undefined if it does not name exactly one. */
  speakerOf(id: string): 'named' | 'other' | undefined;
  /** Terms of the query that name a speaker: they say who said it, not what was said. */
  readonly speakerTerms: ReadonlySet<string>;
  /** Returns how well the time of a message fits the time that the query names, from 0 to 1. */
  fitsTime(id: string): number;
  /** Returns the recency of a message, from 0 to 1; 0 if the query names a time. */
  recencyOf(id: string): number;
  /** By message id: relevance of what was learned from it to the query's entities, above 0 and up to 1. */
  readonly related: ReadonlyMap<string, number>;
}

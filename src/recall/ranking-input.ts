import type { ConversationScores } from '../search/conversation-scores.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { RankedMessage } from './ranking-features.ts';

/** How many of each list are candidates: enough that a message strong in one list meets its score in the other. */
export const CANDIDATES = 200;

/** What the messages of a scope are ranked by for a question. */
export interface RankingInput {
  /** How many of each list are candidates. @default {@link CANDIDATES} */
  readonly limit?: number;
  /** As it was asked. */
  readonly question: string;
  readonly scores: ConversationScores;
  /** The messages nearest to the query by cosine, best first, at most `limit`; none without a model. */
  readonly similar: readonly SearchHit[];
  neighbor(id: string, side: 'previous' | 'next'): string | undefined;
  /** Whether the query admits a message. */
  isAdmitted(id: string): boolean;
  /** What is told of the text of a message; undefined where it is not known. */
  traitsOf(id: string): RankedMessage['traits'];
  /** Whether it was said by the one speaker whom the query names; undefined where it names none, or several. */
  speakerOf(id: string): 'named' | 'other' | undefined;
  /** Terms of the query that name a speaker: they tell who said it, and not what was said. */
  readonly speakerTerms: ReadonlySet<string>;
  /** How well it fits the time that the query names, from 0 to 1. */
  fitsTime(id: string): number;
  /** How new it is, from 0 to 1; 0 where the query names a time. */
  recencyOf(id: string): number;
  /** How much what was learned from a message is about what the query names, from above 0 to 1; others were not. */
  readonly related: ReadonlyMap<string, number>;
}

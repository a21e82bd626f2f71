import { WEIGHT_OF_TRAINED } from '../../embedding/embedder.ts';
import type { ConversationScores, Coverage } from '../../search/conversation-scores.ts';
import { fuseScores, type FusedHit } from '../../search/fuse.ts';
import type { MessageTraits } from '../../search/message-traits.ts';
import { TopHits, type SearchHit } from '../../search/search-hit.ts';
import {
  FEATURE_NAMES,
  featuresOf,
  partOf,
  RANKING_PARTS,
  questionKind,
  type RankedMessage,
} from './ranking-features.ts';
import { RANKING_WEIGHTS, TRAINED_WEIGHTS } from './ranking-weights.ts';

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
  /** `rankingWeight` of the embedder. @default 1 */
  readonly meaningWeight?: number;
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

/** Weights of the three keyword levels when candidates are chosen by keywords. */
const WORD_WEIGHTS = { message: 0.6, surroundings: 1, session: 0.8 } as const;
/**
 * Minimum cosine of a message that has no word of the query. Unrelated texts reach values up to this.
 */
const MIN_COSINE = 0.2;
/** Minimum relevance of what was learned from a message that has no word of the query. */
const MIN_RELATED = 0.25;
/** Weight of the message before among the two neighbors, because it is what the message answers. */
const SHARE_BEFORE = 2 / 3;
/** Number of best candidates whose answer, or whose question, becomes a candidate too. */
const WITH_NEIGHBORS = 20;

/** A candidate message with its features in the order of `FEATURE_NAMES`. */
export interface Candidate {
  readonly id: string;
  readonly features: readonly number[];
}

/**
 * Ranks the messages of a scope: scores each of the {@link candidatesOf} a query by the weighted sum of its features,
 * which describe its relevance to the query and its own content. The features are bounded, so that none of them decides
 * alone, and the weights come from a logistic regression (`npm run fit:ranking`).
 *
 * Scores are sums and not ranks: with the same weights, reciprocal rank fusion found 3.6 points less of the evidence
 * among the first 5, and 1.4 less among the first 10 (k = 20; 4.5 and 1.9 less with the usual 60).
 */
export function rankMessages(input: RankingInput): FusedHit[] {
  return scored(candidatesOf(input), weightsFor(input));
}

/**
 * Returns the union of the messages that have a word of the query, those nearest to it by cosine, those from which
 * something was learned about its entities, and the answers or questions that belong to the best of these.
 *
 * Cosines are rescaled over the candidates, because each model has its own range of cosines.
 */
export function candidatesOf(input: RankingInput): Candidate[] {
  const { scores, similar, related, neighbor, limit = CANDIDATES } = input;
  const near = similar.filter(({ score }) => score >= MIN_COSINE).map(({ id }) => id);
  const told = [...related.keys()].filter((id) => (related.get(id) ?? 0) >= MIN_RELATED);
  const found = new Set([...scores.best(limit, WORD_WEIGHTS), ...near, ...told]);
  const meaning = stretched(similar);
  const meaningOf = (id: string): number => meaning.get(id) ?? 0;
  const around = (id: string, side: 'previous' | 'next'): number => meaningOf(neighbor(id, side) ?? id);
  const coverageOf = scores.coverage(input.speakerTerms);
  const kind = questionKind(input.question);
  const candidateOf = (id: string): Candidate => {
    const parts = scores.partsOf(id);
    const message: RankedMessage = {
      keyword: parts.message,
      nearby: parts.surroundings,
      session: parts.session,
      vector: meaningOf(id),
      vectorNearby: SHARE_BEFORE * around(id, 'previous') + (1 - SHARE_BEFORE) * around(id, 'next'),
      time: input.fitsTime(id),
      graph: related.get(id) ?? 0,
      speaker: input.speakerOf(id),
      recency: input.recencyOf(id),
      rarestWord: coverageOf(id).rarest,
      traits: input.traitsOf(id),
      before: beforeOf(input, id, coverageOf),
    };
    return { id, features: featuresOf(message, kind) };
  };
  const candidates = Array.from(found, candidateOf);
  const best = bestOf(candidates, weightsFor(input), WITH_NEIGHBORS);
  const joining = new Set(best.flatMap(({ id }) => answering(input, id)).filter((id) => !found.has(id)));
  return [...candidates, ...Array.from(joining, candidateOf)];
}

/** Returns the weight of each feature, for an embedder with a `rankingWeight`. */
function weightsFor({ meaningWeight = 1 }: RankingInput): number[] {
  const isTrained = meaningWeight > 1;
  const scale = meaningWeight / (isTrained ? WEIGHT_OF_TRAINED : 1);
  return FEATURE_NAMES.map((name) => {
    const weight = (isTrained && TRAINED_WEIGHTS[name]) || RANKING_WEIGHTS[name];
    return weight * (partOf(name) === 'vector' ? scale : 1);
  });
}

const PART_OF = FEATURE_NAMES.map((name) => RANKING_PARTS.indexOf(partOf(name)));

/** Returns the candidates with scores, best first. A score is the sum of its parts, and parts of 0 are omitted. */
function scored(candidates: readonly Candidate[], weights: readonly number[]): FusedHit[] {
  const lists = RANKING_PARTS.map((name, part) => ({
    name,
    weight: 1,
    normalize: 'none' as const,
    results: candidates
      .map(({ id, features }) => ({ id, score: weighted(features, weights, part) }))
      .filter(({ score }) => score !== 0),
  }));
  return fuseScores(lists);
}

/** Returns the best candidates without the parts of their scores. */
function bestOf(candidates: readonly Candidate[], weights: readonly number[], count: number): SearchHit[] {
  const top = new TopHits(count);
  for (const { id, features } of candidates) top.offer(id, weighted(features, weights));
  return top.ranked();
}

/** Returns the weighted sum of the features, or of those of one part. */
function weighted(features: readonly number[], weights: readonly number[], part?: number): number {
  let score = 0;
  for (let at = 0; at < weights.length; at++) {
    if (part === undefined || PART_OF[at] === part) score += (weights[at] ?? 0) * (features[at] ?? 0);
  }
  return score;
}

/** Returns the answer to a question, or the question that a message answers. */
function answering({ neighbor, traitsOf, isAdmitted }: RankingInput, id: string): string[] {
  const isQuestion = (message: MessageTraits | undefined): boolean => message?.endsWithQuestion === true;
  const before = neighbor(id, 'previous');
  const after = neighbor(id, 'next');
  return [
    ...(before !== undefined && isQuestion(traitsOf(before)) && isAdmitted(before) ? [before] : []),
    ...(after !== undefined && isQuestion(traitsOf(id)) && isAdmitted(after) ? [after] : []),
  ];
}

function beforeOf(
  { neighbor, traitsOf }: RankingInput,
  id: string,
  coverageOf: (id: string) => Coverage,
): RankedMessage['before'] {
  const before = neighbor(id, 'previous');
  if (before === undefined) return undefined;
  return { hasQuestion: traitsOf(before)?.hasQuestion ?? false, coverage: coverageOf(before).share };
}

/** Rescales cosines from 0 for the last to 1 for the best. Cosines below 0 count as 0. */
function stretched(similar: readonly SearchHit[]): ReadonlyMap<string, number> {
  const best = similar[0]?.score ?? 0;
  const last = Math.max(0, similar.at(-1)?.score ?? 0);
  if (best <= last) return new Map(similar.map(({ id, score }) => [id, score > 0 ? 1 : 0]));
  return new Map(similar.map(({ id, score }) => [id, Math.max(0, score - last) / (best - last)]));
}

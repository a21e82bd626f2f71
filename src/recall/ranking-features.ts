import { MOST_WORDS, type MessageTraits } from '../search/message-traits.ts';
import type { QuestionKind } from './question-kind.ts';

/** What is known of a message when it is ranked for a question. Shares are from 0 to 1. */
export interface RankedMessage {
  /** The words of the message itself: its BM25 score, divided by the best. */
  readonly keyword: number;
  /** The words of the message and two on each side of it. */
  readonly nearby: number;
  /** The words of its session. */
  readonly session: number;
  /** The meaning of the message, from 0 for the last that is still a candidate to 1 for the best. */
  readonly vector: number;
  /** The meaning of the message before it, ⅔ of this, and of the one after it. */
  readonly vectorNearby: number;
  /** How well it fits the time that the question names. */
  readonly time: number;
  /** How much what was learned from it is about what the question names. */
  readonly graph: number;
  /** Whose word it is, where the question names one speaker. */
  readonly speaker: 'named' | 'other' | undefined;
  /** How new it is. */
  readonly recency: number;
  /** How rare the rarest word is that it shares with the question. */
  readonly rarestWord: number;
  /** Undefined where nothing is known of the text. */
  readonly traits: (MessageTraits & { readonly rarity: number }) | undefined;
  /** Of the message before it in its session, if there is one. */
  readonly before: { readonly hasQuestion: boolean; readonly coverage: number } | undefined;
}

/** The parts of a score, each the sum of a few features: what a person reads. */
export const RANKING_PARTS = [
  'keyword',
  'nearby',
  'vector',
  'speaker',
  'time',
  'graph',
  'answer',
  'content',
] as const;

/**
 * The name of a part of a score, as it stands in `parts` and `why`.
 *
 * - `keyword`: the words of the question that the message has.
 * - `nearby`: those that the messages around it and its session have.
 * - `vector`: its meaning, and that of the messages beside it.
 * - `speaker`: it was said by somebody whom the question names, or by somebody else.
 * - `time`: it is of the time that the question names; where it names none, how new it is.
 * - `graph`: something was learned from it about what the question names, whatever the message calls that.
 * - `answer`: it answers rather than asks, and has the date, number or name that the question asks for.
 * - `content`: how much it tells by itself: its length, its rare words, and whether it is about the one who says it.
 */
export type RankingPart = (typeof RANKING_PARTS)[number];

/** The features of the ranking, in the order in which they are listed everywhere. */
export const FEATURE_NAMES = [
  'keyword',
  'rarestWord',
  'nearby',
  'session',
  'coverageBefore',
  'vector',
  'vectorNearby',
  'bySpeaker',
  'byOther',
  'time',
  'recency',
  'graph',
  'hasQuestion',
  'endsWithQuestion',
  'otherEndsWithQuestion',
  'answersQuestion',
  'answersThisQuestion',
  'numberAsked',
  'timeAsked',
  'placeAsked',
  'personAsked',
  'length',
  'rarity',
  'firstPerson',
  'secondPerson',
] as const;

export type FeatureName = (typeof FEATURE_NAMES)[number];

type FeatureOf = (message: RankedMessage, kind: QuestionKind | undefined) => number;

/** All features of a message, each from 0 to 1, in the order of {@link FEATURE_NAMES}. */
export function featuresOf(message: RankedMessage, kind: QuestionKind | undefined): number[] {
  return FEATURE_NAMES.map((name) => FEATURES[name][1](message, kind));
}

/** The part of the score that a feature belongs to. */
export function partOf(name: FeatureName): RankingPart {
  return FEATURES[name][0];
}

/** The part that each feature belongs to, and how it is computed: from 0 to 1. */
const FEATURES: Readonly<Record<FeatureName, readonly [RankingPart, FeatureOf]>> = {
  keyword: ['keyword', ({ keyword }) => keyword],
  rarestWord: ['keyword', ({ rarestWord }) => rarestWord],
  nearby: ['nearby', ({ nearby }) => nearby],
  session: ['nearby', ({ session }) => session],
  coverageBefore: ['nearby', ({ before }) => before?.coverage ?? 0],
  vector: ['vector', ({ vector }) => vector],
  vectorNearby: ['vector', ({ vectorNearby }) => vectorNearby],
  bySpeaker: ['speaker', ({ speaker }) => Number(speaker === 'named')],
  byOther: ['speaker', ({ speaker }) => Number(speaker === 'other')],
  time: ['time', ({ time }) => time],
  recency: ['time', ({ recency }) => recency],
  graph: ['graph', ({ graph }) => graph],
  hasQuestion: ['answer', ({ traits }) => Number(traits?.hasQuestion ?? false)],
  endsWithQuestion: ['answer', ({ traits }) => Number(traits?.endsWithQuestion ?? false)],
  otherEndsWithQuestion: [
    'answer',
    ({ traits, speaker }) => Number(traits?.endsWithQuestion === true && speaker === 'other'),
  ],
  answersQuestion: ['answer', ({ before }) => Number(before?.hasQuestion ?? false)],
  answersThisQuestion: ['answer', ({ before }) => (before?.hasQuestion ? before.coverage : 0)],
  numberAsked: ['answer', ({ traits }, kind) => Number(kind === 'number' && traits?.namesNumber === true)],
  timeAsked: ['answer', ({ traits }, kind) => Number(kind === 'time' && traits?.namesTime === true)],
  placeAsked: ['answer', ({ traits }, kind) => (kind === 'place' ? (traits?.names ?? 0) / 3 : 0)],
  personAsked: ['answer', ({ traits }, kind) => (kind === 'person' ? (traits?.names ?? 0) / 3 : 0)],
  length: ['content', ({ traits }) => Math.log1p(traits?.words ?? 0) / Math.log1p(MOST_WORDS)],
  rarity: ['content', ({ traits }) => traits?.rarity ?? 0],
  firstPerson: ['content', ({ traits }) => traits?.firstPerson ?? 0],
  secondPerson: ['content', ({ traits }) => traits?.secondPerson ?? 0],
};

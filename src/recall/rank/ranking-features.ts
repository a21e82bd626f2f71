import { regex } from '../../language/words/lists.ts';
import { MOST_WORDS, type MessageTraits } from '../../search/message-traits.ts';
import type { FeatureName } from './ranking-weights.ts';

/** The inputs of a message's features for a question. All numbers are from 0 to 1. */
export interface RankedMessage {
  /** BM25 score of the message itself, divided by the best. */
  readonly keyword: number;
  /** The same for the message with two messages on each side. */
  readonly nearby: number;
  /** The same for its session. */
  readonly session: number;
  /** Cosine of the message, rescaled from 0 for the last candidate to 1 for the best. */
  readonly vector: number;
  /** The same for its neighbors: ⅔ from the message before it and ⅓ from the one after it. */
  readonly vectorNearby: number;
  /** How well its time fits the time that the question names. */
  readonly time: number;
  /** Relevance of what was learned from it to the entities that the question names. */
  readonly graph: number;
  /** Whether the speaker is the one whom the question names; undefined if it does not name exactly one. */
  readonly speaker: 'named' | 'other' | undefined;
  /** Recency: 1 for today, falling with age. */
  readonly recency: number;
  /** Rarity of the rarest word that it shares with the question. */
  readonly rarestWord: number;
  /** Traits of the text; undefined if they are not known. */
  readonly traits: (MessageTraits & { readonly rarity: number }) | undefined;
  /** Traits of the message before it in its session, if there is one. */
  readonly before: { readonly hasQuestion: boolean; readonly coverage: number } | undefined;
}

/** Names of the parts of a score. Each part is the sum of a few features and is shown to people. */
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
 * Name of a part of a score, as used in `parts` and `why`.
 *
 * - `keyword`: words of the question in the message.
 * - `nearby`: words of the question in the messages around it and in its session.
 * - `vector`: similarity in meaning of the message and of its neighbors.
 * - `speaker`: whether the speaker is the one whom the question names.
 * - `time`: whether it is from the time that the question names; recency if the question names no time.
 * - `graph`: something was learned from it about an entity of the question, even if the message uses another name.
 * - `answer`: whether it answers rather than asks, and contains the date, number or name that the question asks for.
 * - `content`: how informative it is: its length, its rare words, and whether the speaker talks about themselves.
 */
export type RankingPart = (typeof RANKING_PARTS)[number];

type FeatureOf = (message: RankedMessage, kind: QuestionKind | undefined) => number;

/** Returns the features of a message, each from 0 to 1, in the order of {@link FEATURE_NAMES}. */
export function featuresOf(message: RankedMessage, kind: QuestionKind | undefined): number[] {
  return FEATURE_NAMES.map((name) => FEATURES[name][1](message, kind));
}

/** Returns the part of the score that a feature belongs to. */
export function partOf(name: FeatureName): RankingPart {
  return FEATURES[name][0];
}

/** The part that each feature belongs to, and the function that computes it, from 0 to 1. */
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

/** Names of the features, in the order used everywhere. */
export const FEATURE_NAMES: readonly FeatureName[] = Object.keys(FEATURES) as FeatureName[];

/** What a question asks for, by its question word, in the languages of `KINDS`; undefined for others. */
export type QuestionKind = 'time' | 'number' | 'place' | 'person';

export function questionKind(question: string): QuestionKind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0];
}

const BEGINS = String.raw`^[^\p{L}\p{N}]*`;
const ENDS = String.raw`(?![\p{L}\p{N}])`;

/** English, German, French, Spanish, Italian and Portuguese. */
const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'time',
    regex(
      String.raw`${BEGINS}(?:when|what (?:day|date|month|year|time)|how long ago|(?:in|on) (?:which|what) (?:day|month|year)
        (?:seit |ab )?wann|an welchem tag|in welchem (?:monat|jahr)|(?:depuis )?quand|quel (?:jour|mois)|à quelle (?:date|heure)
        cu[aá]ndo|qu[eé] d[ií]a|quando|che giorno|em que (?:dia|mês|ano))${ENDS}`,
      'iu',
    ),
  ],
  [
    'number',
    regex(
      String.raw`(?<!\p{L})(?:how (?:many|much|often|long|old)|wie (?:viele?|oft|lange|alt)|combien|cu[aá]nt[oa]s?|quant[oaie]s?)${ENDS}`,
      'iu',
    ),
  ],
  [
    'place',
    regex(
      String.raw`${BEGINS}(?:where|wo|wohin|woher|o[uù]|d[oó]nde|dove|onde)${ENDS}
        (?<!\p{L})(?:(?:which|what) (?:city|town|country|state|place|location)|welche[rsmn]? (?:stadt|land|ort|dorf)
        quel(?:le)? (?:ville|pays|village)|qu[eé] (?:ciudad|pa[ií]s|pueblo)|(?:che|quale) (?:città|paese)|(?:que|qual) (?:cidade|país))${ENDS}`,
      'iu',
    ),
  ],
  [
    'person',
    regex(
      String.raw`${BEGINS}(?:who(?:se|m)?|we[rmn]|qui(?! est-ce qu)|qui[eé]n(?:es)?|chi|quem)${ENDS}`,
      'iu',
    ),
  ],
];

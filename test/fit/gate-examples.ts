import { questionFeatures } from '../../src/language/question-features.ts';
import { combinedFeatures } from '../../src/recall/gate/score-question.ts';
import type { ClaimWeights } from '../../src/learning/claims/claim-weights.ts';
import { ChatMemory } from './chat-memory.ts';
import { lengthen, seededRandom, type EverydayRequest, type NaturalChat } from './corpus.ts';

/** A question put to the memory of a chat. */
export interface GateExample {
  /** Of the memory. */
  readonly conversation: number;
  /** The chat that the question was written for; of an everyday request its number, behind the chats. */
  readonly source: number;
  readonly kind: string;
  readonly isLengthened: boolean;
  readonly frame: 'none' | 'known' | 'new';
  readonly isPositive: boolean;
  readonly features: Readonly<Record<string, number>>;
  readonly question: string;
}

/** Frames that weights are fitted with. */
const KNOWN_FRAMES = [
  'Quick question: ',
  'Could you explain something to me, ',
  'My teacher wants to know: ',
  'For a quiz tonight: ',
  "I'm preparing an exam and need help: ",
  'hi, i was wondering, ',
  'A colleague keeps asking me: ',
  'Settle a bet for us: ',
];
/** Frames that weights are tested with: those of the scorer. */
const NEW_FRAMES = [
  'Can you help me with this: ',
  'I need to know this for work: ',
  'My friend asked me: ',
  'hey quick question for my homework, ',
];

/** Everyday requests hidden in a lengthened chat; as many others are asked. */
const HIDDEN = 60;
const STRANGE_ASKS = 8;
const EVERYDAY_ASKS = 5;

/**
 * Questions to each chat, as it is and lengthened: its own, some unrelated ones of other chats, some everyday requests
 * that are not hidden in it; each plain and framed.
 *
 * @param weightsOf statement weights fitted without a conversation
 */
export function gateExamples(
  chats: readonly NaturalChat[],
  everyday: readonly EverydayRequest[],
  weightsOf: (conversation: number) => ClaimWeights,
): GateExample[] {
  const random = seededRandom(20_261_121);
  const unrelated = chats.flatMap(({ asks }, source) =>
    asks.filter(({ needs }) => needs.length === 0).map(({ question }) => ({ question, source })),
  );
  const middle = Math.floor(everyday.length * 0.6);
  const asked = everyday.slice(middle).map(({ user }, i) => ({ question: user, source: chats.length + i }));
  return chats.flatMap((chat, conversation) => {
    const strange = unrelated.filter(({ source }) => source !== conversation);
    const negatives = [
      ...unrelated
        .filter(({ source }) => source === conversation)
        .map((each) => ({ ...each, kind: 'unrelated' })),
      ...draw(strange, STRANGE_ASKS, random).map((each) => ({ ...each, kind: 'strange' })),
      ...draw(asked, EVERYDAY_ASKS, random).map((each) => ({ ...each, kind: 'everyday' })),
    ];
    const positives = chat.asks
      .filter(({ needs }) => needs.length > 0)
      .map(({ question, kind }) => ({ question, kind, source: conversation }));
    const frames = {
      none: '',
      known: KNOWN_FRAMES[conversation % KNOWN_FRAMES.length] ?? '',
      new: NEW_FRAMES[conversation % NEW_FRAMES.length] ?? '',
    };
    return [false, true].flatMap((isLengthened) => {
      const { messages } = isLengthened ? lengthen(chat, everyday.slice(0, middle), HIDDEN, random) : chat;
      const memory = new ChatMemory(messages, weightsOf(conversation));
      return [...positives, ...negatives].flatMap(({ question, kind, source }) =>
        (kind === 'everyday' ? (['none'] as const) : (['none', 'known', 'new'] as const)).map((frame) => ({
          conversation,
          source,
          kind,
          isLengthened,
          frame,
          isPositive: positives.some((each) => each.question === question),
          question,
          features: featuresOf(frames[frame] + question, memory),
        })),
      );
    });
  });
}

function featuresOf(question: string, memory: ChatMemory): Readonly<Record<string, number>> {
  const features = { ...questionFeatures(question), ...memory.evidence(question) };
  const { namesSpeaker: _, ...fitted } = { ...features, ...combinedFeatures(features) };
  return fitted;
}

function draw<T>(items: readonly T[], count: number, random: () => number): T[] {
  const pool = [...items];
  return Array.from({ length: Math.min(count, pool.length) }, () =>
    pool.splice(Math.floor(random() * pool.length), 1),
  ).flat();
}

import type { ChatLine, EverydayRequest, NaturalChat } from './natural-chats.ts';

const SEED = 20261121;
const DAY_MS = 86_400_000;
/** Everyday requests begin this long before the chat and go on this long after it. */
const DAYS_BEFORE = 20;
const DAYS_AFTER = 40;
const ANSWER_MS = 8000;

/**
 * Hides each chat among everyday requests. Turns stay whole, and the evidence of a fact points to its message's new
 * place. The same input gives the same chats.
 */
export function lengthenChats(
  chats: readonly NaturalChat[],
  everyday: readonly EverydayRequest[],
  requestsPerChat: number,
): NaturalChat[] {
  const random = linearCongruential(SEED);
  return chats.map((chat) => lengthen(chat, drawRequests(chat, everyday, requestsPerChat, random)));
}

function lengthen(chat: NaturalChat, requests: readonly ChatLine[]): NaturalChat {
  const turns = wholeTurns([...chat.messages, ...requests]).toSorted((a, b) => startOf(a) - startOf(b));
  const messages = turns.flat();
  const facts = chat.facts.map((fact) => {
    const said = chat.messages[fact.evidence];
    return said === undefined ? fact : { ...fact, evidence: messages.indexOf(said) };
  });
  return { ...chat, facts, messages };
}

/** Draws without putting back. Two requests share a session. */
function drawRequests(
  { messages }: NaturalChat,
  everyday: readonly EverydayRequest[],
  count: number,
  random: () => number,
): ChatLine[] {
  const begins = Date.parse(messages[0]?.at ?? '') - DAYS_BEFORE * DAY_MS;
  const length = Date.parse(messages.at(-1)?.at ?? '') + DAYS_AFTER * DAY_MS - begins;
  const left = [...everyday];
  const lines: ChatLine[] = [];
  for (let drawn = 0; drawn < count && left.length > 0; drawn++) {
    const [request] = left.splice(Math.floor(random() * left.length), 1);
    const at = begins + random() * length;
    if (request === undefined) break;
    const session = `e${Math.floor(drawn / 2)}`;
    lines.push(
      { role: 'user', content: request.user, at: isoTime(at), session },
      { role: 'assistant', content: request.assistant, at: isoTime(at + ANSWER_MS), session },
    );
  }
  return lines;
}

/** A user message keeps the answers that follow it in its session. */
function wholeTurns(messages: readonly ChatLine[]): ChatLine[][] {
  const turns: ChatLine[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.role === 'assistant' && turn?.at(-1)?.session === message.session) turn.push(message);
    else turns.push([message]);
  }
  return turns;
}

function startOf(turn: readonly ChatLine[]): number {
  return Date.parse(turn[0]?.at ?? '');
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Numbers from 0 to 1 with the constants of Numerical Recipes. The corpus is defined by this generator. */
function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

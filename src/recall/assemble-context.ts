import { toChatMessage, type ChatMessage, type StoredMessage } from '../model/message.ts';
import { messagesToText } from '../model/message-text.ts';
import { countMessages } from '../tokens/message-tokens.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { fence, fenceNotice, isQuotable, quoteTurn } from './fence.ts';
import { mergeNeighbours } from './merge-neighbours.ts';
import { pairToolCalls } from './pair-tool-calls.ts';
import { recentWindow } from './recent-window.ts';

/** A turn of the transcript with what it costs in a request as it stands. */
export interface CountedTurn {
  readonly turn: number;
  readonly tokens: number;
  readonly messages: readonly StoredMessage[];
}

/** A turn that search has found, with its score and the parts of it. */
export interface FoundTurn {
  readonly messages: readonly StoredMessage[];
  readonly score: number;
  readonly why: Readonly<Record<string, number>>;
}

/** One thing that is in the context, and why. */
export interface ContextItem {
  /** `recent`: a turn of this session's window. `recalled`: an older turn that search found. */
  kind: 'recent' | 'recalled';
  /** As it stands in the prompt, fence aside. */
  text: string;
  tokens: number;
  /** Ids of the messages that it quotes. */
  sources: string[];
  sessionId: string;
  turnId: string;
  createdAt: number;
  /** Higher fits better; 0 for a recent turn, which needs no reason. */
  score: number;
  /** The parts that the score is the sum of, by name. */
  why: Readonly<Record<string, number>>;
}

export interface RecalledContext {
  /** Complete and ready to send, the input included. */
  messages: ChatMessage[];
  /** What was recalled, fenced, for those who lay out their own prompt; empty where nothing was. */
  text: string;
  /** Of the whole request. */
  tokens: number;
  /** The system message and the input alone exceed the budget: they are all that is there. */
  overBudget: boolean;
  items: ContextItem[];
}

export interface AssembleInput {
  /** The host page's own system text. */
  system: string;
  input: string;
  /** The session's fence mark. */
  mark: string;
  /** Newest turns of the session, oldest first. */
  turns: readonly CountedTurn[];
  /** Best first; those in the window are left out here. */
  found: readonly FoundTurn[];
  recentTurns: number;
  maxTokens: number;
  tokenizer: Tokenizer;
}

/** Share of the budget that recent turns may take; the rest is for what is recalled. */
const RECENT_SHARE = 0.5;

/**
 * Lays out a request within a hard budget: system text and notice, recent turns, then the input behind the fence of
 * what was recalled for it. What changes with each question stands last, so that an endpoint's prompt cache holds.
 *
 * Pure: the same stored state gives the same bytes.
 */
export function assembleContext(input: AssembleInput): RecalledContext {
  const given = { ...input, tokenizer: countingOnce(input.tokenizer, input.turns) };
  const system: ChatMessage = {
    role: 'system',
    content: [given.system, fenceNotice(given.mark)].filter((part) => part !== '').join('\n\n'),
  };
  const bare = layOut(given, system, [], []);
  if (bare.tokens > given.maxTokens) return { ...bare, overBudget: true };
  // The share does not depend on the question, lest the window move with each.
  const share = Math.floor(given.maxTokens * RECENT_SHARE);
  let window = recentWindow(given.turns, { recentTurns: given.recentTurns, maxTokens: share });
  // A newest turn beyond the share is still what the next question is about: better it than anything recalled.
  if (window.length === 0 && given.recentTurns > 0) window = given.turns.slice(-1);
  let context = layOut(given, system, window, []);
  while (context.tokens > given.maxTokens && window.length > 0) {
    window = window.slice(1);
    context = layOut(given, system, window, []);
  }
  return withRecalled(given, system, window, context);
}

/** Adds the best of what was found, whole turns, as long as they fit; one that does not fit makes room for the next. */
function withRecalled(
  given: AssembleInput,
  system: ChatMessage,
  window: readonly CountedTurn[],
  empty: RecalledContext,
): RecalledContext {
  const inWindow = new Set(window.flatMap((turn) => turn.messages.map((message) => message.turnId)));
  let chosen: FoundTurn[] = [];
  let context = empty;
  for (const each of given.found) {
    const found = { ...each, messages: each.messages.filter(isQuotable) };
    const [first] = found.messages;
    if (!first || inWindow.has(first.turnId)) continue;
    // A cheap estimate first: laying out anew counts the whole fence again.
    if (
      context.tokens + given.tokenizer.countText(quoteTurn(found.messages)) >
      given.maxTokens + SLACK_TOKENS
    )
      continue;
    const candidate = layOut(given, system, window, [...chosen, found]);
    if (candidate.tokens > given.maxTokens) continue;
    chosen = [...chosen, found];
    context = candidate;
  }
  return context;
}

/** A text can cost a few tokens less inside the fence than alone. */
const SLACK_TOKENS = 4;

function layOut(
  given: AssembleInput,
  system: ChatMessage,
  window: readonly CountedTurn[],
  recalled: readonly FoundTurn[],
): RecalledContext {
  // In the order in which they were said: a later turn may correct an earlier one.
  const chronological = recalled.toSorted((a, b) => startOf(a) - startOf(b));
  const quotes = chronological.map((found) => quoteTurn(found.messages));
  const fenced = quotes.length > 0 ? fence(given.mark, quotes) : '';
  const recent = pairToolCalls(
    window.flatMap((turn) => turn.messages.filter((message) => message.role !== 'system')),
  );
  const messages = mergeNeighbours([
    system,
    ...recent.map(toChatMessage),
    { role: 'user', content: fenced ? `${fenced}\n\n${given.input}` : given.input },
  ]);
  return {
    messages,
    text: fenced,
    tokens: countMessages(given.tokenizer, messages),
    overBudget: false,
    items: [
      ...window.flatMap((turn) => recentItem(turn, recent)),
      ...chronological.map((found, index) => recalledItem(found, quotes[index] ?? '', given.tokenizer)),
    ],
  };
}

/** Nothing where nothing of the turn is sent. */
function recentItem(turn: CountedTurn, sent: readonly StoredMessage[]): ContextItem[] {
  const messages = sent.filter((message) => message.turnId === turn.messages[0]?.turnId);
  if (messages.length === 0) return [];
  const text = messagesToText(messages);
  return [{ kind: 'recent', text, tokens: turn.tokens, score: 0, why: {}, ...origin({ messages }) }];
}

function recalledItem(found: FoundTurn, quote: string, tokenizer: Tokenizer): ContextItem {
  const { score, why } = found;
  return { kind: 'recalled', text: quote, tokens: tokenizer.countText(quote), score, why, ...origin(found) };
}

function origin({
  messages,
}: {
  messages: readonly StoredMessage[];
}): Pick<ContextItem, 'sources' | 'sessionId' | 'turnId' | 'createdAt'> {
  const [first] = messages;
  return {
    sources: messages.map((message) => message.id),
    sessionId: first?.sessionId ?? '',
    turnId: first?.turnId ?? '',
    createdAt: first?.createdAt ?? 0,
  };
}

function startOf(found: FoundTurn): number {
  return found.messages[0]?.createdAt ?? 0;
}

/** Begins with the counts that are stored. Trying one more turn lays out everything anew; only its last message is new. */
function countingOnce(tokenizer: Tokenizer, turns: readonly CountedTurn[]): Tokenizer {
  const counts = new Map<string, number>();
  for (const message of turns.flatMap((turn) => turn.messages)) {
    const known = message.tokens?.[tokenizer.id];
    if (known !== undefined) counts.set(JSON.stringify(toChatMessage(message)), known);
  }
  const once = (key: string, count: () => number): number => {
    const known = counts.get(key) ?? count();
    counts.set(key, known);
    return known;
  };
  return {
    id: tokenizer.id,
    countText: (text) => once(text, () => tokenizer.countText(text)),
    countMessage: (message) => once(JSON.stringify(message), () => tokenizer.countMessage(message)),
  };
}

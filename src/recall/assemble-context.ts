import { toChatMessage, type StoredMessage } from '../model/message.ts';
import { messagesToText } from '../model/message-text.ts';
import { countMessages } from '../tokens/message-tokens.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { ContextItem, ContextNote, RecalledContext } from './context-item.ts';
import { fence, fenceNotice, isQuotable, quoteNotes } from './fence.ts';
import { mergeNeighbours } from './merge-neighbours.ts';
import { pairToolCalls } from './pair-tool-calls.ts';
import { quoteBlocks } from './quote-blocks.ts';
import { recentWindow } from './recent-window.ts';
import { sameWords } from './same-words.ts';

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

export interface AssembleInput {
  /** The host page's own system text. */
  system: string;
  input: string;
  /** The session's fence mark. */
  mark: string;
  /** Facts that belong into every context. */
  pinned: readonly ContextNote[];
  /** Of what has left the window. */
  summary?: ContextNote;
  /** Newest turns of the session, oldest first. */
  turns: readonly CountedTurn[];
  /**
   * Whether nothing else stands for these turns: then all of them are sent that fit their share, and the window moves
   * when a summary covers some. Otherwise it moves by itself.
   */
  areUncovered: boolean;
  /** About what the input mentions, best first. */
  facts: readonly ContextNote[];
  /** Best first; those in the window are left out here. */
  found: readonly FoundTurn[];
  recentTurns: number;
  maxTokens: number;
  tokenizer: Tokenizer;
}

/** Shares of the budget, at most; what one leaves, the next may take, and what is recalled gets the rest. */
export const SHARES = { pinned: 0.1, summary: 0.15, recent: 0.5, uncovered: 0.7, facts: 0.2 } as const;

/**
 * Lays out a request within a hard budget: system text and notice, what is pinned and the summary, recent turns, then
 * the input behind the fence of the facts and old turns that were recalled for it. What changes with each question
 * stands last, so that an endpoint's prompt cache holds.
 *
 * Pure: the same stored state gives the same bytes.
 */
export function assembleContext(input: AssembleInput): RecalledContext {
  const given = { ...input, tokenizer: countingOnce(input.tokenizer, input.turns) };
  const bare = layOut(given, NOTHING);
  if (bare.tokens > given.maxTokens) return { ...bare, overBudget: true };
  let parts = withSummary(given, withNotes(given, 'pinned', NOTHING));
  parts = withWindow(given, parts);
  parts = withNotes(given, 'facts', parts);
  return layOut(given, withRecalled(given, parts));
}

/** What of all that is given goes into the request. */
interface Parts {
  readonly pinned: readonly ContextNote[];
  readonly summary?: ContextNote;
  readonly window: readonly CountedTurn[];
  readonly facts: readonly ContextNote[];
  readonly recalled: readonly FoundTurn[];
}

const NOTHING: Parts = { pinned: [], window: [], facts: [], recalled: [] };

/** Adds notes of one kind, best first, as long as they keep within their share and all within the budget. */
function withNotes(given: AssembleInput, kind: 'pinned' | 'facts', parts: Parts): Parts {
  const before = layOut(given, parts).tokens;
  const limit = Math.min(given.maxTokens, before + given.maxTokens * SHARES[kind]);
  let filled = parts;
  let used = before;
  for (const note of given[kind]) {
    // A cheap estimate first: laying out anew counts all that is quoted again.
    if (used + given.tokenizer.countText(note.text) > limit + SLACK_TOKENS) continue;
    const candidate = { ...filled, [kind]: [...filled[kind], note] };
    const { tokens } = layOut(given, candidate);
    if (tokens > limit) continue;
    filled = candidate;
    used = tokens;
  }
  return filled;
}

/** Adds the summary, cut after a sentence where it is longer than its share. */
function withSummary(given: AssembleInput, parts: Parts): Parts {
  const { summary, tokenizer, maxTokens } = given;
  if (!summary) return parts;
  const room = Math.min(maxTokens * SHARES.summary, maxTokens - layOut(given, parts).tokens);
  const sentences = summary.text.split(/(?<=[.!?。！？]["'”’)]?)\s+|\n+/u);
  let text = summary.text;
  while (sentences.length > 0 && tokenizer.countText(quoteNotes(SUMMARY_TITLE, [text])) > room) {
    sentences.pop();
    text = sentences.join(' ');
  }
  const candidate = { ...parts, summary: { ...summary, text } };
  return text === '' || layOut(given, candidate).tokens > maxTokens ? parts : candidate;
}

function withWindow(given: AssembleInput, parts: Parts): Parts {
  // The share does not depend on the question, lest the window move with each.
  const limits = { recentTurns: given.recentTurns, maxTokens: Math.floor(given.maxTokens * SHARES.recent) };
  let window = given.areUncovered
    ? newestWithin(given.turns, given.maxTokens * SHARES.uncovered)
    : recentWindow(given.turns, limits);
  // A newest turn beyond the share is still what the next question is about: better it than anything recalled.
  if (window.length === 0 && given.recentTurns > 0) window = given.turns.slice(-1);
  while (window.length > 0 && layOut(given, { ...parts, window }).tokens > given.maxTokens) {
    window = window.slice(1);
  }
  return { ...parts, window };
}

function newestWithin(turns: readonly CountedTurn[], maxTokens: number): readonly CountedTurn[] {
  let tokens = 0;
  const tooOld = turns.findLastIndex((turn) => (tokens += turn.tokens) > maxTokens);
  return turns.slice(tooOld + 1);
}

/**
 * Adds the best of what was found, whole turns, as long as they fit; one that does not fit makes room for the next.
 * What says the same as something that is there already is left out.
 */
function withRecalled(given: AssembleInput, parts: Parts): Parts {
  const { maxTokens, tokenizer, mark } = given;
  const inWindow = new Set(parts.window.flatMap((turn) => turn.messages.map((message) => message.turnId)));
  const said = new Set(parts.window.map((turn) => sameWords(turn.messages)));
  const costOf = (recalled: readonly FoundTurn[]): number =>
    quoteBlocks(recalled).reduce((sum, block) => sum + tokenizer.countText(block.text), 0);
  const opening = parts.facts.length > 0 ? 0 : tokenizer.countText(fence(mark, ['']));
  let filled = parts;
  // Laying out anew counts the whole fence again. So it is done where adding up what the blocks cost does not tell:
  // each block may cost a few tokens more or less inside than alone.
  let counted = { tokens: layOut(given, parts).tokens + opening, cost: 0 };
  let doubt = SLACK_TOKENS;
  for (const each of given.found) {
    const found = { ...each, messages: each.messages.filter(isQuotable) };
    const [first] = found.messages;
    if (!first || inWindow.has(first.turnId)) continue;
    const words = sameWords(found.messages);
    if (words !== '' && said.has(words)) continue;
    const candidate = { ...filled, recalled: [...filled.recalled, found] };
    const cost = costOf(candidate.recalled);
    const estimate = counted.tokens + cost - counted.cost;
    const margin = doubt + SLACK_TOKENS;
    if (estimate - margin > maxTokens) continue;
    if (estimate + margin > maxTokens) {
      const { tokens } = layOut(given, candidate);
      if (tokens > maxTokens) continue;
      counted = { tokens, cost };
      doubt = 0;
    } else {
      doubt = margin;
    }
    filled = candidate;
    said.add(words);
  }
  return filled;
}

/** A text can cost a few tokens less inside the fence than alone. */
const SLACK_TOKENS = 4;
const PINNED_TITLE = 'Pinned facts';
const SUMMARY_TITLE = 'Summary of the conversation until here';
const FACTS_TITLE = 'Known facts';

function layOut(given: AssembleInput, parts: Parts): RecalledContext {
  const { mark, tokenizer } = given;
  const blocks = quoteBlocks(parts.recalled);
  const lasting = fenceOf(mark, [
    ...notesBlock(PINNED_TITLE, parts.pinned),
    ...(parts.summary ? notesBlock(SUMMARY_TITLE, [parts.summary]) : []),
  ]);
  const fenced = fenceOf(mark, [
    ...notesBlock(FACTS_TITLE, parts.facts),
    ...blocks.map((block) => block.text),
  ]);
  const recent = pairToolCalls(
    parts.window.flatMap((turn) => turn.messages.filter((message) => message.role !== 'system')),
  );
  const messages = mergeNeighbours([
    {
      role: 'system',
      content: [given.system, fenceNotice(mark)].filter((part) => part !== '').join('\n\n'),
    },
    ...(lasting ? [{ role: 'user', content: lasting } as const] : []),
    ...recent.map(toChatMessage),
    { role: 'user', content: fenced ? `${fenced}\n\n${given.input}` : given.input },
  ]);
  return {
    messages,
    text: [lasting, fenced].filter((part) => part !== '').join('\n\n'),
    tokens: countMessages(tokenizer, messages),
    overBudget: false,
    items: [
      ...parts.pinned.map((note) => noteItem('pinned', note, tokenizer)),
      ...(parts.summary ? [noteItem('summary', parts.summary, tokenizer)] : []),
      ...parts.window.flatMap((turn) => recentItem(turn, recent)),
      ...parts.facts.map((note) => noteItem('fact', note, tokenizer)),
      ...blocks.flatMap(({ quotes }) => quotes.map(({ turn, text }) => recalledItem(turn, text, tokenizer))),
    ],
  };
}

function fenceOf(mark: string, blocks: readonly string[]): string {
  return blocks.length > 0 ? fence(mark, blocks) : '';
}

function notesBlock(title: string, notes: readonly ContextNote[]): string[] {
  if (notes.length === 0) return [];
  return [
    quoteNotes(
      title,
      notes.map((note) => note.text),
    ),
  ];
}

function noteItem(kind: 'pinned' | 'summary' | 'fact', note: ContextNote, tokenizer: Tokenizer): ContextItem {
  const { text, sources, sessionId = '', factId, createdAt, score, why } = note;
  return {
    kind,
    text,
    tokens: tokenizer.countText(text),
    sources: [...sources],
    sessionId,
    turnId: '',
    ...(factId === undefined ? {} : { factId }),
    createdAt,
    score,
    why,
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

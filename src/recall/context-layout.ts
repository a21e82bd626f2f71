import { isNotice, toChatMessage, type StoredMessage } from '../model/message.ts';
import { messagesToText } from '../model/message-text.ts';
import { countMessages } from '../tokens/message-tokens.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { ContextItem, ContextNote, RecalledContext } from './context-item.ts';
import { fence, FENCE_NOTICE, quoteNotes, type OutdatedPart } from './fence.ts';
import { mergeNeighbors } from './merge-neighbors.ts';
import { pairToolCalls } from './pair-tool-calls.ts';
import { quoteBlocks } from './quote-blocks.ts';

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
  /** What of it is no longer true. */
  readonly outdated?: OutdatedPart;
  /** Whether the user only asks for something in it. */
  readonly isRequest?: boolean;
}

/** What every request of a session holds, whatever is remembered. */
export interface ContextFrame {
  /** The host page's own system text. */
  system: string;
  input: string;
  /** Of the fence around what does not change with the question. */
  mark: string;
  /** Of the fence around what was recalled for it. */
  inputMark: string;
  tokenizer: Tokenizer;
}

/** What of all that is known goes into a request. */
export interface ContextParts {
  readonly pinned: readonly ContextNote[];
  readonly profile: readonly ContextNote[];
  readonly summary?: ContextNote;
  /** What was stated in turns that neither the summary nor the window holds. */
  readonly gap: readonly ContextNote[];
  /** Oldest first. */
  readonly window: readonly CountedTurn[];
  readonly facts: readonly ContextNote[];
  /** Old turns by what the user states in them, a note each. */
  readonly stated: readonly ContextNote[];
  /** Quotable messages only. */
  readonly recalled: readonly FoundTurn[];
}

/**
 * Lays out a request: system text and notice, what is pinned and the summary, recent turns, then the input behind the
 * fence of profile, facts and old turns. What changes with each question stands last, so that an endpoint's prompt cache
 * holds; the profile does, because it leaves out what an old turn says.
 *
 * Pure, and of any size: what fits is the caller's choice.
 */
export function layOut(frame: ContextFrame, parts: ContextParts): RecalledContext {
  const { mark, inputMark, tokenizer } = frame;
  const blocks = quoteBlocks(parts.recalled);
  const lasting = fenceOf(mark, [
    ...notesBlock(PINNED_TITLE, parts.pinned),
    ...(parts.summary ? notesBlock(SUMMARY_TITLE, [parts.summary]) : []),
    ...notesBlock(
      GAP_TITLE,
      parts.gap.toSorted((a, b) => a.createdAt - b.createdAt),
    ),
  ]);
  const fenced = fenceOf(inputMark, [
    ...notesBlock(PROFILE_TITLE, parts.profile),
    ...notesBlock(FACTS_TITLE, parts.facts),
    ...notesBlock(
      STATED_TITLE,
      parts.stated.toSorted((a, b) => a.createdAt - b.createdAt),
    ),
    ...blocks.map((block) => block.text),
  ]);
  const recent = sentOf(parts.window);
  const messages = mergeNeighbors([
    {
      role: 'system',
      content: [frame.system, FENCE_NOTICE].filter((part) => part !== '').join('\n\n'),
    },
    ...(lasting ? [{ role: 'user', content: lasting } as const] : []),
    ...recent.map(toChatMessage),
    { role: 'user', content: fenced ? `${fenced}\n\n${frame.input}` : frame.input },
  ]);
  return {
    messages,
    text: [lasting, fenced].filter((part) => part !== '').join('\n\n'),
    tokens: countMessages(tokenizer, messages),
    overBudget: false,
    items: [
      ...parts.pinned.map((note) => noteItem('pinned', note, tokenizer)),
      ...parts.profile.map((note) => noteItem('profile', note, tokenizer)),
      ...(parts.summary ? [noteItem('summary', parts.summary, tokenizer)] : []),
      ...parts.gap.map((note) => noteItem('summary', note, tokenizer)),
      ...parts.window.flatMap((turn) => recentItem(turn, recent)),
      ...parts.facts.map((note) => noteItem('fact', note, tokenizer)),
      ...parts.stated.map((note) => noteItem('recalled', note, tokenizer)),
      ...blocks.flatMap(({ quotes }) => quotes.map(({ turn, text }) => recalledItem(turn, text, tokenizer))),
    ],
  };
}

/** What of recent turns an endpoint takes. */
export function sentOf(window: readonly CountedTurn[]): StoredMessage[] {
  return pairToolCalls(
    window.flatMap((turn) =>
      turn.messages.filter((message) => message.role !== 'system' && !isNotice(message)),
    ),
  );
}

export function turnIdOf({ messages }: { messages: readonly StoredMessage[] }): string {
  return messages[0]?.turnId ?? '';
}

/** Costs of a summary are counted with its title. */
export const SUMMARY_TITLE = 'Summary of the conversation until here';
const PINNED_TITLE = 'Pinned facts';
const GAP_TITLE = 'Stated since';
const PROFILE_TITLE = 'About the user in their own words';
const FACTS_TITLE = 'Known facts';
const STATED_TITLE = 'Said by the user before';

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

function noteItem(kind: ContextItem['kind'], note: ContextNote, tokenizer: Tokenizer): ContextItem {
  const { text, sources, sessionId = '', turnId = '', factId, createdAt, score, why } = note;
  return {
    kind,
    text,
    tokens: tokenizer.countText(text),
    sources: [...sources],
    sessionId,
    turnId,
    ...(factId === undefined ? {} : { factId }),
    createdAt,
    score,
    why,
  };
}

/** Nothing where nothing of the turn is sent. */
function recentItem(turn: CountedTurn, sent: readonly StoredMessage[]): ContextItem[] {
  const messages = sent.filter((message) => message.turnId === turnIdOf(turn));
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

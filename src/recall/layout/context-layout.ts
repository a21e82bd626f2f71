import { messagesToText } from '../../model/message-text.ts';
import { isNotice, type ChatMessage, type StoredMessage } from '../../model/message.ts';
import { countMessages, type Tokenizer } from '../../tokens/tokenizer.ts';
import type { ContextItem, ContextNote, RecalledContext } from './context-item.ts';
import { sentMessage } from './fence-marks.ts';
import { fence, FENCE_NOTICE, quoteNotes, type Passages } from './fence.ts';
import { mergeNeighbors, pairToolCalls } from './merge-neighbors.ts';
import { quoteDays, type OutdatedPart } from './quote-days.ts';

/** A turn of the transcript with the number of tokens that it costs in a request. */
export interface CountedTurn {
  readonly turn: number;
  readonly tokens: number;
  readonly messages: readonly StoredMessage[];
}

/** A turn that search has found, with its score and the parts of that score. */
export interface FoundTurn {
  readonly messages: readonly StoredMessage[];
  readonly score: number;
  readonly why: Readonly<Record<string, number>>;
  /** The parts of the turn that are no longer true, in the order of the text. Absent if there are none. */
  readonly outdated?: readonly OutdatedPart[];
  /** The parts of long messages that are quoted. @default all messages are quoted whole */
  readonly passages?: Passages;
  /** The best part of each long message, for where the others have no room. Set if `passages` is. */
  readonly bestPassages?: Passages;
  /** Set if the user only asks for something in this turn: whether the question is about it, so that it is told. */
  readonly request?: 'asked' | 'other';
  /** Whether the user says all words of the question and more in this turn, and nothing that is a claim. */
  readonly saysAsked?: boolean;
  /** Whether the short messages of the turn have most words of the question, weighted by rarity. */
  readonly hasAskedWords?: boolean;
  /** Whether a passage of a long message has the words of the question. */
  readonly hasAskedPassage?: boolean;
  /** Whether search ranks this turn first, and it has a long message with a word of the question. */
  readonly isBestLong?: boolean;
  /** Whether search has not found this turn: it is told because of what the user states in it. */
  readonly isNotFound?: boolean;
}

/** The fixed parts of every request of a session. */
export interface ContextFrame {
  /** The host page's own system text. */
  system: string;
  input: string;
  /** Mark of the fence around the parts that do not change with the question. */
  mark: string;
  /** Mark of the fence around the parts that were recalled for the question. */
  inputMark: string;
  tokenizer: Tokenizer;
}

/** The memory chosen for a request. */
export interface ContextParts {
  /** Pinned facts that fit their share, which does not change with the session. */
  readonly pinned: readonly ContextNote[];
  /** Further pinned facts, with room for them beside the window. */
  readonly alsoPinned: readonly ContextNote[];
  readonly profile: readonly ContextNote[];
  readonly summary?: ContextNote;
  /** Claims of turns that are neither summarized nor in the window. */
  readonly gap: readonly ContextNote[];
  /** Oldest first. */
  readonly window: readonly CountedTurn[];
  readonly facts: readonly ContextNote[];
  /** What the user states in old turns, one note per turn. */
  readonly stated: readonly ContextNote[];
  /** Quotable messages only. */
  readonly recalled: readonly FoundTurn[];
}

/**
 * Returns a request: system text and notice, pinned facts and the summary, recent turns, then the fence with profile,
 * facts and old turns, followed by the input. Parts that change with each question come last, so that an endpoint's
 * prompt cache stays valid; the profile is one of them, because it leaves out what a recalled turn says.
 *
 * Pure. The size is not checked: the caller chooses what fits.
 */
export function layOut(frame: ContextFrame, parts: ContextParts): RecalledContext {
  const { messages, lasting, fenced } = requestOf(frame, parts);
  return {
    messages,
    text: [lasting, fenced].filter((part) => part !== '').join('\n\n'),
    tokens: countMessages(frame.tokenizer, messages),
    overBudget: false,
    items: itemsOf(parts, frame.tokenizer),
  };
}

/** Returns the tokens of the request alone. */
export function tokensOf(frame: ContextFrame, parts: ContextParts): number {
  return countMessages(frame.tokenizer, requestOf(frame, parts).messages);
}

function requestOf(
  { mark, inputMark, ...frame }: ContextFrame,
  parts: ContextParts,
): { readonly messages: ChatMessage[]; readonly lasting: string; readonly fenced: string } {
  const summary = parts.summary ? [parts.summary] : [];
  const lasting = fenceOf(mark, [
    ...notesBlock(PINNED_TITLE, parts.pinned),
    ...notesBlock(SUMMARY_TITLE, summary),
    ...quoteDays([], parts.gap).map(({ text }) => text),
  ]);
  const fenced = fenceOf(inputMark, [
    ...notesBlock(PINNED_TITLE, parts.alsoPinned),
    ...notesBlock(PROFILE_TITLE, parts.profile),
    ...notesBlock(FACTS_TITLE, parts.facts),
    ...quoteDays(parts.recalled, parts.stated).map(({ text }) => text),
  ]);
  const recent = sentOf(parts.window);
  const system = [frame.system, FENCE_NOTICE].filter((part) => part !== '').join('\n\n');
  const messages = mergeNeighbors([
    { role: 'system', content: system },
    ...(lasting ? [{ role: 'user', content: lasting } as const] : []),
    ...recent.map(sentMessage),
    { role: 'user', content: fenced ? `${fenced}\n\n${frame.input}` : frame.input },
  ]);
  return { messages, lasting, fenced };
}

/** Returns the parts of a request as items, in the order of the prompt. */
export function itemsOf(parts: ContextParts, tokenizer: Tokenizer): ContextItem[] {
  const recent = sentOf(parts.window);
  const notes = (kind: ContextItem['kind'], given: readonly ContextNote[]): ContextItem[] =>
    given.map((note) => noteItem(kind, note, tokenizer));
  return [
    ...notes('pinned', [...parts.pinned, ...parts.alsoPinned]),
    ...notes('profile', parts.profile),
    ...notes('summary', [...(parts.summary ? [parts.summary] : []), ...quotedNotes(parts.gap)]),
    ...parts.window.flatMap((turn) => recentItem(turn, recent)),
    ...notes('fact', parts.facts),
    ...quoteDays(parts.recalled, parts.stated).flatMap(({ entries }) =>
      entries.map((entry) =>
        'note' in entry
          ? noteItem('recalled', entry.note, tokenizer)
          : recalledItem(entry.turn, entry.lines, tokenizer),
      ),
    ),
  ];
}

/** Returns the messages of recent turns that endpoints accept. */
export function sentOf(window: readonly CountedTurn[]): StoredMessage[] {
  return pairToolCalls(
    window.flatMap((turn) =>
      turn.messages.filter((message) => message.role !== 'system' && !isNotice(message)),
    ),
  );
}

/** Returns notes in the order in which they are quoted. */
function quotedNotes(notes: readonly ContextNote[]): ContextNote[] {
  return quoteDays([], notes).flatMap(({ entries }) =>
    entries.flatMap((entry) => ('note' in entry ? entry.note : [])),
  );
}

export function turnIdOf({ messages }: Pick<CountedTurn, 'messages'>): string {
  return messages[0]?.turnId ?? '';
}

/** Title above a summary, counted as part of its tokens. */
export const SUMMARY_TITLE = 'Summary of the conversation until here';
const PINNED_TITLE = 'Pinned facts';
/** Title above the profile, counted as part of its tokens. */
export const PROFILE_TITLE = 'About the user';
const FACTS_TITLE = 'Known facts';

function fenceOf(mark: string, blocks: readonly string[]): string {
  return blocks.length > 0 ? fence(mark, blocks) : '';
}

function notesBlock(title: string, notes: readonly ContextNote[]): string[] {
  const texts = notes.map((note) => note.text);
  return texts.length === 0 ? [] : [quoteNotes(title, texts)];
}

function noteItem(kind: ContextItem['kind'], note: ContextNote, tokenizer: Tokenizer): ContextItem {
  const { text, origin = 'user', sources, sessionId = '', turnId = '', factId, createdAt, score, why } = note;
  const place = { sessionId, turnId, ...(factId === undefined ? {} : { factId }), createdAt };
  const tokens = tokenizer.countText(text);
  return { kind, text, tokens, origin, sources: [...sources], ...place, score, why };
}

/** Returns no item if no message of the turn is sent. */
function recentItem(turn: CountedTurn, sent: readonly StoredMessage[]): ContextItem[] {
  const messages = sent.filter((message) => message.turnId === turnIdOf(turn));
  if (messages.length === 0) return [];
  const text = messagesToText(messages);
  return [{ kind: 'recent', text, tokens: turn.tokens, score: 0, why: {}, ...placeOf({ messages }) }];
}

function recalledItem(found: FoundTurn, quote: string, tokenizer: Tokenizer): ContextItem {
  const { score, why, passages } = found;
  const messages = found.messages.filter(({ id }) => passages?.get(id)?.length !== 0);
  const tokens = tokenizer.countText(quote);
  return { kind: 'recalled', text: quote, tokens, score, why, ...placeOf({ messages }) };
}

function placeOf({ messages }: Pick<CountedTurn, 'messages'>) {
  const [first] = messages;
  return {
    origin: 'conversation' as const,
    sources: messages.map((message) => message.id),
    sessionId: first?.sessionId ?? '',
    turnId: first?.turnId ?? '',
    createdAt: first?.createdAt ?? 0,
  };
}

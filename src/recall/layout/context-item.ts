import type { ChatMessage } from '../../model/message.ts';
import type { Speaker } from '../../model/speaker.ts';

/** Speaker of a piece of the context. `conversation`: several speakers, who are named in the text. */
export type ItemOrigin = Speaker | 'conversation';

/** One piece of the context, with the reason why it was chosen. */
export interface ContextItem {
  /**
   * `pinned`: a fact that the user wants in every context. `profile`: a sentence of the user that helps with any
   * question. `summary`: the summary of the turns that no longer fit the session's window. `recent`: a turn in that
   * window. `fact`: a fact about something that the input mentions. `recalled`: an older turn that search found, either
   * the whole turn or only what the user states in it.
   */
  kind: 'pinned' | 'profile' | 'summary' | 'recent' | 'fact' | 'recalled';
  /** Text as it appears in the prompt, without the fence around it. */
  text: string;
  tokens: number;
  /**
   * Speaker of the text. Turns and summaries have several speakers, so they have the origin `conversation`: their text
   * names the speakers.
   */
  origin: ItemOrigin;
  /** Ids of the messages that it quotes or was learned from. Empty for a written summary, which covers too many. */
  sources: string[];
  /** Id of the session. Empty for what belongs to no single one: facts, the profile, and claims instead of a summary. */
  sessionId: string;
  /** Id of the turn. Empty where `sessionId` is, and for summaries. */
  turnId: string;
  /** Id of the fact. Pass it to `correct`, `pin` or `forget`. Set for pinned facts, facts, and facts in the profile. */
  factId?: string;
  /**
   * Time of the message, in milliseconds since 1970. For a fact, the time from which it holds, or for one in the profile, at
   * which it was stored; for a summary, the time at which it was written.
   */
  createdAt: number;
  /** Relevance, comparable within one kind only: higher is better. 0 for kinds that are not ranked. */
  score: number;
  /**
   * Parts of the score by name. Of a turn that search has found, they add up to `score`; with a `rerank` function, its
   * score is the only one. Can be empty for other kinds.
   */
  why: Readonly<Record<string, number>>;
}

export interface RecalledContext {
  /** The complete request, ready to send, including the input. */
  messages: ChatMessage[];
  /** The recalled text inside its fence, for callers who build their own prompt. Empty if nothing was recalled. */
  text: string;
  /** Number of tokens of the whole request. */
  tokens: number;
  /** Whether the system message and the input alone exceed the budget. The request then contains nothing else. */
  overBudget: boolean;
  items: ContextItem[];
}

/** What was recalled for a question. */
export interface RecallEvent {
  readonly sessionId: string;
  /** Id of the turn that the question begins, if the caller has named one. */
  readonly turnId?: string;
  readonly question: string;
  readonly context: RecalledContext;
}

/** A piece of knowledge as one line or paragraph of a prompt. */
export interface ContextNote {
  readonly text: string;
  /** Who said it. @default 'user' */
  readonly origin?: ItemOrigin;
  readonly sources: readonly string[];
  readonly sessionId?: string;
  readonly factId?: string;
  /** The user's sentences that the note consists of, verbatim. */
  readonly claims?: readonly { readonly id: string; readonly text: string }[];
  readonly turnId?: string;
  /** Words that a message needs to make this note redundant; undefined if no single message can. */
  readonly saidBy?: readonly string[];
  /** Whether the note is about the user and shares no word with the question. */
  readonly isGeneral?: boolean;
  readonly createdAt: number;
  readonly score: number;
  readonly why: Readonly<Record<string, number>>;
}

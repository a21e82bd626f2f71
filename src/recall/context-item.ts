import type { ChatMessage } from '../model/message.ts';

export type ItemOrigin = 'user' | 'assistant' | 'tool' | 'document' | 'import' | 'conversation';

/** One thing that is in the context, and why. */
export interface ContextItem {
  /**
   * `pinned`: a fact that the user wants in every context. `profile`: a sentence of the user that helps whatever is
   * asked. `summary`: of what has left the session's window. `recent`: a turn of that window. `fact`: about something
   * that the input mentions. `recalled`: an older turn that search found, whole or by what the user states in it.
   */
  kind: 'pinned' | 'profile' | 'summary' | 'recent' | 'fact' | 'recalled';
  /** As it stands in the prompt, fence aside. */
  text: string;
  tokens: number;
  /** Whose word it is; of turns and summaries, in which several speak, `conversation`: their text says who says what. */
  origin: ItemOrigin;
  /** Ids of the messages that it quotes, or that say it; empty for a summary, which covers too many. */
  sources: string[];
  /** Empty for facts, which belong to no single session. */
  sessionId: string;
  /** Empty for facts and summaries. */
  turnId: string;
  /** Of a fact, for `correct`, `pin` and `forget`. */
  factId?: string;
  /** When it was said; of a fact, since when it holds; of a summary, when it was made. */
  createdAt: number;
  /** Higher fits better, within its kind; 0 for what needs no reason. */
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

/** Something that is known, as one line or paragraph of a prompt. */
export interface ContextNote {
  readonly text: string;
  /** Whose word it is. @default 'user' */
  readonly origin?: ItemOrigin;
  readonly sources: readonly string[];
  readonly sessionId?: string;
  readonly factId?: string;
  /** The sentences of the user that it consists of, word for word. */
  readonly statements?: readonly { readonly id: string; readonly text: string }[];
  readonly turnId?: string;
  /** The words of a message that says the same in its own; undefined where a message alone cannot. */
  readonly saidBy?: readonly string[];
  /** Is about the user, and shares no word with the question. */
  readonly isGeneral?: boolean;
  readonly createdAt: number;
  readonly score: number;
  readonly why: Readonly<Record<string, number>>;
}

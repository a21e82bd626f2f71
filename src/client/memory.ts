import type { MemoryIntent } from '../language/memory-intent.ts';
import type { SessionOptions, SignalOption } from '../model/call-options.ts';
import type { StoredMessage } from '../model/message.ts';
import type { AnswerSource } from '../recall/read-sources.ts';
import type { RecalledContext } from '../recall/layout/context-item.ts';
import type { ContextCandidate } from '../recall/layout/explain-context.ts';
import type { ProfileLine } from '../recall/profile/profile.ts';
import type { RecallOptions } from '../recall/recall-context.ts';
import type { SearchOptions, SearchResult } from '../recall/search-messages.ts';
import type { SessionInfo } from '../sessions/memory-database.ts';
import type { ListSessionsOptions } from '../sessions/session-list.ts';
import type { NewTurn, RememberOptions } from '../sessions/new-turn.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { RememberReceipt } from '../storage/transcript/append-turn.ts';
import type { ForgetOptions, ForgetSelector } from './forget.ts';
import type { MemoryEventListener, MemoryEventMap } from './memory-events.ts';
import type { MemoryBackup } from './rooms/backup-room.ts';
import type { MemoryClaims } from './rooms/claims-room.ts';
import type { MemoryDevice } from './rooms/device-room.ts';
import type { MemoryFacts } from './rooms/facts-room.ts';
import type { MemoryReview } from './rooms/review-room.ts';
import type { MemoryWork } from './rooms/work-room.ts';

/** Summary of the beginning of a session. */
export interface SessionSummary {
  text: string;
  /** Sequence number of the last message that the summary covers; it covers all messages up to it. */
  coversSeq: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/**
 * Long-term memory of one user's chats, seen from one session. Call `recall` before the model, and `remember` after it.
 */
export interface Memory {
  readonly sessionId: string;
  /** Default of `maxTokens` for `recall`: the maximum tokens of a whole request. */
  readonly maxTokens: number;
  /** Returns the same memory seen from another session. */
  session(id: string): Memory;
  /**
   * Returns the JSON records of an integration, in this memory's scope. They are part of backups, and are erased with the
   * session or the messages that they belong to.
   *
   * @throws MnemoraError `invalid-option`
   */
  records(namespace: string): RecordStore;
  /**
   * Stores a turn, which is complete and durable when this resolves. Does not wait for a model: embeddings and facts
   * are made in the background.
   *
   * @throws MnemoraError `turn-conflict`, `not-found` with `continues`, `invalid-option`, `invalid-input`, `invalid-message`,
   *   `redact-failed`, and the `storage-…` codes; nothing is stored then
   */
  remember(turn: NewTurn, options?: RememberOptions): Promise<RememberReceipt>;
  /**
   * Returns a request that is ready to send within the token budget: system text, recent turns, and the input preceded
   * by what was recalled for it.
   */
  recall(input: string, options?: RecallOptions): Promise<RecalledContext>;
  /**
   * Quotes messages or a text for a model in the same way as `recall`, for example in the result of a tool: inside a
   * fence, with speakers and times, and escaped so that no part of them can be mistaken for the request. Only the first
   * 500 characters of each message are quoted.
   *
   * @param quoted ids of messages, such as those that `search` finds, or a text. Messages that were forgotten or replaced,
   *   and those of another scope, are left out
   * @returns an empty string if nothing is left to quote
   * @throws MnemoraError `invalid-input`, `invalid-option`, and the `storage-…` codes
   *
   * @example
   * const found = await memory.search('boat');
   * return memory.quote(found.map(({ message }) => message.id));
   */
  quote(quoted: readonly string[] | string, options?: SignalOption): Promise<string>;
  /**
   * Returns what an answer was given from, as the memory has it now: what was forgotten since is left out. Known for the
   * answers of `memoryTransport` and `memoryMiddleware`, by the id of the message on the page or of the stored message.
   *
   * @returns an empty list if nothing was recalled for the answer, or for an unknown id
   * @throws MnemoraError `invalid-input`, and the `storage-…` codes
   */
  sources(messageId: string, options?: SignalOption): Promise<AnswerSource[]>;
  /** Returns every candidate that `recall` considers for the input, whether it is included in the context, and why. */
  explain(input: string, options?: RecallOptions): Promise<ContextCandidate[]>;
  /**
   * Detects whether a message asks the memory itself to forget something, to keep something or to show what it holds,
   * with rules for seven languages. Changes nothing. For the first two intents, `recall` sends neither facts nor old
   * turns.
   *
   * @throws MnemoraError `invalid-input`
   *
   * @example
   * await memory.intent('Please forget that I lived in Rome.'); // { kind: 'forget', about: 'I lived in Rome' }
   */
  intent(text: string, options?: SignalOption): Promise<MemoryIntent>;
  /**
   * Returns the lines about the user that every context includes: their claims that matter for any question, without those
   * that a later one replaces, and the facts they entered, as far as they fit `profile.maxTokens`. Empty with
   * `profile: false`.
   */
  profile(options?: SignalOption): Promise<ProfileLine[]>;
  /**
   * Returns matching messages, best first. Messages of a speaker that differ only in case, punctuation or word endings
   * are returned once. Only the first 20,000 characters of the query are used.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** Returns all messages of a session, in any state, grouped by turn, oldest first. */
  history(options?: SessionOptions): Promise<StoredMessage[]>;
  /**
   * Returns the sessions that have messages, newest first: all of them, or a page of `limit`.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`
   *
   * @example
   * const page = await memory.sessions({ limit: 20 });
   * const last = page.at(-1);
   * const next = last ? await memory.sessions({ limit: 20, after: last }) : [];
   */
  sessions(options?: ListSessionsOptions): Promise<SessionInfo[]>;
  /**
   * Erases what is selected and everything derived from it alone, in one transaction, and returns the counts. For an
   * entity or a text, learned or not, this includes its facts and claims and every note, quote, summary, title and
   * file of a memory tool that contains it; with `turns: true`, also the turns that contain it. In the receipt,
   * `turnsStillNaming` is the number of turns that still contain it, and `turnsNear` the number of turns in which it is
   * only part of a longer word. With `preview: true` nothing changes, and the receipt counts what would be erased.
   *
   * @throws MnemoraError `invalid-input`; `invalid-option`; `not-found` if there is no such fact, or if nothing at all
   *   contains the words or the name. Nothing is changed then.
   */
  forget(selector: ForgetSelector, options?: ForgetOptions): Promise<ForgetReceipt>;
  /** Returns the summary of the turns that no longer fit the window, or undefined while all still fit. */
  summary(options?: SessionOptions): Promise<SessionSummary | undefined>;
  /** What was said that is worth keeping, word for word, and whether it still holds. */
  readonly claims: MemoryClaims;
  /** Facts and entities that the memory has learned about the user and their world. */
  readonly facts: MemoryFacts;
  /** Facts stated by others that await the user's confirmation. */
  readonly review: MemoryReview;
  /** Backups, and verification and rebuilding of derived data. */
  readonly backup: MemoryBackup;
  /** Background work: learning from turns and summarizing them. */
  readonly work: MemoryWork;
  /** Browser storage: usage, persistence and data loss. */
  readonly device: MemoryDevice;
  /** @throws MnemoraError `invalid-option` if there is no such event or the listener is not a function */
  addEventListener<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void;
  removeEventListener<Type extends keyof MemoryEventMap>(
    type: Type,
    listener: MemoryEventListener<Type>,
  ): void;
  /** Ends background work and closes the database, for all sessions of this memory. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

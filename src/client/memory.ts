import { toSessionInfo, type SessionInfo } from '../history/open-database.ts';
import { newId } from '../model/id.ts';
import type { StoredMessage } from '../model/message.ts';
import { inTurnOrder } from '../model/turn.ts';
import type { Warning } from '../model/warning.ts';
import type { RecalledContext } from '../recall/assemble-context.ts';
import { requireScope } from '../storage/append-plan.ts';
import type { AppendReceipt, ForgetReceipt, ForgetSelector } from '../storage/transcript-store.ts';
import { checkCallOptions, requireId } from './call-options.ts';
import { Engine } from './engine.ts';
import { parseForgetSelector } from './forget-selector.ts';
import type { MemoryEventListener, MemoryEventMap } from './memory-events.ts';
import { parseRememberOptions, parseTurn, type NewTurn, type RememberOptions } from './new-turn.ts';
import { parseMemoryOptions, type CreateMemoryOptions } from './options.ts';
import { RECALL_OPTIONS, recallContext, type RecallOptions } from './recall.ts';
import { SEARCH_OPTIONS, searchMessages, type SearchOptions, type SearchResult } from './search.ts';
import { persistStorage, storageUse, type StorageUse } from './storage-use.ts';

/**
 * Long-term memory of one user's chats, seen from one session. `recall` before the model is called, `remember` after.
 */
export interface ChatMemory {
  readonly sessionId: string;
  /** Tokens of a whole request, where `recall` is not told otherwise. */
  readonly maxTokens: number;
  /** The same memory seen from another session. */
  session(id: string): ChatMemory;
  /**
   * Stores a turn, whole and durable when this resolves. Nothing waits for a model: embeddings are made in the
   * background.
   *
   * @throws MnemoraError `turn-conflict`, `invalid-input`, `invalid-message`, and the `storage-…` codes; nothing is
   *   stored then
   */
  remember(turn: NewTurn, options?: RememberOptions): Promise<AppendReceipt>;
  /**
   * Lays out a request that is ready to send: system text, recent turns, and the input behind what was recalled for
   * it, within the budget. Whole turns only.
   */
  recall(input: string, options?: RecallOptions): Promise<RecalledContext>;
  /** Messages that fit the query, best first. */
  search(query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** All messages of a session, in any state, turn after turn, oldest first. */
  history(sessionId?: string): Promise<StoredMessage[]>;
  /** Sessions that hold messages, newest first. */
  sessions(): Promise<SessionInfo[]>;
  /** Erases what is selected, and all that is derived from it, in one transaction; says how much that was. */
  forget(selector: ForgetSelector): Promise<ForgetReceipt>;
  /** Resolves when nothing is left to do in the background, or when that has failed (a warning said so). */
  settled(): Promise<void>;
  storage(): Promise<StorageUse>;
  /** Asks the browser not to evict this site's storage. Resolves to whether it agreed. */
  requestPersistence(): Promise<boolean>;
  addEventListener<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void;
  removeEventListener<Type extends keyof MemoryEventMap>(
    type: Type,
    listener: MemoryEventListener<Type>,
  ): void;
  /** Raises the `warning` event, for what is built on this memory. */
  warn(warning: Warning): void;
  /** Ends background work and closes the database, for all sessions of this memory. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens, or makes, a memory.
 *
 * @throws MnemoraError `invalid-option`, `storage-unavailable` where there is no IndexedDB, `storage-newer`,
 *   `storage-blocked`
 *
 * @example
 * const memory = await createMemory();
 * const { messages } = await memory.recall('What did we plan for Lisbon?');
 * const { text } = await llm({ messages });
 * await memory.remember({ user: 'What did we plan for Lisbon?', assistant: text });
 */
export async function createMemory(options: CreateMemoryOptions = {}): Promise<ChatMemory> {
  const settings = parseMemoryOptions(options);
  return new SessionMemory(await Engine.open(settings), settings.sessionId ?? newId());
}

class SessionMemory implements ChatMemory {
  readonly sessionId: string;
  readonly #engine: Engine;

  constructor(engine: Engine, sessionId: string) {
    this.#engine = engine;
    this.sessionId = requireId(sessionId, 'A session id');
  }

  get maxTokens(): number {
    return this.#engine.settings.maxTokens;
  }

  session(id: string): ChatMemory {
    return new SessionMemory(this.#engine, id);
  }

  async remember(turn: NewTurn, options: RememberOptions = {}): Promise<AppendReceipt> {
    const {
      turnId = newId(),
      sessionId = this.sessionId,
      createdAt,
      metadata,
      state,
      signal,
    } = parseRememberOptions(options);
    const tokenizer = this.#engine.loadedTokenizer;
    const messages = parseTurn(turn).map((message) =>
      tokenizer ? { ...message, tokens: { [tokenizer.id]: tokenizer.countMessage(message) } } : message,
    );
    const receipt = await this.#engine.store.append(
      {
        sessionId,
        scope: this.#engine.settings.scope,
        messages,
        turnId,
        state: state ?? 'complete',
        createdAt: createdAt ?? this.#engine.settings.clock(),
        ...(metadata ? { metadata } : {}),
      },
      signal,
    );
    if (!receipt.duplicate) this.#engine.written();
    return receipt;
  }

  async recall(input: string, options: RecallOptions = {}): Promise<RecalledContext> {
    checkCallOptions('recall', options, RECALL_OPTIONS);
    return recallContext(this.#engine, input, { ...options, sessionId: options.sessionId ?? this.sessionId });
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    checkCallOptions('search', options, SEARCH_OPTIONS);
    return searchMessages(this.#engine, query, options);
  }

  async history(sessionId: string = this.sessionId): Promise<StoredMessage[]> {
    const session = await this.#engine.store.session(requireId(sessionId, 'A session id'));
    if (session) requireScope(session, this.#engine.settings.scope);
    return inTurnOrder(await this.#engine.store.listMessages(sessionId));
  }

  async sessions(): Promise<SessionInfo[]> {
    return (await this.#engine.store.listSessions(this.#engine.settings.scope)).map(toSessionInfo);
  }

  async forget(selector: ForgetSelector): Promise<ForgetReceipt> {
    const receipt = await this.#engine.store.forget(
      parseForgetSelector(selector),
      this.#engine.settings.scope,
    );
    this.#engine.written();
    return receipt;
  }

  settled(): Promise<void> {
    return this.#engine.settled();
  }

  storage(): Promise<StorageUse> {
    return storageUse();
  }

  requestPersistence(): Promise<boolean> {
    return persistStorage();
  }

  addEventListener<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void {
    this.#engine.events.add(type, listener);
  }

  removeEventListener<Type extends keyof MemoryEventMap>(
    type: Type,
    listener: MemoryEventListener<Type>,
  ): void {
    this.#engine.events.remove(type, listener);
  }

  warn(warning: Warning): void {
    this.#engine.events.warn(warning);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

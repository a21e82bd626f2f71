import type { ExportOptions } from '../backup/export-backup.ts';
import type { ImportOptions } from '../backup/import-backup.ts';
import type { ImportReceipt, ForgetReceipt } from '../storage/receipts.ts';
import type { VerifyReport } from '../backup/verify-derived.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { SessionInfo } from '../sessions/memory-database.ts';
import type { FactChange } from '../learning/user-edits.ts';
import type { StoredMessage } from '../model/message.ts';
import type { Warning } from '../model/warning.ts';
import type { DataLoss } from '../storage/data-loss.ts';
import type { RecalledContext } from '../recall/context-item.ts';
import type { MemoryIntent } from '../recall/intent/memory-intent.ts';
import type { ContextCandidate } from '../recall/explain-context.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { AppendReceipt } from '../storage/transcript/append-turn.ts';
import type { AutoBackupOptions } from './auto-backup.ts';
import type { SignalOption } from './call-options.ts';
import type { ForgetOptions, ForgetSelector } from './forget.ts';
import type { FactsQuery, MemoryEntity, MemoryFact, ReviewItem } from './knowledge.ts';
import type { MemoryEventListener, MemoryEventMap, MemoryJob } from './memory-events.ts';
import type { NewTurn, RememberOptions } from './new-turn.ts';
import type { ProfileLine } from './profile.ts';
import type { RebuildOptions } from './rebuild.ts';
import type { RecallOptions } from './recall.ts';
import type { SearchOptions, SearchResult } from './search.ts';

/** Storage of this site, as far as the browser reports it. */
export interface StorageUse {
  /** Estimate for the whole origin. */
  usedBytes: number;
  quotaBytes?: number;
  /** Whether the browser has promised not to evict it. */
  persisted?: boolean;
}

/** Summary of the beginning of a session. */
export interface SessionSummary {
  text: string;
  /** It covers every message up to and including this sequence number. */
  coversSeq: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/**
 * Long-term memory of one user's chats, seen from one session. `recall` before the model is called, `remember` after.
 */
export interface Memory {
  readonly sessionId: string;
  /** Tokens of a whole request, where `recall` is not told otherwise. */
  readonly maxTokens: number;
  /** The same memory seen from another session. */
  session(id: string): Memory;
  /**
   * Returns the JSON records of an integration, in this memory's scope. They are part of backups, and are erased with the
   * session or the messages that they belong to.
   *
   * @throws MnemoraError `invalid-option`
   */
  records(namespace: string): RecordStore;
  /**
   * Stores a turn, whole and durable when this resolves. Nothing waits for a model: embeddings are made in the
   * background.
   *
   * @throws MnemoraError `turn-conflict`, `invalid-input`, `invalid-message`, `redact-failed`, and the `storage-…` codes; nothing is
   *   stored then
   */
  remember(turn: NewTurn, options?: RememberOptions): Promise<AppendReceipt>;
  /**
   * Lays out a request that is ready to send: system text, recent turns, and the input behind what was recalled for
   * it, within the budget. Whole turns only.
   */
  recall(input: string, options?: RecallOptions): Promise<RecalledContext>;
  /** All that `recall` considers for the input, in or out of the context, and why. */
  explain(input: string, options?: RecallOptions): Promise<ContextCandidate[]>;
  /**
   * Says whether a message asks for something of the memory itself: to forget or to keep something, or to see what is
   * kept; by rules for seven languages. Changes nothing. For the first two, `recall` sends neither facts nor old turns.
   *
   * @throws MnemoraError `invalid-input`
   *
   * @example
   * await memory.intent('Please forget that I lived in Rome.'); // { kind: 'forget', about: 'I lived in Rome' }
   */
  intent(text: string, options?: SignalOption): Promise<MemoryIntent>;
  /**
   * What every context tells of the user, whatever is asked: sentences of their own, newest word on a topic only, and
   * what they have entered. `correct`, `forget` and saying otherwise change it. Empty with `profile: false`.
   */
  profile(options?: SignalOption): Promise<ProfileLine[]>;
  /**
   * Messages that fit the query, best first; of those that say the same in other case or marks only the best. Of a longer
   * query, the first 20,000 characters are searched for.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** All messages of a session, in any state, turn after turn, oldest first. */
  history(sessionId?: string, options?: SignalOption): Promise<StoredMessage[]>;
  /** Sessions that hold messages, newest first. */
  sessions(options?: SignalOption): Promise<SessionInfo[]>;
  /**
   * Erases what is selected, and all that is derived from it, in one transaction; says how much that was. With an entity
   * go its facts and statements, and every note, quote, summary and title that names it; `turnsStillNaming` of the
   * receipt says in how many turns its name still stands. With `preview: true` nothing is changed, and the receipt says
   * what would go.
   *
   * @throws MnemoraError `invalid-input`, `invalid-option`, `not-found`; nothing is changed then
   */
  forget(selector: ForgetSelector, options?: ForgetOptions): Promise<ForgetReceipt>;
  /**
   * What the memory takes for facts: those that hold now, or at another time, or all that were ever told.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`
   */
  facts(query?: FactsQuery): Promise<MemoryFact[]>;
  /** The people, places and things that it knows of. */
  entities(options?: SignalOption): Promise<MemoryEntity[]>;
  /** A copy of the graph that facts and entities make, for drawing or exporting it. */
  knowledgeGraph(options?: SignalOption): Promise<KnowledgeGraph>;
  /** Summary of the turns that no longer fit the window, or undefined while all still fit. */
  summary(sessionId?: string, options?: SignalOption): Promise<SessionSummary | undefined>;
  /**
   * Puts what the user says in the place of a fact, which stays in the history as one that never held. Survives
   * `rebuild`. An abort before it is stored leaves everything as it was; a later one changes nothing.
   *
   * @throws MnemoraError `not-found`, `invalid-option`, `invalid-input`
   */
  correct(factId: string, change: FactChange, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Puts a fact into every context for as long as it holds, as far as the budget goes.
   *
   * @throws MnemoraError `not-found`
   */
  pin(factId: string, options?: SignalOption): Promise<void>;
  /** @throws MnemoraError `not-found` */
  unpin(factId: string, options?: SignalOption): Promise<void>;
  /**
   * What an assistant, a tool, a pasted text or an import has said, and the user has not: facts that hold, the newest
   * first, 50 at most. Each is told to a model with whose word it is, and ends nothing that the user said.
   */
  review(options?: SignalOption): Promise<ReviewItem[]>;
  /**
   * Makes a fact of `review` the user's word, which wins and survives `rebuild`.
   *
   * @throws MnemoraError `not-found` where no such fact waits
   */
  accept(factId: string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Forgets a fact of `review`: it is not learned again from the same messages.
   *
   * @throws MnemoraError `not-found` where no such fact waits
   */
  reject(factId: string, options?: SignalOption): Promise<void>;
  /**
   * All that this memory holds, as a file: the same bytes for the same state, unless a `passphrase` encrypts it. Without
   * keys, secrets and configuration.
   *
   * @throws MnemoraError `storage-unavailable` for a memory in RAM, and the `storage-…` codes
   */
  export(options?: Omit<ExportOptions, 'scope'>): Promise<Blob>;
  /**
   * Merges a file that `export` made: all of it, or nothing. What is here stays; what was forgotten here does not come
   * back, unless `restoreForgotten` says so. The same file again changes nothing.
   *
   * @throws MnemoraError `backup-invalid`, `backup-newer`, each naming the place; `passphrase-needed`,
   *   `wrong-passphrase`; `storage-unavailable` for a memory in RAM, and the `storage-…` codes; nothing is changed then
   */
  import(backup: Blob, options?: ImportOptions): Promise<ImportReceipt>;
  /**
   * Hands a backup to `write` whenever something has changed and the last backup is `everyMs` old: at once if one is
   * overdue, and in one tab at a time. A failure raises a `backup-failed` warning and is tried again, after a minute
   * first. Returns a function that stops it; the signal and `close()` do as well.
   *
   * @throws MnemoraError `invalid-option`, `crypto-unavailable`
   *
   * @example
   * const stop = await memory.autoBackup({
   *   everyMs: 3_600_000,
   *   write: async (backup) => {
   *     const root = await navigator.storage.getDirectory();
   *     const file = await (await root.getFileHandle('backup.jsonl', { create: true })).createWritable();
   *     await backup.stream().pipeTo(file);
   *   },
   * });
   */
  autoBackup(options: AutoBackupOptions): Promise<() => void>;
  /**
   * Checks what is derived against the transcript, and repairs nothing: `rebuild` does that.
   *
   * @throws MnemoraError `storage-unavailable` for a memory in RAM
   */
  verify(options?: SignalOption): Promise<VerifyReport>;
  /**
   * The last loss of the database: it was there, and came back empty or in an earlier state, as after damage to the
   * disk. Undefined once a backup was imported or `acknowledgeLoss` was called. A `data-lost` warning is raised too,
   * at every opening until then. Deleting or forgetting through the library is no loss, and neither is clearing all
   * data of the site. Noticed with the help of an entry in `localStorage`: not in workers, nor where that is refused.
   */
  lastLoss(options?: SignalOption): Promise<DataLoss | undefined>;
  /** Continues without what was lost: `lastLoss` returns undefined from now on. */
  acknowledgeLoss(options?: SignalOption): Promise<void>;
  /** Work that waits or is under way in the background, oldest first, and what was given up. */
  jobs(options?: SignalOption): Promise<MemoryJob[]>;
  /** Has a job that was given up, is paused or waits tried at once. @throws MnemoraError `not-found` */
  retryJob(id: number, options?: SignalOption): Promise<void>;
  /**
   * Makes summaries, entities and facts again from the transcript. What the user corrected, pinned or forgot stays so.
   * Resolves when that is done; work goes on in the background where the signal aborts the wait.
   *
   * @throws MnemoraError `invalid-option` for a memory without an extractor
   */
  rebuild(options?: RebuildOptions): Promise<void>;
  /** Resolves when nothing is left to do in the background, or when that has failed (a warning said so). */
  settled(options?: SignalOption): Promise<void>;
  /**
   * Returns how much of its storage this site uses.
   *
   * @throws MnemoraError `storage-unavailable` if the browser refuses to tell
   */
  storage(options?: SignalOption): Promise<StorageUse>;
  /**
   * Asks the browser not to evict this site's storage. Resolves to whether it agreed. Firefox asks the user, and this
   * does not settle before the user has answered: pass a signal to stop waiting.
   *
   * @throws MnemoraError `storage-unavailable` if the browser refuses to be asked
   */
  requestPersistence(options?: SignalOption): Promise<boolean>;
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

import type { ExportOptions } from '../backup/export-backup.ts';
import type { ImportOptions } from '../backup/import-backup.ts';
import type { ImportReceipt, ForgetReceipt } from '../storage/receipts.ts';
import type { VerifyReport } from '../backup/verify-derived.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import { toSessionInfo } from '../sessions/open-database.ts';
import type { SessionInfo } from '../sessions/memory-database.ts';
import type { FactChange } from '../learning/user-edits.ts';
import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { StoredMessage } from '../model/message.ts';
import { inTurnOrder } from '../model/turn.ts';
import type { Warning } from '../model/warning.ts';
import type { RecalledContext } from '../recall/context-item.ts';
import type { MemoryIntent } from '../recall/intent/memory-intent.ts';
import type { ContextCandidate } from '../recall/explain-context.ts';
import { requireScope } from '../storage/transcript/append-plan.ts';
import type { AppendReceipt } from '../storage/transcript/append-turn.ts';
import { abortable } from '../model/abortable.ts';
import { checkCallOptions, requireId, signalOf, type SignalOption } from './call-options.ts';
import { Engine } from './engine.ts';
import { SUMMARY_ID } from './queues.ts';
import type { ForgetOptions } from './forget.ts';
import type { ForgetSelector } from './forget-selector.ts';
import type { FactsQuery, MemoryEntity, MemoryFact } from './knowledge.ts';
import {
  toMemoryJob,
  type MemoryEventListener,
  type MemoryEventMap,
  type MemoryJob,
} from './memory-events.ts';
import type { ReviewItem } from './review.ts';
import { parseRememberOptions, parseTurn, type NewTurn, type RememberOptions } from './new-turn.ts';
import { parseMemoryOptions, type CreateMemoryOptions } from './options.ts';
import type { ProfileLine } from './profile.ts';
import type { RebuildOptions } from './rebuild.ts';
import { RECALL_OPTIONS, type RecallOptions } from './recall-options.ts';
import type { SearchResult } from './search-result.ts';
import { SEARCH_OPTIONS, type SearchOptions } from './search-options.ts';
import { persistStorage, storageUse, type StorageUse } from './storage-use.ts';
import type { Memory, SessionSummary } from './memory.ts';
import { noteDatabase } from './turn-order.ts';

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
export async function createMemory(options: CreateMemoryOptions = {}): Promise<Memory> {
  const settings = parseMemoryOptions(options);
  // Whoever is offline by the first question has it already; what fails is told to whoever asks.
  loadRecall().catch(() => undefined);
  return new SessionMemory(await Engine.open(settings), settings.sessionId ?? newId());
}

/** How requests are laid out, which a page does without until it opens a memory. */
const loadRecall = () => import('./recall.ts');

class SessionMemory implements Memory {
  readonly sessionId: string;
  readonly #engine: Engine;

  constructor(engine: Engine, sessionId: string) {
    this.#engine = engine;
    this.sessionId = requireId(sessionId, 'A session id');
    noteDatabase(this, engine.storeName);
  }

  get maxTokens(): number {
    return this.#engine.settings.maxTokens;
  }

  session(id: string): Memory {
    return new SessionMemory(this.#engine, id);
  }

  async remember(turn: NewTurn, options: RememberOptions = {}): Promise<AppendReceipt> {
    const {
      turnId = newId(),
      sessionId = this.sessionId,
      createdAt,
      metadata,
      state,
      replaces,
      signal,
    } = parseRememberOptions(options);
    const tokenizer = this.#engine.loadedTokenizer;
    const messages = parseTurn(turn).map((message) =>
      tokenizer ? { ...message, tokens: { [tokenizer.id]: tokenizer.countMessage(message) } } : message,
    );
    const receipt = await this.#engine.stores.transcript.append(
      {
        sessionId,
        scope: this.#engine.settings.scope,
        messages,
        turnId,
        state: state ?? 'complete',
        createdAt: createdAt ?? this.#engine.settings.clock(),
        ...(metadata ? { metadata } : {}),
        ...(replaces === undefined ? {} : { replaces }),
        ...(this.#engine.enrichment ? { jobs: this.#engine.enrichment.jobs } : {}),
      },
      signal,
    );
    if (!receipt.duplicate) this.#engine.written();
    return receipt;
  }

  async recall(input: string, options: RecallOptions = {}): Promise<RecalledContext> {
    checkCallOptions('recall', options, RECALL_OPTIONS);
    const { recallContext } = await loadRecall();
    return recallContext(this.#engine, input, { ...options, sessionId: options.sessionId ?? this.sessionId });
  }

  async explain(input: string, options: RecallOptions = {}): Promise<ContextCandidate[]> {
    checkCallOptions('explain', options, RECALL_OPTIONS);
    const { explainRecall } = await loadRecall();
    return explainRecall(this.#engine, input, { ...options, sessionId: options.sessionId ?? this.sessionId });
  }

  async intent(text: string, options: SignalOption = {}): Promise<MemoryIntent> {
    signalOf('intent', options);
    if (typeof text !== 'string') throw new MnemoraError('invalid-input', 'The text must be a string.');
    const { memoryIntent } = await import('../recall/intent/memory-intent.ts');
    return memoryIntent(text);
  }

  async profile(options: SignalOption = {}): Promise<ProfileLine[]> {
    checkCallOptions('profile', options, ['signal']);
    const { readProfile } = await import('./profile.ts');
    return readProfile(this.#engine, options.signal);
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    checkCallOptions('search', options, SEARCH_OPTIONS);
    const { searchMessages } = await import('./search.ts');
    return searchMessages(this.#engine, query, options);
  }

  async history(sessionId: string = this.sessionId, options: SignalOption = {}): Promise<StoredMessage[]> {
    const signal = signalOf('history', options);
    const { transcript } = this.#engine.stores;
    const session = await abortable(transcript.session(requireId(sessionId, 'A session id')), signal);
    if (session) requireScope(session, this.#engine.settings.scope);
    return inTurnOrder(await transcript.listMessages(sessionId, { ...(signal ? { signal } : {}) }));
  }

  async sessions(options: SignalOption = {}): Promise<SessionInfo[]> {
    const signal = signalOf('sessions', options);
    const { stores, settings } = this.#engine;
    return (await abortable(stores.transcript.listSessions(settings.scope), signal)).map(toSessionInfo);
  }

  async forget(selector: ForgetSelector, options: ForgetOptions = {}): Promise<ForgetReceipt> {
    const { forget } = await import('./forget.ts');
    return forget(this.#engine, selector, options);
  }

  async facts(query: FactsQuery = {}): Promise<MemoryFact[]> {
    const { listFacts } = await import('./knowledge.ts');
    return listFacts(this.#engine, query);
  }

  async entities(options: SignalOption = {}): Promise<MemoryEntity[]> {
    const { listEntities } = await import('./knowledge.ts');
    return listEntities(this.#engine, options);
  }

  async knowledgeGraph(options: SignalOption = {}): Promise<KnowledgeGraph> {
    const signal = signalOf('knowledgeGraph', options);
    const { copyGraph } = await import('./knowledge.ts');
    return copyGraph(this.#engine, signal);
  }

  async summary(
    sessionId: string = this.sessionId,
    options: SignalOption = {},
  ): Promise<SessionSummary | undefined> {
    const signal = signalOf('summary', options);
    const id = requireId(sessionId, 'A session id');
    const { summary } = await this.#engine.stores.summaries.load(id, SUMMARY_ID, signal);
    if (!summary || summary.scope !== this.#engine.settings.scope || summary.text === '') return undefined;
    const { text, coversSeq, updatedAt } = summary;
    return { text, coversSeq, updatedAt };
  }

  async correct(factId: string, change: FactChange, options: SignalOption = {}): Promise<MemoryFact> {
    const { storeCorrection } = await import('./knowledge.ts');
    return storeCorrection(this.#engine, factId, change, options);
  }

  async pin(factId: string, options: SignalOption = {}): Promise<void> {
    const { storePin } = await import('./knowledge.ts');
    return storePin(this.#engine, factId, true, options);
  }

  async unpin(factId: string, options: SignalOption = {}): Promise<void> {
    const { storePin } = await import('./knowledge.ts');
    return storePin(this.#engine, factId, false, options);
  }

  async review(options: SignalOption = {}): Promise<ReviewItem[]> {
    const { listForReview } = await import('./review.ts');
    return listForReview(this.#engine, options);
  }

  async accept(factId: string, options: SignalOption = {}): Promise<MemoryFact> {
    const { accept } = await import('./review.ts');
    return accept(this.#engine, factId, options);
  }

  async reject(factId: string, options: SignalOption = {}): Promise<void> {
    const { reject } = await import('./review.ts');
    return reject(this.#engine, factId, options);
  }

  async jobs(options: SignalOption = {}): Promise<MemoryJob[]> {
    const signal = signalOf('jobs', options);
    const { runner, settings } = this.#engine;
    return (await abortable(runner.jobs(), signal))
      .filter((job) => job.scope === settings.scope)
      .map(toMemoryJob);
  }

  async retryJob(id: number, options: SignalOption = {}): Promise<void> {
    signalOf('retryJob', options);
    if (await this.#engine.runner.retry(id)) return;
    throw new MnemoraError('not-found', `There is no job ${String(id)}; it may have been done meanwhile.`);
  }

  async export(options: Omit<ExportOptions, 'scope'> = {}): Promise<Blob> {
    const { scope } = this.#engine.settings;
    checkOptionNames('export', options, ['signal', 'onProgress']);
    const { exportBackup } = await import('../backup/export-backup.ts');
    return exportBackup(this.#engine.stores.engine, { ...options, scope });
  }

  async import(backup: Blob, options: ImportOptions = {}): Promise<ImportReceipt> {
    const { importBackup, IMPORT_OPTIONS } = await import('../backup/import-backup.ts');
    checkOptionNames('import', options, IMPORT_OPTIONS);
    const { scope } = this.#engine.settings;
    const receipt = await importBackup(this.#engine.stores.engine, backup, { ...options, scope });
    await this.#engine.enrichment?.restate();
    this.#engine.written();
    return receipt;
  }

  async verify(options: SignalOption = {}): Promise<VerifyReport> {
    const { verifyDerived } = await import('../backup/verify-derived.ts');
    return verifyDerived(this.#engine.stores.engine, this.#engine.settings.scope, options);
  }

  async rebuild(options: RebuildOptions = {}): Promise<void> {
    const { rebuild, REBUILD_OPTIONS } = await import('./rebuild.ts');
    checkCallOptions('rebuild', options, REBUILD_OPTIONS);
    await rebuild(this.#engine, this.sessionId, options);
  }

  async settled(options: SignalOption = {}): Promise<void> {
    await abortable(this.#engine.settled(), signalOf('settled', options));
  }

  async storage(options: SignalOption = {}): Promise<StorageUse> {
    return abortable(storageUse(), signalOf('storage', options));
  }

  async requestPersistence(options: SignalOption = {}): Promise<boolean> {
    return abortable(persistStorage(), signalOf('requestPersistence', options));
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

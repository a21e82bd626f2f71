import { toSessionInfo } from '../sessions/open-database.ts';
import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError, invalidInput } from '../model/error.ts';
import { newId, requireId } from '../model/id.ts';
import { inTurnOrder } from '../model/turn.ts';
import { requireScope } from '../storage/transcript/append-plan.ts';
import { withTokens } from '../tokens/count-in-slices.ts';
import { abortable } from '../model/abortable.ts';
import { signalOf } from './call-options.ts';
import type { Engine } from './engine.ts';
import { SUMMARY_ID } from './stores.ts';
import { toMemoryJob } from './memory-events.ts';
import { parseRememberOptions, parseTurn } from './new-turn.ts';
import { parseMemoryOptions, type CreateMemoryOptions } from './options.ts';
import type { Redaction } from './redact-messages.ts';
import { noteDatabase } from './with-memory.ts';
import type { Memory, StorageUse } from './memory.ts';
import { openEngine } from './open-engine.ts';

/** The code that lays out requests, which a page does without until it opens a memory. */
const loadRecall = () => import('./recall.ts');
const loadKnowledge = () => import('./knowledge.ts');

/**
 * Opens a memory, or creates it if there is none.
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
  // If the page is offline by the first question, the code is there; a failure is reported to that question.
  loadRecall().catch(() => undefined);
  const { redact } = settings;
  const redaction = redact && (await (await import('./redact-messages.ts')).redactionBy(redact));
  return openSession(await openEngine(settings), settings.sessionId ?? newId(), redaction);
}

/** Returns the memory as seen from one session. @throws MnemoraError `invalid-input` */
function openSession(engine: Engine, ownId: string, redaction?: Redaction): Memory {
  const { settings, events, runner } = engine;
  const { scope, clock } = settings;
  const memory: Memory = {
    sessionId: requireId(ownId, 'A session id'),
    maxTokens: settings.maxTokens,
    session: (id) => openSession(engine, id, redaction),
    records(namespace) {
      const store = engine.stores.records(namespace, { scope });
      return redaction?.records(store) ?? store;
    },

    async remember(turn, options = {}) {
      const {
        turnId = newId(),
        createdAt = clock,
        metadata,
        continues = false,
        replaces = [],
        ...rest
      } = parseRememberOptions(options);
      const { sessionId = ownId, state = 'complete', signal } = rest;
      const given = parseTurn(turn);
      const messages = (redaction?.messages(given) ?? given).map((message) =>
        withTokens(message, engine.tokenizer.loaded),
      );
      const appended = {
        sessionId,
        scope,
        messages,
        turnId,
        continues,
        state,
        createdAt,
        ...(metadata ? { metadata } : {}),
        ...(replaces.length > 0 ? { replaces: [replaces].flat() } : {}),
        ...(engine.enrichment ? { jobs: engine.enrichment.jobs } : {}),
      };
      const receipt = await engine.stores.transcript.append(appended, signal);
      if (!receipt.duplicate) engine.written();
      return receipt;
    },

    recall: async (input, options = {}) =>
      (await loadRecall()).recallContext(engine, { input, options, sessionId: ownId }),

    explain: async (input, options = {}) =>
      (await loadRecall()).explainRecall(engine, { input, options, sessionId: ownId }),

    async intent(text, options = {}) {
      signalOf('intent', options);
      if (typeof text !== 'string') throw invalidInput('The text must be a string.');
      const { memoryIntent } = await import('../recall/intent/memory-intent.ts');
      return memoryIntent(text);
    },

    async profile(options = {}) {
      const signal = signalOf('profile', options);
      return (await import('./profile.ts')).readProfile(engine, signal);
    },

    search: async (query, options = {}) =>
      (await import('./search.ts')).searchMessages(engine, query, options),

    async history(sessionId = ownId, options = {}) {
      const signal = signalOf('history', options);
      const { transcript } = engine.stores;
      const session = await abortable(transcript.session(requireId(sessionId, 'A session id')), signal);
      if (session) requireScope(session, scope);
      return inTurnOrder(await transcript.listMessages(sessionId, signal ? { signal } : {}));
    },

    async sessions(options = {}) {
      const signal = signalOf('sessions', options);
      return (await abortable(engine.stores.transcript.listSessions(scope), signal)).map(toSessionInfo);
    },

    forget: async (selector, options) => (await import('./forget.ts')).forget(engine, selector, options),

    facts: async (query = {}) => (await loadKnowledge()).listFacts(engine, query),

    entities: async (options = {}) =>
      (await loadKnowledge()).listEntities(engine, signalOf('entities', options)),

    knowledgeGraph: async (options = {}) =>
      (await loadKnowledge()).copyGraph(engine, signalOf('knowledgeGraph', options)),

    async summary(sessionId = ownId, options = {}) {
      const signal = signalOf('summary', options);
      const id = requireId(sessionId, 'A session id');
      const { summary } = await engine.stores.summaries.load(id, SUMMARY_ID, signal);
      if (!summary || summary.scope !== scope || summary.text === '') return undefined;
      const { text, coversSeq, updatedAt } = summary;
      return { text, coversSeq, updatedAt };
    },

    correct: async (factId, change, options = {}) =>
      (await loadKnowledge()).correct(engine, factId, change, signalOf('correct', options)),

    pin: async (factId, options = {}) =>
      (await loadKnowledge()).pin(engine, factId, true, signalOf('pin', options)),

    unpin: async (factId, options = {}) =>
      (await loadKnowledge()).pin(engine, factId, false, signalOf('unpin', options)),

    review: async (options = {}) =>
      (await loadKnowledge()).listForReview(engine, signalOf('review', options)),

    accept: async (factId, options = {}) =>
      (await loadKnowledge()).accept(engine, factId, signalOf('accept', options)),

    reject: async (factId, options = {}) =>
      (await loadKnowledge()).reject(engine, factId, signalOf('reject', options)),

    async jobs(options = {}) {
      const jobs = await abortable(runner.jobs(), signalOf('jobs', options));
      return jobs.filter((job) => job.scope === scope).map(toMemoryJob);
    },

    async retryJob(id, options = {}) {
      signalOf('retryJob', options);
      if (await runner.retry(id)) return;
      throw new MnemoraError('not-found', `There is no job ${String(id)}; it may be done.`);
    },

    async export(options = {}) {
      checkOptionNames('export', options, ['passphrase', 'signal', 'onProgress']);
      const { exportBackup } = await import('../backup/export-backup.ts');
      return exportBackup(engine.stores.engine, { ...options, scope });
    },

    async import(backup, options = {}) {
      const { importBackup, IMPORT_OPTIONS } = await import('../backup/import-backup.ts');
      checkOptionNames('import', options, IMPORT_OPTIONS);
      const receipt = await importBackup(engine.stores.engine, backup, { ...options, scope });
      await engine.enrichment?.restate();
      await engine.stores.engine.losses?.acknowledge();
      engine.written();
      return receipt;
    },

    autoBackup: async (options) => (await import('./auto-backup.ts')).autoBackup(engine, options),

    async verify(options = {}) {
      const { verifyDerived } = await import('../backup/verify-derived.ts');
      return verifyDerived(engine.stores.engine, scope, options);
    },

    async lastLoss(options = {}) {
      const signal = signalOf('lastLoss', options);
      return abortable(Promise.resolve(engine.stores.engine.losses?.last()), signal);
    },

    async acknowledgeLoss(options = {}) {
      signalOf('acknowledgeLoss', options);
      await engine.stores.engine.losses?.acknowledge();
    },

    rebuild: async (options = {}) => (await import('./rebuild.ts')).rebuild(engine, ownId, options),

    settled: async (options = {}) => abortable(engine.settled(), signalOf('settled', options)),

    storage: async (options = {}) => abortable(storageUse(), signalOf('storage', options)),

    async requestPersistence(options = {}) {
      const signal = signalOf('requestPersistence', options);
      return (
        (await abortable(
          askStorageManager(async (manager) => manager?.persist?.()),
          signal,
        )) ?? false
      );
    },

    addEventListener: (type, listener) => events.add(type, listener),
    removeEventListener: (type, listener) => events.remove(type, listener),
    warn: events.warn,
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  };
  noteDatabase(memory, engine.name);
  return memory;
}

function storageUse(): Promise<StorageUse> {
  return askStorageManager(async (manager) => {
    if (!manager?.estimate) return { usedBytes: 0 };
    const [{ usage = 0, quota }, persisted] = await Promise.all([manager.estimate(), manager.persisted()]);
    return { usedBytes: usage, ...(quota === undefined ? {} : { quotaBytes: quota }), persisted };
  });
}

/** Some pages, such as sandboxed frames, have a storage manager that refuses every call. */
async function askStorageManager<T>(ask: (manager: StorageManager | undefined) => Promise<T>): Promise<T> {
  try {
    return await ask(globalThis.navigator?.storage);
  } catch (cause) {
    throw new MnemoraError('storage-unavailable', `The browser does not tell this page about its storage.`, {
      cause,
    });
  }
}

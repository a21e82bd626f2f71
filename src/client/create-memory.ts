import { loadGraph } from '../learning/scope-graph.ts';
import { checkSessionOptions, signalOf } from '../model/call-options.ts';
import { defined } from '../model/defined.ts';
import { describe } from '../model/describe.ts';
import { invalidInput } from '../model/error.ts';
import { newId, requireId } from '../model/id.ts';
import { setWarningListener } from '../model/memory-warnings.ts';
import { inTurnOrder } from '../model/turn.ts';
import { SUMMARY_ID } from '../sessions/memory-stores.ts';
import { parseRememberOptions, parseTurn } from '../sessions/new-turn.ts';
import { toSessionInfo } from '../sessions/open-database.ts';
import type { Redaction } from '../sessions/redact-messages.ts';
import { withTokens } from '../tokens/count-in-slices.ts';
import type { MemoryParts } from './memory-parts.ts';
import type { Memory } from './memory.ts';
import { openParts } from './open-parts.ts';
import { parseMemoryOptions, type CreateMemoryOptions } from './options.ts';
import { lazyMethods } from '../model/lazy-methods.ts';
import { noteScope } from './with-memory.ts';

/** Code that lays out requests, loaded when a memory is opened. */
const loadRecall = () => import('../recall/recall-context.ts');

const CLAIMS = { list: true } as const;
const FACTS = {
  list: true,
  add: true,
  correct: true,
  end: true,
  pin: true,
  unpin: true,
  entities: true,
  graph: true,
} as const;
const REVIEW = { list: true, accept: true, reject: true } as const;
const BACKUP = { export: true, import: true, auto: true, verify: true, rebuild: true } as const;
const WORK = { list: true, retry: true, settled: true } as const;
const DEVICE = { usage: true, persist: true, lastLoss: true, acknowledgeLoss: true } as const;

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
  // Loaded while the database opens: the first question needs it, and the page may be offline by then. The question
  // reports a failure.
  for (const load of [loadRecall, loadGraph]) load().catch(() => undefined);
  const { redact, singleValued } = settings;
  if (singleValued !== undefined)
    (await import('../graph/fact-slot.ts')).singleValuedProperties(singleValued);
  const redaction = redact && (await (await import('../sessions/redact-messages.ts')).redactionBy(redact));
  return openSession(await openParts(settings), settings.sessionId ?? newId(), redaction);
}

/** Returns the memory as seen from one session. @throws MnemoraError `invalid-input` */
function openSession(parts: MemoryParts, ownId: string, redaction?: Redaction): Memory {
  const { settings, events } = parts;
  const { scope, clock } = settings;
  const close = async (): Promise<void> => {
    await parts.close();
    parts.tokenCounts.close();
    events.close();
  };
  const memory: Memory = {
    sessionId: requireId(ownId, 'A session id'),
    maxTokens: settings.maxTokens,
    session: (id) => openSession(parts, id, redaction),
    records(namespace) {
      const store = parts.stores.records(namespace, { scope });
      return redaction?.records(store) ?? store;
    },

    async remember(turn, options = {}) {
      const given = parseTurn(turn);
      const { signal, replaces = [], ...chosen } = parseRememberOptions(options);
      const messages = (redaction?.messages(given) ?? given).map((message) =>
        withTokens(message, parts.tokenizer.loaded),
      );
      const appended = {
        sessionId: ownId,
        turnId: newId(),
        state: 'complete' as const,
        createdAt: clock,
        ...defined(chosen),
        scope,
        messages,
        ...(replaces.length > 0 ? { replaces: [replaces].flat() } : {}),
        jobs: parts.learning?.jobs ?? [],
      };
      const receipt = await parts.stores.transcript.append(appended, signal);
      if (!receipt.duplicate) parts.written();
      return receipt;
    },

    recall: async (input, options = {}) =>
      (await loadRecall()).recallContext(parts, { input, options, sessionId: ownId }),

    explain: async (input, options = {}) =>
      (await loadRecall()).explainRecall(parts, { input, options, sessionId: ownId }),

    quote: async (quoted, options = {}) => (await import('../recall/quote.ts')).quote(parts, quoted, options),

    sources: async (messageId, options = {}) =>
      (await import('../recall/read-sources.ts')).readSources(parts, messageId, options),

    async intent(text, options = {}) {
      signalOf('intent', options);
      if (typeof text !== 'string') throw invalidInput(`The text must be a string; got ${describe(text)}.`);
      const { memoryIntent } = await import('../language/memory-intent.ts');
      return memoryIntent(text);
    },

    async profile(options = {}) {
      const signal = signalOf('profile', options);
      return (await import('../recall/profile/profile.ts')).readProfile(parts, signal);
    },

    search: async (query, options = {}) =>
      (await import('../recall/search-messages.ts')).searchMessages(parts, query, options),

    async history(options = {}) {
      const { sessionId = ownId, signal } = checkSessionOptions('history', options);
      const { transcript } = parts.stores;
      return inTurnOrder(await transcript.listMessages([scope, sessionId], signal ? { signal } : {}));
    },

    async sessions(options = {}) {
      const { sessionsOf } = await import('../sessions/session-list.ts');
      return (await sessionsOf(parts.stores.engine, scope, options)).map(toSessionInfo);
    },

    forget: async (selector, options) => (await import('./forget.ts')).forget(parts, selector, options),

    async summary(options = {}) {
      const { sessionId = ownId, signal } = checkSessionOptions('summary', options);
      const { summary } = await parts.stores.summaries.load([scope, sessionId], SUMMARY_ID, signal);
      if (!summary || summary.text === '') return undefined;
      const { text, coversSeq, updatedAt } = summary;
      return { text, coversSeq, updatedAt };
    },

    claims: lazyMethods(CLAIMS, async () => (await import('./rooms/claims-room.ts')).openClaims(parts)),
    facts: lazyMethods(FACTS, async () => (await import('./rooms/facts-room.ts')).openFacts(parts)),
    review: lazyMethods(REVIEW, async () => (await import('./rooms/review-room.ts')).openReview(parts)),
    backup: lazyMethods(BACKUP, async () => (await import('./rooms/backup-room.ts')).openBackup(parts)),
    work: lazyMethods(WORK, async () => (await import('./rooms/work-room.ts')).openWork(parts)),
    device: lazyMethods(DEVICE, async () => (await import('./rooms/device-room.ts')).openDevice(parts)),

    addEventListener: (type, listener) => events.add(type, listener),
    removeEventListener: (type, listener) => events.remove(type, listener),
    close,
    [Symbol.asyncDispose]: close,
  };
  noteScope(memory, JSON.stringify([parts.name, scope]));
  setWarningListener(memory, events.warnCaller);
  return memory;
}

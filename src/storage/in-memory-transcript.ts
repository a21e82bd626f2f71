import type { Clock } from '../model/clock.ts';
import { newId, randomHex } from '../model/id.ts';
import type { StoredMessage } from '../model/message.ts';
import { afterErasing, jobSource, newSession, planAppend, type AppendInput } from './append-plan.ts';
import { InMemoryJobStore } from './in-memory-job-store.ts';
import { InMemoryKnowledgeStore } from './in-memory-knowledge-store.ts';
import { InMemorySummaryStore } from './in-memory-summary-store.ts';
import { readBack, type SessionPages } from './read-back.ts';
import type { MessageRecord, SessionRecord } from './schema.ts';
import { storageError } from './storage-error.ts';
import type {
  AppendReceipt,
  ChangeCursor,
  ChangeSet,
  EmbeddedMessage,
  ForgetReceipt,
  ErasureSelector,
  ListOptions,
  SavedIndexParts,
  SavedSpan,
  SessionQuery,
  SessionSnapshot,
  TranscriptStore,
} from './transcript-store.ts';
import { checkDimensions } from './vector-blocks.ts';

/** A transcript that lives as long as the page. Hands out copies, as a database would. */
export class InMemoryTranscript implements TranscriptStore {
  readonly #generation = newId();
  readonly #secret = randomHex(32);
  readonly #sessions = new Map<string, SessionRecord>();
  /** Of each session, in order of `seq`. */
  readonly #messages = new Map<string, MessageRecord[]>();
  /** By embedder id, then message id. */
  readonly #vectors = new Map<string, Map<string, Float32Array>>();
  /** Message ids that a write touched; the revision is the position in this list. */
  readonly #changes: string[][] = [];
  readonly jobs: InMemoryJobStore = new InMemoryJobStore();
  readonly summaries: InMemorySummaryStore = new InMemorySummaryStore(this.jobs, (sessionId) => {
    const session = this.#sessions.get(sessionId);
    return session && (session.erasures ?? 0);
  });
  readonly knowledge: InMemoryKnowledgeStore = new InMemoryKnowledgeStore(this.jobs, (ids) => {
    const left = new Set(ids);
    for (const row of this.#all()) left.delete(row.id);
    return left.size === 0;
  });
  readonly #machineClock: Clock;

  /** @param machineClock when jobs are due is told by it; the times of turns come with them */
  constructor(machineClock: Clock = Date.now) {
    this.#machineClock = machineClock;
  }

  append(input: AppendInput, signal?: AbortSignal): Promise<AppendReceipt> {
    return attempt(() => {
      signal?.throwIfAborted();
      const rows = this.#messages.get(input.sessionId) ?? [];
      const sameTurn =
        input.turnId === undefined ? [] : this.#all().filter((row) => row.turnId === input.turnId);
      const plan = planAppend(input, {
        session: this.#sessions.get(input.sessionId),
        last: rows.at(-1),
        sameTurn,
      });
      if (!plan.duplicate) {
        for (const row of structuredClone(plan.messages)) {
          const at = rows.findLastIndex((known) => known.seq <= row.seq);
          if (rows[at]?.seq === row.seq) rows[at] = row;
          else rows.push(row);
        }
        this.#messages.set(input.sessionId, rows);
        this.#sessions.set(input.sessionId, plan.session);
        this.#changes.push(plan.messages.map((row) => row.id));
        const queued = jobSource(input, plan, this.#machineClock());
        if (queued) this.jobs.add(input.jobs ?? [], queued);
      }
      return {
        turnId: plan.turn[0]?.turnId ?? '',
        messageIds: plan.turn.map((row) => row.id),
        sessionId: input.sessionId,
        duplicate: plan.duplicate,
      };
    });
  }

  listMessages(sessionId: string, options: ListOptions = {}): Promise<StoredMessage[]> {
    return attempt(() => {
      options.signal?.throwIfAborted();
      const { last = Infinity, beforeSeq = Infinity, afterSeq = -1 } = options;
      const rows = (this.#messages.get(sessionId) ?? []).filter(
        (row) => row.seq < beforeSeq && row.seq > afterSeq,
      );
      return structuredClone(rows.slice(Math.max(0, rows.length - last)));
    });
  }

  loadTurns(turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]> {
    return attempt(() => {
      signal?.throwIfAborted();
      const all = this.#all();
      const turns = turnIds.map((turnId) => all.filter((row) => row.turnId === turnId));
      return structuredClone(turns.filter((turn) => turn.length > 0));
    });
  }

  async readSession(sessionId: string, query: SessionQuery): Promise<SessionSnapshot> {
    const { memoryId, reach, signal } = query;
    const { summary, erasures } = await this.summaries.load(sessionId, memoryId);
    const back = reach(summary);
    const pages: SessionPages = {
      page: (afterSeq, beforeSeq, last) => this.listMessages(sessionId, { afterSeq, beforeSeq, last }),
      turn: async (turnId) => (await this.loadTurns([turnId])).flat(),
    };
    const messages = back ? await readBack(pages, back) : [];
    signal?.throwIfAborted();
    return { session: await this.session(sessionId), summary, erasures, messages };
  }

  async secret(): Promise<string> {
    return this.#secret;
  }

  session(sessionId: string): Promise<SessionRecord | undefined> {
    return attempt(() => structuredClone(this.#sessions.get(sessionId)));
  }

  ensureSession(sessionId: string, scope: string, createdAt: number): Promise<SessionRecord> {
    return attempt(() => {
      const session = this.#sessions.get(sessionId) ?? newSession(sessionId, scope, createdAt);
      this.#sessions.set(sessionId, session);
      return structuredClone(session);
    });
  }

  listSessions(scope?: string): Promise<SessionRecord[]> {
    return attempt(() =>
      structuredClone([...this.#sessions.values()])
        .filter((session) => session.messageCount > 0 && (scope === undefined || session.scope === scope))
        .toSorted((a, b) => b.updatedAt - a.updatedAt),
    );
  }

  forget(selector: ErasureSelector, scope: string): Promise<ForgetReceipt> {
    return attempt(() => {
      const rows = this.#all().filter((row) => row.scope === scope);
      const receipt = this.#erase(rows.filter(selects(selector, rows)));
      if ('everything' in selector) {
        const { facts, entities } = this.knowledge.eraseScope(scope);
        receipt.facts += facts;
        receipt.entities += entities;
        this.jobs.dropScope(scope);
      }
      for (const session of [...this.#sessions.values()]) {
        const selected =
          'everything' in selector || ('sessionId' in selector && selector.sessionId === session.id);
        if (selected && session.scope === scope && this.#sessions.delete(session.id)) receipt.sessions += 1;
      }
      return receipt;
    });
  }

  clearSession(sessionId: string, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt> {
    return attempt(() => {
      const receipt = this.#erase(this.#messages.get(sessionId) ?? []);
      if (row === 'drop-row' && this.#sessions.delete(sessionId)) receipt.sessions = 1;
      return receipt;
    });
  }

  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return attempt(() => {
      for (const row of this.#all()) {
        const count = counts.get(row.id);
        if (count !== undefined) row.tokens = { ...row.tokens, [tokenizerId]: count };
      }
    });
  }

  appendVectors(embedder: string, scope: string, entries: readonly EmbeddedMessage[]): Promise<void> {
    return attempt(() => {
      const vectors = this.#vectors.get(embedder) ?? new Map<string, Float32Array>();
      this.#vectors.set(embedder, vectors);
      const known = new Set(this.#all().flatMap((row) => (row.scope === scope ? [row.id] : [])));
      const added = entries.filter((entry) => known.has(entry.id));
      checkDimensions(added, vectors.values().next().value?.length);
      for (const { id, vector } of added) vectors.set(id, vector.slice());
      if (added.length > 0) this.#changes.push(added.map((entry) => entry.id));
    });
  }

  readChanges(
    scope: string,
    embedder: string | undefined,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
  ): Promise<ChangeSet> {
    return attempt(() => {
      signal?.throwIfAborted();
      const reset = since?.generation !== this.#generation;
      const rows = new Map(
        this.#all().flatMap((row) => (row.scope === scope ? [[row.id, row] as const] : [])),
      );
      const touched = reset ? new Set(rows.keys()) : new Set(this.#changes.slice(since.revision).flat());
      const vectors = embedder === undefined ? undefined : this.#vectors.get(embedder);
      return {
        cursor: { generation: this.#generation, revision: this.#changes.length },
        reset,
        messages: structuredClone([...touched].flatMap((id) => rows.get(id) ?? [])),
        removed: reset ? [] : [...touched].filter((id) => !rows.has(id)),
        vectors: [...touched].flatMap((id) => {
          const vector = rows.has(id) ? vectors?.get(id) : undefined;
          return vector ? [{ id, vector }] : [];
        }),
      };
    });
  }

  async readVectors(scope: string, embedder: string): Promise<EmbeddedMessage[]> {
    const { vectors } = await this.readChanges(scope, embedder, undefined);
    return vectors;
  }

  dropOtherVectors(scope: string, embedders: readonly string[]): Promise<void> {
    return attempt(() => {
      const ids = this.#all().flatMap((row) => (row.scope === scope ? [row.id] : []));
      for (const [embedder, vectors] of this.#vectors) {
        if (!embedders.includes(embedder)) for (const id of ids) vectors.delete(id);
      }
    });
  }

  async loadIndex(scope: string, signal?: AbortSignal): Promise<SavedIndexParts> {
    // What lives as long as the page is opened once: nothing is saved.
    return { parts: [], changes: await this.readChanges(scope, undefined, undefined, signal) };
  }

  async saveIndex(_scope: string, _parts: unknown, { to }: SavedSpan): Promise<ChangeCursor> {
    return to; // as above
  }

  close(): void {
    // nothing is held open
  }

  #all(): MessageRecord[] {
    return [...this.#messages.values()].flat();
  }

  #erase(rows: readonly MessageRecord[]): ForgetReceipt {
    const ids = new Set(rows.map((row) => row.id));
    let erasedVectors = 0;
    let summaries = 0;
    for (const vectors of this.#vectors.values())
      for (const id of ids) if (vectors.delete(id)) erasedVectors += 1;
    for (const sessionId of new Set(rows.map((row) => row.sessionId))) {
      const erased = rows.filter((row) => row.sessionId === sessionId);
      const left = (this.#messages.get(sessionId) ?? []).filter((row) => !ids.has(row.id));
      this.#messages.set(sessionId, left);
      const session = this.#sessions.get(sessionId);
      const opening = left.find((row) => row.role === 'user');
      if (session) this.#sessions.set(sessionId, afterErasing(session, erased, opening));
      const leftTurns = new Set(left.map((row) => row.turnId));
      const gone = erased.map((row) => row.turnId).filter((turnId) => !leftTurns.has(turnId));
      this.jobs.dropTurns(sessionId, new Set(gone));
      summaries += this.summaries.erase(sessionId, erased, left.length === 0);
    }
    const derived = { ...this.knowledge.erase(ids), summaries };
    if (ids.size > 0) this.#changes.push([...ids]);
    return {
      messages: ids.size,
      turns: new Set(rows.map((row) => row.turnId)).size,
      sessions: 0,
      documents: 0,
      vectors: erasedVectors,
      ...derived,
    };
  }
}

function selects(selector: ErasureSelector, rows: readonly MessageRecord[]): (row: MessageRecord) => boolean {
  if ('everything' in selector) return () => true;
  if ('messageId' in selector) return (row) => row.id === selector.messageId;
  if ('turnIds' in selector) return (row) => selector.turnIds.includes(row.turnId);
  if ('sessionId' in selector) return (row) => row.sessionId === selector.sessionId;
  const early = new Set(rows.flatMap((row) => (row.createdAt < selector.before ? [row.turnId] : [])));
  return (row) => early.has(row.turnId);
}

/** Turns what is thrown into a rejection, as every promise method promises. */
async function attempt<T>(body: () => T): Promise<T> {
  try {
    return body();
  } catch (cause) {
    throw cause instanceof DOMException && cause.name === 'DataCloneError'
      ? storageError(cause, 'in memory')
      : cause;
  }
}

import type { BackupContents } from '../codec/backup-contents.ts';
import type { BackupKey, QueuedWork, StoreRules } from '../codec/backup-rows.ts';
import { requireField } from '../codec/damaged.ts';
import { readFields, validCounts } from '../codec/row-fields.ts';
import { namesForgotten } from '../entity-tombstone.ts';
import { bySession } from '../erasure.ts';
import { withoutTurns } from '../jobs/job-plan.ts';
import { compareKeys, startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { readRows } from '../codec/read-in-pages.ts';
import { getAllOf, getEach, tombstonesOf } from '../rows.ts';
import type { JobRecord, MessageRecord, SessionKey, SessionRecord, SummaryRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { erasedSession, retitled, titleSource } from '../transcript/append-plan.ts';
import { PAGE_MESSAGES, sessionRange } from '../transcript/read-session.ts';

const SESSION_FIELDS = {
  id: 'id',
  scope: 'id',
  title: 'text',
  titleFrom: 'id?',
  createdAt: 'time',
  updatedAt: 'time',
  nextSeq: 'count',
  nextTurn: 'count',
} as const;
const SUMMARY_FIELDS = {
  scope: 'scope',
  sessionId: 'id',
  memoryId: 'id',
  text: 'text',
  coversSeq: 'count',
  updatedAt: 'time',
  tokens: 'counts?',
  queue: 'id?',
} as const;
const WORK_FIELDS = {
  queue: 'id',
  scope: 'scope',
  sessionId: 'id',
  turnIds: 'ids',
  createdAt: 'time',
} as const;

export const sessions: StoreRules<'sessions'> = {
  async erase(transaction, erasure) {
    const store = transaction.objectStore('sessions');
    const dropped = await getEach(store, erasure.sessions);
    const puts: SessionRecord[] = [];
    for (const { key, rows } of bySession(erasure)) {
      const isDropped = dropped.some(({ scope, id }) => scope === key[0] && id === key[1]);
      const session = isDropped ? undefined : await store.get(key);
      if (!session) continue;
      const left = erasure.ids.has(session.titleFrom ?? '')
        ? retitled(session, await openingMessage(transaction, key, ({ id }) => erasure.ids.has(id)))
        : session;
      puts.push({ ...erasedSession(left), messageCount: session.messageCount - rows.length });
    }
    const keys = dropped.map(({ scope, id }): SessionKey => [scope, id]);
    return [{ deletes: { sessions: keys }, puts: { sessions: puts }, counts: { sessions: keys.length } }];
  },
  refersTo: () => ({}),
  backup: {
    keyOf: ({ scope, id }) => [scope, id],
    read: (record) => readFields(record, SESSION_FIELDS),
    check: (session, contents) => contents.addSession(session),
    /** Without the counters, which are recounted on import, and without a title that quotes a forgotten message. */
    write(session, contents) {
      if (!contents.isWanted(session.scope)) return undefined;
      contents.addSession(session);
      const { messageCount: _count, erasures: _erasures, ...kept } = session;
      const { title: _title, titleFrom: source, ...untitled } = kept;
      return source !== undefined && contents.tombstones.has(source) ? { ...untitled, title: '' } : kept;
    },
  },
};

export const summaries: StoreRules<'summaries'> = {
  /** A summary is erased with any message that it covers, and rebuilt if other messages remain. */
  async erase(transaction, erasure) {
    const store = transaction.objectStore('summaries');
    const ofScopes = Array.from(erasure.wholeScopes, (scope) => store.getAll(startingWith(scope)));
    const erased = (await Promise.all(ofScopes)).flat();
    const again: SummaryRecord[] = [];
    for (const { key, rows } of bySession(erasure)) {
      if (erasure.wholeScopes.has(key[0])) continue;
      const seqs = new Set(rows.map((row) => row.seq));
      const covering = (await store.getAll(startingWith(...key))).filter(({ coversSeq }) =>
        rows.some(({ seq }) => seq <= coversSeq),
      );
      erased.push(...covering);
      if (covering.length === 0) continue;
      const keys = await transaction.objectStore('messages').getAllKeys(startingWith(...key), seqs.size + 1);
      if (keys.some(([, , seq]) => !seqs.has(seq))) again.push(...covering);
    }
    return [planWithoutSummaries(erased, again)];
  },
  refersTo: ({ sessionId }) => ({ sessionId }),
  *problems({ scope, sessionId, coversSeq }, contents) {
    const session = contents.session(scope, sessionId);
    if (session && coversSeq >= session.nextSeq)
      yield `it covers ${coversSeq}, but nextSeq is ${session.nextSeq}`;
  },
  backup: {
    keyOf: ({ scope, sessionId, memoryId }) => [scope, sessionId, memoryId],
    read: (record, fileScope) => readFields(record, SUMMARY_FIELDS, fileScope),
    check({ scope, sessionId, coversSeq }, contents) {
      const isBelow = coversSeq < (contents.session(scope, sessionId)?.nextSeq ?? 0);
      requireField(isBelow, 'coversSeq', 'is above all sequence numbers of the session');
    },
    /** Made again from the messages. */
    foreign: () => undefined,
    write({ scope, ...summary }, contents) {
      const session = contents.session(scope, summary.sessionId);
      if (!session || summary.coversSeq >= session.nextSeq) return undefined;
      const { tokens } = summary;
      return contents.scoped(scope, { ...summary, ...(tokens ? { tokens: validCounts(tokens) } : {}) });
    },
  },
};

export const jobs: StoreRules<'jobs'> = {
  /**
   * Removes turns without remaining messages from the jobs of their session, and jobs without remaining turns. A
   * session that is erased loses all its jobs.
   */
  async erase(transaction, erasure) {
    const store = transaction.objectStore('jobs');
    const ofScope = await getAllOf(store.index('scope'), erasure.wholeScopes);
    const ofSessions = await getAllOf(store.index('sessionId'), erasure.sessions);
    const dropped = new Set([...ofScope, ...ofSessions].map((job) => job.id));
    const puts: JobRecord[] = [];
    for (const { key, rows } of bySession(erasure)) {
      const gone = await turnsGone(transaction, key[0], rows);
      for (const job of await store.index('sessionId').getAll(key)) {
        const left = dropped.has(job.id) ? undefined : withoutTurns(job, gone);
        if (left) puts.push(left);
        else dropped.add(job.id);
      }
    }
    return [{ deletes: { jobs: [...dropped] }, puts: { jobs: puts } }];
  },
  /** A job without a session concerns the scope as a whole. */
  refersTo: ({ sessionId }) => ({ sessionId: sessionId || undefined }),
  *problems({ scope, sessionId, turnIds }, contents) {
    for (const turnId of turnIds)
      if (contents.sessionOfTurn(scope, turnId) !== sessionId) yield `its turn "${turnId}" is not there`;
  },
  backup: {
    keyOf: keyOfWork,
    read: (record, fileScope) => readFields(record, WORK_FIELDS, fileScope),
    check({ scope, sessionId, turnIds }, contents) {
      const areThere = turnIds.every((turnId) => contents.sessionOfTurn(scope, turnId) === sessionId);
      requireField(areThere, 'turnIds', 'refers to a turn that is missing');
    },
    writeAll: writeJobs,
  },
};

function keyOfWork({ queue, scope, sessionId, turnIds }: QueuedWork): BackupKey {
  return [scope, queue, sessionId, Math.min(turnIds.length, 1)];
}

/** Yields one record for each queue and session: the waiting turns, or that the whole session waits. */
async function* writeJobs(transaction: Transaction, contents: BackupContents): AsyncGenerator<object> {
  const work = new Map<string, QueuedWork>();
  for await (const { queue, scope, sessionId, turnIds, createdAt } of readRows(transaction, 'jobs')) {
    const left = turnIds.filter((turnId) => contents.sessionOfTurn(scope, turnId) !== undefined);
    const isDone = left.length === 0 && turnIds.length > 0;
    if (isDone || !contents.session(scope, sessionId)) continue;
    const key = JSON.stringify([queue, scope, sessionId, left.length > 0]);
    const known = work.get(key) ?? { turnIds: [], createdAt };
    work.set(key, {
      queue,
      scope,
      sessionId,
      turnIds: [...new Set([...known.turnIds, ...left])],
      createdAt: Math.min(known.createdAt, createdAt),
    });
  }
  const inOrder = [...work.values()].toSorted((a, b) => compareKeys(keyOfWork(a), keyOfWork(b)));
  for (const { scope, ...record } of inOrder) yield contents.scoped(scope, record);
}

/**
 * Returns the first user message that can give a session its title: it is not being erased, and names no entity that
 * was forgotten in it.
 */
export async function openingMessage(
  transaction: Transaction,
  session: SessionKey,
  isForgotten: (message: MessageRecord) => boolean = () => false,
): Promise<MessageRecord | undefined> {
  for (let afterSeq: number | undefined = -1; afterSeq !== undefined;) {
    const range = sessionRange(session, Infinity, afterSeq);
    const page = await transaction.objectStore('messages').getAll(range, PAGE_MESSAGES);
    for (const message of page) {
      if (message.role !== 'user' || isForgotten(message)) continue;
      const tombstones = await tombstonesOf(transaction, [message.id]);
      if (!namesForgotten(titleSource(message), message.id, tombstones)) return message;
    }
    afterSeq = page[PAGE_MESSAGES - 1]?.seq;
  }
  return undefined;
}

/** Plans the removal of summaries, and jobs to make some of them again. */
export function planWithoutSummaries(
  selected: readonly SummaryRecord[],
  again: readonly SummaryRecord[] = selected,
): Plan {
  return {
    deletes: {
      summaries: selected.map(({ scope, sessionId, memoryId }) => [scope, sessionId, memoryId]),
    },
    jobs: again.flatMap(({ queue, scope, sessionId }) =>
      queue === undefined ? [] : [{ queue, scope, sessionId, turnIds: [], now: Date.now() }],
    ),
    counts: { summaries: selected.length },
  };
}

async function turnsGone(
  transaction: Transaction,
  scope: string,
  erased: readonly MessageRecord[],
): Promise<ReadonlySet<string>> {
  const byTurn = transaction.objectStore('messages').index('turnId');
  const seqs = new Set(erased.map((row) => row.seq));
  const turnIds = [...new Set(erased.map((row) => row.turnId))];
  const keys = await Promise.all(turnIds.map((turnId) => byTurn.getAllKeys([scope, turnId])));
  return new Set(turnIds.filter((_turnId, at) => keys[at]?.every(([, , seq]) => seqs.has(seq)) === true));
}

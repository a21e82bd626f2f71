import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { namesForgotten } from '../entity-tombstone.ts';
import { bySession, sessionKeys } from '../erasure.ts';
import { withoutTurns } from '../jobs/job-plan.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getAllOf, getEach, tombstonesOf } from '../rows.ts';
import type { JobRecord, MessageRecord, SessionKey, SessionRecord, SummaryRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { erasedSession, titleSource } from '../transcript/append-plan.ts';
import { PAGE_MESSAGES, sessionRange } from '../transcript/read-session.ts';

export const sessions: StoreRules<'sessions'> = {
  async erase(transaction, erasure) {
    const store = transaction.objectStore('sessions');
    const dropped = await getEach(store, sessionKeys(erasure));
    const puts: SessionRecord[] = [];
    for (const { key, rows } of bySession(erasure)) {
      const isDropped = dropped.some(({ scope, id }) => scope === key[0] && id === key[1]);
      const session = isDropped ? undefined : await store.get(key);
      if (!session) continue;
      const opening = titleIsErased(session, erasure.ids)
        ? await openingMessage(transaction, key, (message) => erasure.ids.has(message.id))
        : undefined;
      puts.push(afterErasing(session, rows, opening));
    }
    const keys = dropped.map(({ scope, id }): SessionKey => [scope, id]);
    return [{ deletes: { sessions: keys }, puts: { sessions: puts }, counts: { sessions: keys.length } }];
  },
  backup: {
    keyOf: ({ scope, id }) => [scope, id],
    read: checkSession,
    /** Without the counters, which are recounted on import, and without a title that quotes a forgotten message. */
    write(session, contents) {
      if (!contents.isWanted(session.scope)) return undefined;
      contents.addSession(session);
      const { messageCount: _count, erasures: _erasures, ...kept } = session;
      const { title: _title, titleFrom: source, ...untitled } = kept;
      return source !== undefined && contents.isForgotten(source) ? { ...untitled, title: '' } : kept;
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
      const keys = await transaction.objectStore('messages').getAllKeys(startingWith(...key));
      if (keys.some(([, , seq]) => !seqs.has(seq))) again.push(...covering);
    }
    return [planWithoutSummaries(erased, again)];
  },
  backup: {
    keyOf: ({ scope, sessionId, memoryId }) => [scope, sessionId, memoryId],
    read: checkSummary,
    write({ scope, ...summary }, contents) {
      const session = contents.session(scope, summary.sessionId);
      return session && summary.coversSeq < session.nextSeq ? contents.scoped(scope, summary) : undefined;
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
    const ofSessions = await getAllOf(store.index('sessionId'), sessionKeys(erasure));
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
  /** Each record combines all jobs of a queue and session. */
  backup: {
    keyOf: ({ queue, scope, sessionId, turnIds }) => [scope, queue, sessionId, Math.min(turnIds.length, 1)],
    read: checkJob,
  },
};

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

/** Returns the session's row after an erasure. `opening` is the first remaining user message, for a new title. */
export function afterErasing(
  session: SessionRecord,
  erased: readonly MessageRecord[],
  opening: MessageRecord | undefined,
): SessionRecord {
  const isTitleErased = titleIsErased(session, new Set(erased.map((row) => row.id)));
  const left = erasedSession(session, isTitleErased ? [opening ?? []].flat() : undefined);
  return { ...left, messageCount: session.messageCount - erased.length };
}

/** Returns whether the title quotes one of the erased messages, so that the session needs a new title. */
function titleIsErased({ titleFrom: source }: SessionRecord, erased: ReadonlySet<string>): boolean {
  return source !== undefined && erased.has(source);
}

function checkSession(row: unknown): BackupRows['sessions'] {
  const names = ['id', 'scope', 'title', 'titleFrom', 'createdAt', 'updatedAt', 'nextSeq', 'nextTurn'];
  const fields = new RowFields(row, names);
  return {
    id: fields.id('id'),
    scope: fields.id('scope'),
    title: fields.text('title'),
    ...fields.optional('titleFrom', (name) => fields.id(name)),
    createdAt: fields.time('createdAt'),
    updatedAt: fields.time('updatedAt'),
    nextSeq: fields.count('nextSeq'),
    nextTurn: fields.count('nextTurn'),
  };
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
      queue === undefined
        ? []
        : [{ job: { queue }, source: { scope, sessionId, turnIds: [], now: Date.now() } }],
    ),
    counts: { summaries: selected.length },
  };
}

function checkSummary(row: unknown, fileScope: string | undefined): BackupRows['summaries'] {
  const names = ['sessionId', 'memoryId', 'text', 'coversSeq', 'updatedAt', 'tokens', 'queue'];
  const fields = RowFields.scoped(row, names, fileScope);
  return {
    scope: fields.scope(fileScope),
    sessionId: fields.id('sessionId'),
    memoryId: fields.id('memoryId'),
    text: fields.text('text'),
    coversSeq: fields.count('coversSeq'),
    updatedAt: fields.time('updatedAt'),
    ...fields.optional('tokens', (name) => fields.counts(name)),
    ...fields.optional('queue', (name) => fields.id(name)),
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

function checkJob(row: unknown, fileScope: string | undefined): BackupRows['jobs'] {
  const fields = RowFields.scoped(row, ['queue', 'sessionId', 'turnIds', 'createdAt'], fileScope);
  return {
    queue: fields.id('queue'),
    scope: fields.scope(fileScope),
    sessionId: fields.id('sessionId'),
    turnIds: fields.ids('turnIds'),
    createdAt: fields.time('createdAt'),
  };
}

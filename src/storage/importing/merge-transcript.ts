import type { BackupStore, RecordOf } from '../codec/backup-rows.ts';
import { erase } from '../forgetting/erase.ts';
import { erasureOf } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { applyPlans, type Plan } from '../plan.ts';
import { readPages, readRows } from '../codec/read-in-pages.ts';
import type { MessageRecord, Schema, SessionKey, SessionRecord } from '../schema.ts';
import { BACKUP_STORES, rulesOf } from '../store-rules.ts';
import { openingMessage } from '../stores/sessions.ts';
import { loadTurn } from '../transcript/read-session.ts';
import { planReplaced } from '../transcript/replace-turn.ts';
import type { ImportTarget, StoreMerge } from './import-target.ts';
import { SessionMerge } from './session-merge.ts';

/** Stores the tombstones of a file, and erases here what they mark as forgotten. */
export function mergeTombstones(target: ImportTarget): StoreMerge<'tombstones'> {
  const { transaction } = target;
  const tombstones = transaction.objectStore('tombstones');
  const added = new Set<string>();
  const erased: MessageRecord[] = [];
  return {
    async put(rows) {
      for (const { key } of rows) {
        if (key.includes('/')) {
          target.forgotten.add(key); // stored only if its message is here after the import
          continue;
        }
        const message = await transaction.objectStore('messages').index('id').get(key);
        if (message && !target.concerns(message.scope)) continue;
        if (message) erased.push(message);
        if ((await tombstones.getKey(key)) === undefined) {
          added.add(key);
          await tombstones.put(true, key);
        }
        target.isChanged ||= added.has(key) || message !== undefined;
      }
    },
    async end() {
      if (added.size > 0) await applyPlans(transaction, await planForgottenRows(target, added));
      if (erased.length > 0) await erase(transaction, erasureOf(erased));
      target.receipt.forgotten = erased.length;
    },
  };
}

/** Plans the removal of rows that have tombstones of their own. */
async function planForgottenRows(target: ImportTarget, added: ReadonlySet<string>): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const name of BACKUP_STORES) {
    const { tombstones } = rulesOf(name);
    if (!tombstones) continue;
    const gone: Schema[BackupStore]['value'][] = [];
    for await (const row of readRows(target.transaction, name)) {
      const { scope } = row as { scope: string };
      if (added.has(tombstones.keyOf(row as RecordOf<BackupStore>)) && target.concerns(scope)) gone.push(row);
    }
    plans.push(...(await tombstones.planWithout(target.transaction, gone)));
  }
  return plans;
}

/** Merges sessions: they are written when their messages are. */
export function mergeSessions(target: ImportTarget): StoreMerge<'sessions'> {
  return {
    async put(rows) {
      for (const row of rows) {
        const present = await target.transaction.objectStore('sessions').get([row.scope, row.id]);
        target.sessions.set(JSON.stringify([row.scope, row.id]), new SessionMerge(row, present));
      }
    },
  };
}

export function mergeMessages(target: ImportTarget): StoreMerge<'messages'> {
  const { transaction, receipt } = target;
  const messages = transaction.objectStore('messages');
  const tombstones = transaction.objectStore('tombstones');
  const sessions = transaction.objectStore('sessions');
  const loaded = new Set<SessionMerge>();

  const load = async (session: SessionMerge): Promise<void> => {
    if (loaded.has(session)) return;
    loaded.add(session);
    if (!session.present) return;
    const range = startingWith(session.row.scope, session.row.id);
    for await (const { rows } of readPages(transaction, 'messages', range)) session.load(rows);
  };

  /** Removes the tombstones of a message and of entities in it. */
  const bringBack = async (id: string): Promise<void> => {
    const isForgotten = (await tombstones.getKey(id)) !== undefined;
    await tombstones.delete(id);
    const areForgotten = await target.forgotten.bringBack(id);
    target.isChanged ||= isForgotten || areForgotten;
  };

  /** Replaces turns here that are replaced in the file. */
  const replaceTurns = async ({ replaced }: SessionMerge, session: SessionRecord): Promise<void> => {
    const key: SessionKey = [session.scope, session.id];
    const turns = await Promise.all(
      Array.from(replaced, (turnId) => loadTurn(transaction, session.scope, turnId)),
    );
    const old = turns.flat().filter((row) => row.sessionId === session.id && row.state === 'complete');
    const opening = await openingMessage(transaction, key, (message) => replaced.has(message.turnId));
    await applyPlans(transaction, await planReplaced(transaction, old, session, opening));
    target.isChanged ||= old.length > 0;
  };

  return {
    async put(rows) {
      if (target.isRestoring) for (const { id } of rows) await bringBack(id);
      const found = await Promise.all(
        rows.map((row) =>
          Promise.all([
            tombstones.getKey(row.id),
            messages.index('id').getKey(row.id),
            messages.index('turnId').getKey([row.scope, row.turnId]),
          ]),
        ),
      );
      const puts: MessageRecord[] = [];
      for (const [index, row] of rows.entries()) {
        const [tombstone, owner, turn] = found[index] ?? [];
        const session = target.session(row.scope, row.sessionId);
        if (!session) continue;
        await load(session);
        const isElsewhere = owner && !(owner[0] === row.scope && owner[1] === row.sessionId);
        if (tombstone !== undefined || isElsewhere) {
          session.withhold(row);
          receipt.skipped += 1;
          if (tombstone !== undefined) receipt.stillForgotten = (receipt.stillForgotten ?? 0) + 1;
          continue;
        }
        const { put, isNew, isHere } = session.add(row, turn?.[1]);
        if (isHere) target.messages.add(row.id);
        if (isNew) target.newTurns.add(JSON.stringify([row.scope, row.turnId]));
        receipt[isNew ? 'messages' : 'skipped'] += 1;
        if (put) puts.push(put);
      }
      await Promise.all(puts.map((row) => messages.put(row)));
      target.isChanged ||= puts.length > 0;
    },
    async end() {
      for (const session of target.sessions.values()) {
        await load(session);
        const key: SessionKey = [session.row.scope, session.row.id];
        const count = await messages.count(startingWith(...key));
        const row = session.finish(count, await openingMessage(transaction, key));
        if (row) await sessions.put(row);
        target.isChanged ||= row !== undefined;
        const merged = row ?? session.present;
        if (merged && session.replaced.size > 0) await replaceTurns(session, merged);
        receipt[row && !session.present ? 'sessions' : 'skipped'] += 1;
      }
    },
  };
}

/** Imports a summary if the session is the same as the one that it summarizes. Otherwise it is made again. */
export function mergeSummaries(target: ImportTarget): StoreMerge<'summaries'> {
  const summaries = target.transaction.objectStore('summaries');
  return {
    put: (rows) =>
      target.putEach('summaries', rows, async (row) => {
        const { scope, sessionId, memoryId, queue, updatedAt: createdAt } = row;
        const session = target.session(scope, sessionId);
        if (!session || (await summaries.getKey([scope, sessionId, memoryId])) !== undefined) return false;
        const names = await target.forgotten.names();
        const isNamed = names.inTextOfSession([scope, sessionId], row.text);
        if (!isNamed && session.isSameUpTo(row.coversSeq)) {
          await summaries.put(row);
          return true;
        }
        if (queue !== undefined && session.hasNew)
          target.work.push({ queue, scope, sessionId, turnIds: [], createdAt });
        return false;
      }),
  };
}

/** Queues the jobs of new messages. Turns that were already here have had their jobs queued here. */
export function mergeWork(target: ImportTarget): StoreMerge<'jobs'> {
  return {
    async put(rows) {
      for (const row of rows) {
        const session = target.session(row.scope, row.sessionId);
        const turnIds = row.turnIds.filter((id) => target.newTurns.has(JSON.stringify([row.scope, id])));
        const isWanted = row.turnIds.length > 0 ? turnIds.length > 0 : session?.hasNew;
        if (session && isWanted) await target.enqueue({ ...row, turnIds });
      }
    },
  };
}

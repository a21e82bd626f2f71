import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import type { SessionRecord } from '../schema.ts';
import { afterErasing, titleIsErased } from '../transcript/append-plan.ts';
import { bySession } from '../erasure.ts';
import { openingMessage } from '../forgetting/opening-message.ts';
import type { Plan } from '../plan.ts';
import type { StoreRules } from './rules.ts';

export const sessions: StoreRules<'sessions'> = {
  async erase(transaction, erasure) {
    const store = transaction.objectStore('sessions');
    const named = await Promise.all(Array.from(erasure.sessionIds, (id) => store.get(id)));
    const dropped = named
      .filter((session) => session !== undefined)
      .filter(({ scope }) => erasure.scope === undefined || scope === erasure.scope);
    const gone = new Set(dropped.map((session) => session.id));
    const puts: Plan['puts'][] = [];
    for (const [id, erased] of bySession(erasure)) {
      const session = gone.has(id) ? undefined : await store.get(id);
      if (!session) continue;
      const opening = titleIsErased(session, erasure.ids)
        ? await openingMessage(transaction, id, (messageId) => erasure.ids.has(messageId))
        : undefined;
      puts.push([{ store: 'sessions', row: afterErasing(session, erased, opening) }]);
    }
    return {
      deletes: dropped.map(({ id }) => ({ store: 'sessions', key: id })),
      puts: puts.flatMap((put) => put ?? []),
      counts: { sessions: dropped.length },
    };
  },
  backup: {
    keyOf: ({ id }) => [id],
    read: checkSession,
    write(session, contents) {
      if (!contents.isWanted(session.scope)) return undefined;
      contents.addSession(session);
      const { titleFrom } = session;
      return withoutCounts(session, titleFrom === undefined || !contents.isForgotten(titleFrom));
    },
  },
};

/**
 * Removes counters that are recounted on import.
 *
 * @param isTitleKept whether the message that the title quotes still exists
 */
function withoutCounts(session: SessionRecord, isTitleKept: boolean): object {
  const { messageCount: _count, erasures: _erasures, title, titleFrom, ...rest } = session;
  return isTitleKept ? { ...rest, title, titleFrom } : { ...rest, title: '' };
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

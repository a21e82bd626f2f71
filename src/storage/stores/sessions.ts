import { messageText } from '../../model/message.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { namesForgotten } from '../entity-tombstone.ts';
import { bySession } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { getEach, tombstonesOf } from '../rows.ts';
import type { MessageRecord, SessionRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { titleFrom, TITLE_SOURCE_CHARACTERS } from '../transcript/append-plan.ts';

export const sessions: StoreRules<'sessions'> = {
  async erase(transaction, erasure) {
    const store = transaction.objectStore('sessions');
    const named = await getEach(store, erasure.sessionIds);
    const own = named.filter(({ scope }) => erasure.scope === undefined || scope === erasure.scope);
    const dropped = new Set(own.map(({ id }) => id));
    const puts: SessionRecord[] = [];
    for (const [id, erased] of bySession(erasure)) {
      const session = dropped.has(id) ? undefined : await store.get(id);
      if (!session) continue;
      const opening = titleIsErased(session, erasure.ids)
        ? await openingMessage(transaction, id, (messageId) => erasure.ids.has(messageId))
        : undefined;
      puts.push(afterErasing(session, erased, opening));
    }
    return [
      { deletes: { sessions: [...dropped] }, puts: { sessions: puts }, counts: { sessions: dropped.size } },
    ];
  },
  backup: {
    keyOf: ({ id }) => [id],
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

/**
 * Returns the first user message that can give a session its title: it is not being erased, and names no entity that
 * was forgotten in it.
 */
export async function openingMessage(
  transaction: Transaction,
  sessionId: string,
  isErased: (messageId: string) => boolean = () => false,
): Promise<MessageRecord | undefined> {
  let cursor = await transaction.objectStore('messages').openCursor(startingWith(sessionId));
  for (; cursor; cursor = await cursor.advance(1)) {
    const message = cursor.value;
    if (message.role !== 'user' || isErased(message.id)) continue;
    const beginning = messageText(message).slice(0, TITLE_SOURCE_CHARACTERS);
    if (!namesForgotten(beginning, message.id, await tombstonesOf(transaction, [message.id]))) return message;
  }
  return undefined;
}

/** Returns the session's row after an erasure. `opening` is the first remaining user message, for a new title. */
export function afterErasing(
  session: SessionRecord,
  erased: readonly MessageRecord[],
  opening: MessageRecord | undefined,
): SessionRecord {
  const { title, titleFrom: source, ...rest } = session;
  const kept = { title, ...(source === undefined ? {} : { titleFrom: source }) };
  return {
    ...rest,
    ...(titleIsErased(session, new Set(erased.map((row) => row.id)))
      ? titleFrom(opening ? [opening] : [])
      : kept),
    messageCount: session.messageCount - erased.length,
    erasures: (session.erasures ?? 0) + 1,
  };
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

import { isSearchable } from '../model/searchable.ts';
import { isConversationSegment, metadataAt } from '../search/conversation-segment.ts';
import { readMissed } from '../storage/change-log.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import { persistedCursor, readParts } from '../storage/index-segments.ts';
import type { Change, MessageRecord } from '../storage/schema.ts';

/** A message as the saved keyword index should contain it. */
export interface IndexedMessage extends Pick<MessageRecord, 'sessionId' | 'seq' | 'turnId' | 'createdAt'> {
  readonly isSearchable: boolean;
}

export function toIndexedMessage(row: MessageRecord): IndexedMessage {
  const { sessionId, seq, turnId, createdAt } = row;
  return { sessionId, seq, turnId, createdAt, isSearchable: isSearchable(row) };
}

/**
 * Checks the saved keyword index of a scope against all its messages. A message in no segment would not be found
 * after the next start, and a message that no longer exists would be. The words of a segment are covered by its
 * checksum.
 */
export async function checkPostings(
  transaction: Transaction,
  scope: string,
  messages: ReadonlyMap<string, IndexedMessage>,
  add: (key: string, problem: string) => void,
): Promise<void> {
  const parts = await readParts(transaction, scope);
  const newest = parts.at(-1);
  if (!newest) return;
  const saved = new Set<string>();
  for (const { part, segment } of parts) {
    const key = JSON.stringify([scope, part]);
    if (!isConversationSegment(segment)) return add(key, 'it cannot be read, and will be rebuilt');
    for (const [row, id] of segment.keywords.ids.entries()) {
      saved.add(id);
      const message = messages.get(id);
      const { sessionId, order, turnId, createdAt } = metadataAt(segment.places, row);
      if (!message) add(key, `the message "${id}" is not there`);
      else if (
        message.sessionId !== sessionId ||
        message.seq !== order ||
        message.turnId !== turnId ||
        message.createdAt !== createdAt
      )
        add(key, `the message "${id}" is indexed with another position or time`);
    }
  }
  const { missed } = await readMissed(transaction, persistedCursor(newest));
  if (!missed) return; // the index will be rebuilt, because the changes since its cursor are gone
  for (const [id, message] of messages) {
    if (message.isSearchable && !saved.has(id) && !missed.some((change) => isAbout(change, message)))
      add(JSON.stringify([scope, newest.part]), `the message "${id}" is in no index segment`);
  }
}

function isAbout(change: Change, { sessionId, seq }: IndexedMessage): boolean {
  return (
    change.kind === 'turn' && change.sessionId === sessionId && change.fromSeq <= seq && seq <= change.toSeq
  );
}

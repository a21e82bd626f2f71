import { between } from './key-range.ts';
import { randomHex } from '../model/id.ts';
import { sha256 } from './sha256.ts';

/**
 * The key of a tombstone that says: what this message tells of this entity was forgotten. The name is in it as a salted
 * hash only. It begins with the message id, so that the tombstones of a message are found, and go with it: a name that
 * still has one stands in clear in that message.
 */
export function entityTombstone(messageId: string, entityKey: string): string {
  const salt = randomHex(16);
  return `${messageId}/${salt}/${sha256(`${salt}/${messageId}/${entityKey}`)}`;
}

/** Whether one of these tombstones is that of an entity as told by a message. */
export function isEntityForgotten(
  tombstones: readonly string[],
  messageId: string,
  entityKey: string,
): boolean {
  return tombstones.some((tombstone) => {
    if (!tombstone.startsWith(`${messageId}/`)) return false;
    const [salt, hash] = tombstone.slice(messageId.length + 1).split('/');
    return hash === sha256(`${salt}/${messageId}/${entityKey}`);
  });
}

/** All tombstones of entities as told by a message. */
export function entityTombstoneRange(messageId: string): IDBKeyRange {
  return between(`${messageId}/`, `${messageId}/\uffff`);
}

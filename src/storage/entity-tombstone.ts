import { possibleNames } from '../graph/name-matcher.ts';
import { randomHex } from '../model/id.ts';
import { sha256 } from './sha256.ts';

/**
 * The key of a tombstone that says: what this message tells of this entity was forgotten. The name is in it as a salted
 * hash only. It begins with the message id, so that the tombstones of a message are found, and go with it: a name that
 * still has one stands in clear in that message.
 */
export function entityTombstone(messageId: string, entityKey: string): string {
  const salt = randomHex(16);
  return `${messageId}/${salt}/${hashed(salt, messageId, entityKey)}`;
}

/** Tombstones of several keys of one message, with one salt: to look for them in a text takes no longer than for one. */
export function entityTombstones(messageId: string, entityKeys: readonly string[]): string[] {
  const salt = randomHex(16);
  return [...new Set(entityKeys)].map((key) => `${messageId}/${salt}/${hashed(salt, messageId, key)}`);
}

/** Whether one of these tombstones is that of an entity as told by a message. */
export function isEntityForgotten(
  tombstones: readonly string[],
  messageId: string,
  entityKey: string,
): boolean {
  return tombstones.some((tombstone) => {
    if (!tombstone.startsWith(`${messageId}/`)) return false;
    const [salt = '', hash] = tombstone.slice(messageId.length + 1).split('/');
    return hash === hashed(salt, messageId, entityKey);
  });
}

/** Whether a text that was made from a message names an entity that was forgotten as told by it. */
export function namesForgotten(text: string, messageId: string, tombstones: readonly string[]): boolean {
  const bySalt = new Map<string, Set<string>>();
  for (const tombstone of tombstones) {
    if (!tombstone.startsWith(`${messageId}/`)) continue;
    const [salt = '', hash = ''] = tombstone.slice(messageId.length + 1).split('/');
    const known = bySalt.get(salt);
    if (known) known.add(hash);
    else bySalt.set(salt, new Set([hash]));
  }
  if (bySalt.size === 0) return false;
  for (const key of possibleNames(text)) {
    for (const [salt, hashes] of bySalt) if (hashes.has(hashed(salt, messageId, key))) return true;
  }
  return false;
}

function hashed(salt: string, messageId: string, entityKey: string): string {
  return sha256(`${salt}/${messageId}/${entityKey}`);
}

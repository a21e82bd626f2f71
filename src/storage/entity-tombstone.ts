import { possibleNames } from '../graph/name-matcher.ts';
import { randomHex } from '../model/id.ts';
import { sha256 } from './sha256.ts';

/**
 * Returns the key of a tombstone for an entity in a message: what the message says of the entity was forgotten. It
 * contains the name only as a salted hash. It begins with the message id, so that the tombstones of a message can be
 * found and are erased with it; as long as one exists, the message itself still contains the name in plain text.
 */
export function entityTombstone(messageId: string, entityKey: string): string {
  const salt = randomHex(16);
  return `${messageId}/${salt}/${hashed(salt, messageId, entityKey)}`;
}

/**
 * Returns tombstones for several keys of one message, with one salt, so that checking a text takes no longer than for
 * one.
 */
export function entityTombstones(messageId: string, entityKeys: readonly string[]): string[] {
  const salt = randomHex(16);
  return [...new Set(entityKeys)].map((key) => `${messageId}/${salt}/${hashed(salt, messageId, key)}`);
}

/** Returns whether one of these tombstones is for this entity in this message. */
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

/** Returns whether a text that was made from a message names an entity that was forgotten in that message. */
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

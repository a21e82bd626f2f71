import { nameKey } from '../graph/entity-name.ts';
import { possibleNames } from '../graph/name-matcher.ts';
import { predicateForm } from '../graph/predicate.ts';
import { randomHex } from '../model/id.ts';
import { sha256 } from '../model/sha256.ts';

/**
 * Returns the key of a tombstone for an entity in a message, which records that what the message says about the entity
 * was forgotten. It contains the name only as a salted hash. It begins with the message id, so that the tombstones of a
 * message can be found and are erased with it; as long as one exists, the message itself still contains the name in
 * plain text.
 */
export function entityTombstone(messageId: string, entityKey: string): string {
  return tombstoneOf(randomHex(16), messageId, entityKey);
}

/**
 * Returns tombstones for several keys of one message, with one salt, so that checking a text takes no longer than for
 * one.
 */
export function entityTombstones(messageId: string, entityKeys: readonly string[]): string[] {
  const salt = randomHex(16);
  return Array.from(new Set(entityKeys), (key) => tombstoneOf(salt, messageId, key));
}

/** Returns whether one of these tombstones is for this entity in this message. */
export function isEntityForgotten(
  tombstones: readonly string[],
  messageId: string,
  entityKey: string,
): boolean {
  return isAnyForgotten(tombstones, messageId, () => [entityKey]);
}

/** Returns whether a text that was made from a message names an entity that was forgotten in that message. */
export function namesForgotten(text: string, messageId: string, tombstones: readonly string[]): boolean {
  return isAnyForgotten(tombstones, messageId, () => possibleNames(text));
}

function isAnyForgotten(
  tombstones: readonly string[],
  messageId: string,
  entityKeys: () => Iterable<string>,
): boolean {
  const own = new Set(tombstones.filter((each) => each.startsWith(`${messageId}/`)));
  if (own.size === 0) return false;
  const salts = new Set(Array.from(own, (each) => each.slice(messageId.length + 1).split('/')[0] ?? ''));
  for (const key of entityKeys()) {
    for (const salt of salts) if (own.has(tombstoneOf(salt, messageId, key))) return true;
  }
  return false;
}

function tombstoneOf(salt: string, messageId: string, entityKey: string): string {
  return `${messageId}/${salt}/${sha256(`${salt}/${messageId}/${entityKey}`)}`;
}

/** Returns a key for a statement in all its wordings, used in tombstones in place of an entity name. */
export function statementKey(subjectKey: string, predicate: string, objectKey: string): string {
  const { key, isNegated } = predicateForm(predicate);
  return nameKey(JSON.stringify([subjectKey, isNegated, key, objectKey]));
}

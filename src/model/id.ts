import { quote } from './describe.ts';
import { invalidInput } from './error.ts';

/**
 * Returns a new random id of 128 bits, in hexadecimal.
 *
 * `crypto.randomUUID` exists on secure origins only; a chat page tried out over plain HTTP in a local network does
 * not have it, so the bits are drawn directly.
 */
export function newId(): string {
  return randomHex(16);
}

/**
 * Largest length of an id that the caller chooses, in UTF-16 units. Ids are keys of several indexes and are repeated in each, so that a
 * document passed by mistake would be stored many times.
 */
export const MAX_ID_LENGTH = 1_000;

/** Returns whether a value can be an id, a key or the name of a scope. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH;
}

/** Returns an id. @throws MnemoraError `invalid-input` */
export function requireId(value: unknown, what: string): string {
  if (isId(value)) return value;
  throw invalidInput(`${what} must be a string of 1 to ${MAX_ID_LENGTH} characters; got ${quote(value)}.`);
}

/** Returns `byteCount` random bytes in hexadecimal. */
export function randomHex(byteCount: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(byteCount));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

let lastTime = 0;
let sameTime = 0;

/**
 * Returns a new id that sorts after all ids made before it on this page and, by the clock, after those of other
 * pages: 48 bits of time, 16 of a counter, 64 random ones. Rankings break ties by id, so that the older of two equal
 * results comes first.
 */
export function newOrderedId(): string {
  const time = Math.max(Date.now(), lastTime); // a clock that is set back must not undo the order
  sameTime = time === lastTime ? sameTime + 1 : 0;
  lastTime = time;
  return `${time.toString(16).padStart(12, '0')}${sameTime.toString(16).padStart(4, '0')}${randomHex(8)}`;
}

import { invalidInput, type MnemoraError } from '../../model/error.ts';
import { RESERVED_NAMES } from '../../model/json.ts';
import { damaged } from './damaged.ts';

/** Deepest nesting of users' own data. A whole record in a file may be a few levels deeper. */
const MAX_NESTING = 200;
/** First character of tag names. A field name that begins with it is written with one more. */
const TAG = '~';
const ESCAPED_NAMES: ReadonlySet<string> = new Set([`${TAG}constructor`, `${TAG}prototype`]);

const BYTES_PER_NUMBER = 4;
/** Far more than any embedding model has. */
const MAX_DIMENSIONS = 65_536;
const MAX_VECTOR_CHARACTERS = 4 * Math.ceil((MAX_DIMENSIONS * BYTES_PER_NUMBER) / 3);
/** Number of arguments of one call. Engines accept no more than some ten thousand. */
const CHUNK = 8192;

/**
 * Encodes users' own data (metadata, parts of messages) as JSON without loss. IndexedDB can store more than JSON:
 * dates, big integers, NaN, infinities and undefined in lists are tagged. The field `__proto__` is left out.
 *
 * @throws MnemoraError `invalid-input` on binary data, maps, sets, cycles and nesting deeper than 200 levels
 */
export function encodePlain(value: unknown, depth = 0): unknown {
  if (depth > MAX_NESTING) throw unfit(`data nested deeper than ${MAX_NESTING} levels`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const isJson = Number.isFinite(value) && !Object.is(value, -0);
    return isJson ? value : { [`${TAG}number`]: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (typeof value === 'bigint') return { [`${TAG}bigint`]: String(value) };
  if (value === undefined) return { [`${TAG}undefined`]: true };
  if (value instanceof Date) {
    const time = value.getTime();
    return { [`${TAG}date`]: Number.isNaN(time) ? null : time };
  }
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => encodePlain(item, depth + 1));
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw unfit(kind);
  const fields = Object.entries(value).filter(([name, inner]) => name !== '__proto__' && inner !== undefined);
  return Object.fromEntries(
    fields.map(([name, inner]) => [
      name.startsWith(TAG) || RESERVED_NAMES.has(name) ? TAG + name : name,
      encodePlain(inner, depth + 1),
    ]),
  );
}

/** Decodes the output of {@link encodePlain}. @throws MnemoraError `backup-invalid` on an unknown tag */
export function decodePlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodePlain);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const [first] = fields;
  if (first && fields.length === 1 && isTag(first[0])) return decodeTag(first[0], first[1]);
  return Object.fromEntries(
    fields.map(([name, inner]) => {
      if (isTag(name)) throw badTag(name);
      return [name.startsWith(TAG) ? name.slice(1) : name, decodePlain(inner)];
    }),
  );
}

function isTag(name: string): boolean {
  return name.startsWith(TAG) && !name.startsWith(TAG + TAG) && !ESCAPED_NAMES.has(name);
}

function decodeTag(name: string, value: unknown): unknown {
  switch (name) {
    case `${TAG}number`:
      if (['NaN', 'Infinity', '-Infinity', '-0'].includes(String(value))) return Number(value);
      break;
    case `${TAG}bigint`:
      if (typeof value === 'string' && /^-?\d{1,10000}$/.test(value)) return BigInt(value);
      break;
    case `${TAG}date`:
      if (value === null || typeof value === 'number') return new Date(value ?? Number.NaN);
      break;
    case `${TAG}undefined`:
      if (value === true) return undefined;
      break;
    default:
  }
  throw badTag(name);
}

function badTag(name: string): MnemoraError {
  return damaged(`there is an unknown tag "${name.slice(0, 40)}"`);
}

function unfit(what: string): MnemoraError {
  return invalidInput(`A backup cannot hold ${what}.`);
}

/** Encodes the numbers in base64, as 32-bit floats in the order of bytes of all browsers: little endian. */
export function vectorToText(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/**
 * Decodes the output of {@link vectorToText}.
 *
 * @throws MnemoraError `backup-invalid` if it is not valid, or a number is not finite
 */
export function vectorFromText(text: string): Float32Array {
  if (text.length > MAX_VECTOR_CHARACTERS)
    throw damaged(`a vector must have at most ${MAX_DIMENSIONS} numbers`);
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw damaged('a vector must be in base64', cause);
  }
  if (binary.length === 0 || binary.length % BYTES_PER_NUMBER !== 0 || btoa(binary) !== text) {
    throw damaged('a vector must be 32-bit numbers in base64, at least one');
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  const vector = new Float32Array(bytes.buffer);
  if (!isFiniteVector(vector)) throw damaged('the numbers of a vector must be finite');
  return vector;
}

export function isFiniteVector(vector: Float32Array): boolean {
  return vector.length > 0 && vector.every((number) => Number.isFinite(number));
}

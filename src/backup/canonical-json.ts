import { MnemoraError } from '../model/error.ts';

/**
 * JSON with the keys of every object in order and without fields that are undefined, so that equal data gives equal
 * text.
 *
 * @throws MnemoraError `invalid-input` on what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value !== 'object')
    throw new MnemoraError('invalid-input', `JSON cannot hold a ${typeof value}, nor a number that is none.`);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}

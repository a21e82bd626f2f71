import { MnemoraError } from '../../model/error.ts';

/**
 * Returns JSON with sorted keys and without undefined fields, so that equal data gives equal text.
 *
 * @throws MnemoraError `invalid-input` for values that JSON cannot represent
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value !== 'object')
    throw new MnemoraError('invalid-input', `JSON cannot represent a ${typeof value}, NaN or Infinity.`);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}

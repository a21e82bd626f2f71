import { invalidOption } from '../../model/error.ts';

/** Deeper than the arguments of any method. An object that contains itself exceeds it. */
const MAX_DEPTH = 100;

let functionCount = 0;
const functionNumbers = new WeakMap<object, number>();

/**
 * Returns a key that is equal for equal arguments. Objects are compared by content, without undefined properties, and
 * functions by identity.
 *
 * @throws MnemoraError `invalid-option` for an object that contains itself
 */
export function argumentsKey(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH)
    throw invalidOption('The arguments of a hook must not contain a circular reference.');
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return `f${numberOf(value)}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  // A date, or a message of LangChain.
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return `j${argumentsKey(value.toJSON(), depth + 1)}`;
  if (Array.isArray(value)) return `[${value.map((item) => argumentsKey(item, depth + 1)).join()}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${argumentsKey(field, depth + 1)}`).join()}}`;
}

function numberOf(called: object): number {
  const number = functionNumbers.get(called) ?? (functionCount += 1);
  functionNumbers.set(called, number);
  return number;
}

/**
 * Describes a value for an error message without its content, which can be private: `a string`, `an object with role,
 * content`.
 */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if ('then' in value) return 'a promise, which must be awaited';
  const type = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (type !== 'Object') return `a value of type ${type}`;
  const names = Object.keys(value).slice(0, 5).join(', ');
  return names ? `an object with ${names}` : 'an empty object';
}

/** Describes the value of an option, which is not private, so that `'5'` and `5` differ: `the string '5'`. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `the string '${value.slice(0, 40)}'`;
  return /number|boolean|bigint/.test(typeof value) ? String(value) : describe(value);
}

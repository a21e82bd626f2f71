import { describe, quote } from './describe.ts';
import { invalidInput, invalidOption, type MnemoraError } from './error.ts';
import { isId, MAX_ID_LENGTH } from './id.ts';
import { isRecord } from './is-record.ts';

/**
 * Checks one option and returns it.
 *
 * @param invalid makes the error. @default invalidOption
 * @throws MnemoraError `invalid-option`
 */
export type OptionCheck<T = unknown> = (
  name: string,
  value: unknown,
  invalid?: (message: string) => MnemoraError,
) => T;

/** One check for each option. The type makes every new option name its check. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/** Throws on option names that a component does not know, so that a misspelled option is not silently ignored. */
export function checkOptionNames(component: string, options: unknown, names: readonly string[]): void {
  if (!isRecord(options))
    throw invalidOption(`The options of ${component} must be an object; got ${quote(options)}.`);
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw invalidOption(
    `${component} has no option ${unknown.join(', ')}. Its options are ${names.join(', ')}.`,
  );
}

/**
 * Checks all options that are set, and returns them.
 *
 * @throws MnemoraError `invalid-option`, also for an option that is not in the table
 */
export function checkOptions<Options extends object>(
  component: string,
  options: Options,
  checks: OptionChecks<Options>,
): Options {
  const names = Object.keys(checks) as (keyof Options & string)[];
  checkOptionNames(component, options, names);
  for (const name of names) if (options[name] !== undefined) checks[name](name, options[name]);
  return options;
}

/** Returns the check of a kind of value. Its errors read `NAME must be WHAT; got VALUE.` */
/* @__NO_SIDE_EFFECTS__ */
export function mustBe<T>(
  what: string,
  isValid: (value: unknown) => boolean,
  shown: (value: unknown) => string = quote,
): OptionCheck<T> {
  return (name, value, invalid = invalidOption) => {
    if (!isValid(value)) throw invalid(`${name} must be ${what}; got ${shown(value)}.`);
    return value as T;
  };
}

/**
 * Returns the same check for an argument of a call: its error is `invalid-input`.
 *
 * @param what names the argument in the error. @default the name of the option
 */
/* @__NO_SIDE_EFFECTS__ */
export function argument<T>(check: OptionCheck<T>, what?: string): OptionCheck<T> {
  return (name, value) => check(what ?? name, value, invalidInput);
}

/** Accepts any value, because the option is checked where it is used. */
export const anything: OptionCheck = (_name, value) => value;
export const checkString: OptionCheck<string> = mustBe('a string', (value) => typeof value === 'string');
export const checkBoolean: OptionCheck<boolean> = mustBe(
  'true or false',
  (value) => typeof value === 'boolean',
);
export const checkFunction: OptionCheck = mustBe('a function', (value) => typeof value === 'function');
export const checkList: OptionCheck<readonly unknown[]> = mustBe('a list', Array.isArray);
export const checkObject: OptionCheck<Record<string, unknown>> = mustBe('an object', isRecord);
/** Accepts a text that is not empty and not longer than an id. */
export const checkName: OptionCheck<string> = mustBe(`a string of 1 to ${MAX_ID_LENGTH} characters`, isId);
/** Accepts a number from 0 to 1. */
export const checkShare: OptionCheck<number> = mustBe(
  'a number from 0 to 1',
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
);

/** Returns a check for `false`, or for what another check accepts. */
/* @__NO_SIDE_EFFECTS__ */
export function orFalse(check: OptionCheck): OptionCheck {
  return (name, value, invalid) => value === false || check(name, value, invalid);
}

/** Returns a check for a whole number of at least `least`. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeNumber(least: 0 | 1): OptionCheck<number> {
  return mustBe(
    `a whole number of at least ${least}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
  );
}

/** Returns a check for one of these words. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T extends string>(...words: readonly T[]): OptionCheck<T> {
  return mustBe(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value));
}

/** Returns a check for an object that has all these methods. */
/* @__NO_SIDE_EFFECTS__ */
export function objectWith<T extends object>(...methods: readonly string[]): OptionCheck<T> {
  return (name, value, invalid = invalidOption) => {
    const isMethod = (method: string): boolean => typeof Reflect.get(Object(value), method) === 'function';
    if (typeof value === 'object' && value !== null && methods.every(isMethod)) return value as T;
    throw invalid(`${name} must have the methods ${methods.join(', ')}; got ${describe(value)}.`);
  };
}

import { MnemoraError } from '../../src/model/error.ts';
import type { Expectation, ConformanceCase } from './case.ts';
import { ScriptedFailure } from './world.ts';

/** What an operation came to. */
export type Outcome = { returned: unknown } | { threw: unknown };

/** Says how an outcome differs from what is expected; undefined where it does not. */
export function difference(
  outcome: Outcome,
  expected: Expectation | null | undefined,
  isSubset: boolean,
): string | undefined {
  if (expected && 'throws' in expected) {
    if (!('threw' in outcome))
      return `should throw "${expected.throws}", but returned ${show(outcome.returned)}`;
    return isMeant(outcome.threw, expected.throws)
      ? undefined
      : `should throw "${expected.throws}", but threw ${describe(outcome.threw)}`;
  }
  if ('threw' in outcome) return `threw ${describe(outcome.threw)}`;
  if (!expected) return undefined;
  return matches(outcome.returned, expected.returns, isSubset)
    ? undefined
    : `should return ${show(expected.returns)}, but returned ${show(outcome.returned)}`;
}

/** A scripted failure must come through as it is; everything else must be our own error. */
function isMeant(error: unknown, text: string): boolean {
  // One whose text the case has not chosen may be called anything by it.
  if (error instanceof ScriptedFailure) return error.message === '' || error.message.includes(text);
  return error instanceof MnemoraError && !SCRIPTED_TEXTS.includes(text);
}

const SCRIPTED_TEXTS: readonly string[] = ['llm down', 'disk full'];

function matches(actual: unknown, expected: unknown, isSubset: boolean): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((entry, index) => matches(actual[index], entry, false))
    );
  }
  if (!isRecord(expected)) return Object.is(actual, expected) || (expected === null && actual === undefined);
  if (typeof expected['approx'] === 'number') {
    return typeof actual === 'number' && Math.abs(actual - expected['approx']) <= 1e-9;
  }
  if (!isRecord(actual)) return false;
  const keys = Object.keys(expected);
  const isComplete = isSubset || Object.keys(actual).every((key) => keys.includes(key));
  return isComplete && keys.every((key) => key in actual && matches(actual[key], expected[key], false));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function describe(error: unknown): string {
  if (error instanceof MnemoraError) return `${error.code}: ${error.message}`;
  return String(error);
}

/** The ids of cases whose Python or JavaScript twin is the one to follow. */
export function findSuperseded(cases: readonly ConformanceCase[]): ReadonlySet<string> {
  const byId = new Map(cases.map((entry) => [entry.id, entry]));
  const superseded = new Set<string>();
  for (const python of cases) {
    if (!python.id.endsWith('-py')) continue;
    const javascript = byId.get(python.id.replace(/-py$/, '-js'));
    if (!javascript || agree(python, javascript)) continue;
    if (python.product === 'match') superseded.add(javascript.id);
    else if (javascript.product === 'match') superseded.add(python.id);
  }
  // The joining of V-5-js is the one to follow, whatever its twin is.
  if (byId.has('V-5-js')) superseded.add('V-5-py');
  return superseded;
}

/** Whether two variants expect the same, the words of errors aside. */
function agree(a: ConformanceCase, b: ConformanceCase): boolean {
  return a.product === b.product && expectedOf(a) === expectedOf(b);
}

function expectedOf(entry: ConformanceCase): string {
  return JSON.stringify([entry.expect, entry.after ?? null], (key, value: unknown) =>
    key === 'throws' ? '' : value,
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const RULE = /^([A-Z]\d+)\. /gm;
const TEST_NAME = /\b(?:it|test)(?:\.(?:each|for)\([\s\S]*?\))?\(\s*(['"`])(.*?)\1/g;
/** Rules that the types themselves keep: `test/types` breaks the type check, and has no test names. */
const KEPT_BY_TYPES = ['G13', 'G14', 'G30'];

it('SPEC-1: every rule has a test, and every test names a rule', () => {
  const folder = new URL('../', import.meta.url);
  const rules = [...readFileSync(new URL('SPEC.md', folder), 'utf8').matchAll(RULE)].map(
    ([, rule]) => rule ?? '',
  );
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(test|-contract)\.ts$/.test(file),
  );
  const names = files.flatMap((file) =>
    Array.from(readFileSync(new URL(file, folder), 'utf8').matchAll(TEST_NAME), ([, , name]) => name ?? ''),
  );
  const named = names.map((name) => /^([A-Z]\d+)\b/.exec(name)?.[1]);
  expect(names.filter((_name, index) => named[index] === undefined)).toEqual([]);
  expect(new Set(rules).size).toBe(rules.length);
  expect([...new Set(named)].filter((rule) => !rules.includes(rule ?? ''))).toEqual([]);
  expect(rules.filter((rule) => !named.includes(rule) && !KEPT_BY_TYPES.includes(rule))).toEqual([]);
});

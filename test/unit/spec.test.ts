import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('../', import.meta.url);
const ID = /^([A-Z]{2,5})-(\d+)$/;
const LINE = /^(?:## .* \((?<topic>[A-Z]{2,5})\)$|(?<rule>[A-Z]{2,5}-\d+)\. )/gm;
const TEST_NAME = /\b(?:it|test)(?:\.(?:each|for)\([\s\S]*?\))?\(\s*(['"`])(.*?)\1/g;
/** Rules that the types themselves keep: `test/types` breaks the type check, and has no test names. */
const KEPT_BY_TYPES = ['LCH-10', 'PKG-13', 'PKG-14'];

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** The rules of `SPEC.md` with the topic that the heading above them names. */
function listedRules(): { readonly rule: string; readonly topic: string }[] {
  let topic = '';
  return Array.from(read('SPEC.md').matchAll(LINE), ({ groups }) => {
    topic = groups?.['topic'] ?? topic;
    return { rule: groups?.['rule'] ?? '', topic };
  }).filter(({ rule }) => rule !== '');
}

/** The ids before the colon of a test's name: `TOK-1` or `EMB-1 EMB-2`. */
function idsOf(name: string): string[] {
  return (name.split(':')[0] ?? '').split(' ').filter((word) => ID.test(word));
}

it('SPEC-1: every rule has a test, and every test names a rule', () => {
  const rules = listedRules().map(({ rule }) => rule);
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(test|-contract)\.ts$/.test(file),
  );
  const names = files.flatMap((file) =>
    Array.from(read(file).matchAll(TEST_NAME), ([, , name]) => name ?? ''),
  );
  const named = new Set(names.flatMap(idsOf));
  expect(names.filter((name) => idsOf(name).length === 0)).toEqual([]);
  expect([...named].filter((rule) => !rules.includes(rule))).toEqual([]);
  expect(rules.filter((rule) => !named.has(rule) && !KEPT_BY_TYPES.includes(rule))).toEqual([]);
});

it('SPEC-2: each id names the topic of its section, counts up within it, and is used once', () => {
  const rules = listedRules();
  expect(rules.filter(({ rule, topic }) => ID.exec(rule)?.[1] !== topic)).toEqual([]);
  for (const section of new Set(rules.map(({ topic }) => topic))) {
    const own = rules.filter(({ topic }) => topic === section);
    const numbers = own.map(({ rule }) => Number(ID.exec(rule)?.[2]));
    const ascending = [...new Set(numbers)].toSorted((a, b) => a - b);
    expect(numbers, section).toEqual(ascending);
  }
});

it('SPEC-4: what a fixture opens is closed with its test, not by a hook', () => {
  const shared = ['fixtures', 'fakes'].flatMap((folder) =>
    readdirSync(new URL(folder, FOLDER), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
  );
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.filter((file) => /^(before|after)(Each|All)\(/m.test(read(file)))).toEqual([]);
});

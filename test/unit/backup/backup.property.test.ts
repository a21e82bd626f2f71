import type { BackupKey } from '../../../src/storage/codec/backup-rows.ts';
import { compareKeys } from '../../../src/storage/key-range.ts';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/storage/codec/canonical-json.ts';
import { LineScan, LineSplitter, parseLine } from '../../../src/backup/backup-lines.ts';
import {
  decodePlain,
  encodePlain,
  vectorFromText,
  vectorToText,
} from '../../../src/storage/codec/plain-value.ts';

const RUNS = { numRuns: 300 } as const;

/** With its fields in another order, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)] as const)
      .toReversed(),
  );
}

const name = fc.oneof(
  fc.constantFrom('~', '~~', '~date', '~number', 'constructor', 'prototype', '~constructor', '2', '10', 'a'),
  fc.string({ maxLength: 3 }),
);
const { plain } = fc.letrec((tie) => ({
  plain: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.date(),
    fc.array(fc.oneof(tie('plain'), fc.constant(undefined)), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          name.filter((word) => word !== '__proto__'),
          tie('plain'),
        ),
        { maxLength: 4 },
      )
      .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
  ),
}));

it('BAK-1: equal data gives equal text in any order of fields, and reading the text gives the data', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(reversed(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    RUNS,
  );
  expect(canonicalJson({ b: undefined, 10: 1, 2: 1, a: [{ d: 1, c: 'é' }] })).toBe(
    '{"10":1,"2":1,"a":[{"c":"é","d":1}]}',
  );
  for (const value of [Number.NaN, Infinity, [undefined], { a: 1n }]) {
    expect(() => canonicalJson(value)).toThrow(/JSON cannot represent/);
  }
});

it('BAK-2: user data that JSON cannot represent is restored, under any field name', () => {
  fc.assert(
    fc.property(plain, (value) => {
      const line = canonicalJson(encodePlain(value));
      expect(decodePlain(parseLine(line))).toEqual(value);
    }),
    RUNS,
  );
  const odd = JSON.parse('{"__proto__":{"isAdmin":true},"a":1}') as unknown;
  expect(encodePlain(odd)).toEqual({ a: 1 });
  const cycle: Record<string, unknown> = {};
  cycle['again'] = cycle;
  for (const value of [cycle, new Map(), new Uint8Array(3), { a: new Set() }]) {
    expect(() => encodePlain(value)).toThrow(/A backup cannot hold/);
  }
  for (const value of [{ '~what': 1 }, { '~date': 'now' }, { '~bigint': '1e5' }, { '~number': '5', a: 1 }]) {
    expect(() => decodePlain(value)).toThrow(/unknown tag/);
  }
});

it('BAK-3: vectors are restored bit by bit, and anything but finite numbers is rejected', () => {
  const vector = fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(vector, (numbers) => {
      const back = vectorFromText(vectorToText(numbers));
      expect(new Uint8Array(back.buffer)).toEqual(new Uint8Array(numbers.buffer));
    }),
    RUNS,
  );
  expect(vectorToText(new Float32Array([1]))).toBe('AACAPw==');
  const wrong = [
    '',
    'AACAPw',
    'AACAPw== ',
    'AACA',
    '!',
    ...[Number.NaN, Infinity].map((n) => vectorToText(new Float32Array([n]))),
  ];
  for (const text of wrong) expect(() => vectorFromText(text)).toThrow(/vector/);
});

it('BAK-4: lines are the same wherever the bytes are split', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '🙂', '\ufeff') });
  fc.assert(
    fc.property(text, fc.array(fc.nat(7), { minLength: 1 }), (written, cuts) => {
      const bytes = new TextEncoder().encode(`${written}\n`);
      const splitter = new LineSplitter(1000);
      const lines: string[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const step = 1 + (cuts[turn % cuts.length] ?? 0);
        lines.push(...splitter.push(bytes.slice(at, at + step)));
        at += step;
      }
      splitter.finish();
      expect(lines).toEqual(written.split('\n'));
    }),
    RUNS,
  );
  const feed = (bytes: Uint8Array): (() => void) => {
    const splitter = new LineSplitter(4);
    return () => {
      Array.from(splitter.push(bytes));
      splitter.finish();
    };
  };
  expect(feed(new TextEncoder().encode('1234\n1234\n'))).not.toThrow();
  expect(feed(new TextEncoder().encode('12345\n'))).toThrow(/longer than 4/);
  expect(feed(new TextEncoder().encode('123'))).toThrow(/incomplete/);
  expect(feed(new Uint8Array([0x61, 0xff, 0x0a]))).toThrow(/UTF-8/);
  expect(feed(new Uint8Array([0x61, 0x0a, 0xf0]))).toThrow(/UTF-8/);
});

it('BAK-5: a line that is nested too deeply or has a field like __proto__ is rejected unparsed', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const scan = (...pieces: string[]): void => {
    const line = new LineScan();
    for (const piece of pieces) line.push(piece);
  };
  expect(() => scan(nested(256))).not.toThrow();
  expect(() => scan(nested(257))).toThrow(/deeper/);
  expect(() => scan(...'{"a":'.repeat(5000))).toThrow(/deeper/);
  const text = JSON.stringify({ text: '[{ '.repeat(999), quote: '\\"[ ' });
  for (let cut = 0; cut < 30; cut++) expect(() => scan(text.slice(0, -cut), text.slice(-cut))).not.toThrow();
  for (const space of ' \t\r\0') expect(() => scan('{"a":', `1${space}`)).toThrow(/white space/);
  for (const word of ['__proto__', 'constructor', 'prototype']) {
    expect(() => parseLine(`{"a":[{"${word}":{}}]}`)).toThrow(new RegExp(`"${word}"`));
    expect(() => parseLine(`{"a":"${word}"}`)).not.toThrow();
  }
  expect(() => parseLine('{"a":NaN}')).toThrow(/not valid JSON/);
});

it('BAK-6: keys are in the order of the database', () => {
  const part = fc.oneof(fc.nat(3), fc.constantFrom('a', 'b', 'aa', 'Z', 'é', '🙂', '\uffff'));
  const key = fc.tuple(fc.constantFrom('s', 'ss', 't'), part);
  const cmp = (a: BackupKey, b: BackupKey): number => Math.sign(compareKeys(a, b));
  fc.assert(
    fc.property(key, key, key, (a, b, c) => {
      if (typeof a[1] === typeof b[1]) expect(cmp(a, b) + cmp(b, a)).toBe(0);
      expect(cmp(a, a)).toBe(0);
      if (typeof a[1] === typeof b[1] && typeof b[1] === typeof c[1] && cmp(a, b) <= 0 && cmp(b, c) <= 0)
        expect(cmp(a, c)).toBeLessThanOrEqual(0);
    }),
    RUNS,
  );
  expect(cmp(['🙂'], ['\uffff'])).toBe(-1); // by UTF-16 units, as IndexedDB does
  expect(cmp(['s', 2], ['s', 10])).toBe(-1);
});

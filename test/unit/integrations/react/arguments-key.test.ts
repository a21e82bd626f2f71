import fc from 'fast-check';
import { expect, it } from 'vitest';
import { argumentsKey } from '../../../../src/integrations/react/arguments-key.ts';

it('RCT-5: arguments are equal by their content, in any order of their properties and without undefined ones', () => {
  const args = fc.anything({ withDate: true, withNullPrototype: true });
  fc.assert(fc.property(args, (value) => argumentsKey(value) === argumentsKey(structuredClone(value))));
  expect(argumentsKey({ a: 1, b: [{ c: 2, d: undefined }] })).toBe(argumentsKey({ b: [{ c: 2 }], a: 1 }));
  const message = { role: 'user', content: 'x', toJSON: () => ({ id: 1 }) };
  expect(argumentsKey(message)).toBe(argumentsKey({ ...message, content: 'y' }));
});

it('RCT-5: arguments that differ have different keys', () => {
  const rerank = (): number[] => [];
  const different = [
    [],
    [undefined],
    [null],
    ['null'],
    [1],
    ['1'],
    [1n],
    [NaN],
    [Infinity],
    [-Infinity],
    [true],
    [[1]],
    [[1], 2],
    [[1, 2]],
    [{ a: 1 }],
    [{ a: '1' }],
    [{ a: 1, b: 2 }],
    [{ 'a":1,"b': 2 }],
    ['a', 'b'],
    ['a","b'],
    [new Date(0)],
    [new Date(1)],
    ['1970-01-01T00:00:00.000Z'],
    [rerank],
    [(): number[] => []],
  ];
  const keys = different.map((args) => argumentsKey(args));
  expect(new Set(keys).size).toBe(different.length);
  expect(argumentsKey([rerank])).toBe(argumentsKey([rerank]));
});

it('RCT-14: arguments that contain themselves are rejected with invalid-option', () => {
  const loop: { self?: unknown } = {};
  loop.self = { loop };
  expect(() => argumentsKey(loop)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});

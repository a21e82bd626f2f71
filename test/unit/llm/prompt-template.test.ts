import fc from 'fast-check';
import { expect, it } from 'vitest';
import { promptTemplate } from '../../../src/llm/prompt-template.ts';

const code = (value: string): unknown => expect.objectContaining({ code: value });

it('CHN-1: variables are listed once, in order of first appearance', () => {
  expect(promptTemplate('{b} {a} {b} {ünlü-1}').variables).toEqual(['b', 'a', 'ünlü-1']);
  expect(promptTemplate('').variables).toEqual([]);
});

it('CHN-2: doubled braces stand for single braces, also next to variables', () => {
  expect(promptTemplate('{{"a": {{}}, {{{x}}}}}').format({ x: 1 })).toBe('{"a": {}, {1}}');
});

it('CHN-3: values are inserted literally and never interpreted as a template', () => {
  const template = promptTemplate('{a}|{b}');
  expect(template.format({ a: '{b} {{ $& $1', b: '{a}' })).toBe('{b} {{ $& $1|{a}');
});

it('CHN-3: any value between any texts is inserted unchanged', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, value, after) => {
      const escape = (text: string): string => text.replaceAll('{', '{{').replaceAll('}', '}}');
      const template = promptTemplate(`${escape(before)}{x}${escape(after)}`);
      expect(template.format({ x: value })).toBe(before + value + after);
    }),
  );
});

it('CHN-4: numbers and booleans are accepted, and a missing value or an object is rejected', () => {
  const template = promptTemplate('{x}');
  expect(template.format({ x: 0 })).toBe('0');
  expect(template.format({ x: false })).toBe('false');
  expect(template.format({ x: '' })).toBe('');
  for (const values of [{}, { x: undefined }, { x: null }, { x: ['a'] }, { X: 'a' }]) {
    expect(() => template.format(values)).toThrow(code('invalid-input'));
  }
  expect(() => promptTemplate('{toString}').format({})).toThrow(code('invalid-input'));
});

it('CHN-5: a stray or empty brace is rejected when the template is created', () => {
  for (const text of ['{', '}', 'a {b', 'b} c', '{}', '{ a }', '{a.b}', '{a{b}}', '{{a}', '{1}']) {
    expect(() => promptTemplate(text), text).toThrow(code('invalid-option'));
  }
});

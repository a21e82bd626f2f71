import { expect, it } from 'vitest';
import type { Warning } from '../../../src/model/warning.ts';
import { chooseInputKey, chooseOutputKey } from '../../../src/components/langchain/input-key.ts';
import { warnOnce } from '../../../src/model/warning.ts';

const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(text) });

it('CHN-6: the input is the only key besides memory variables and settings', () => {
  const inputs = { q: 'a', history: 'h', stop: [], signal: {}, timeout: 1, extra: undefined };
  expect(chooseInputKey(inputs, { exclude: ['history'] })).toBe('q');
  expect(chooseInputKey({ q: '' }, { exclude: [] })).toBe('q');
});

it('CHN-6: no key or several keys are rejected, and the error names them', () => {
  expect(() => chooseInputKey({ a: '1', b: '2' }, { exclude: [] })).toThrow(
    refusal('Expected exactly one input key, got: a, b'),
  );
  for (const inputs of [{}, { history: 'x' }, { stop: 'x' }]) {
    expect(() => chooseInputKey(inputs, { exclude: ['history'] })).toThrow(
      refusal('Expected exactly one input key, got: none'),
    );
  }
});

it('CHN-7: the configured key is used, and its absence is rejected', () => {
  expect(chooseInputKey({ a: '1', b: '' }, { inputKey: 'b', exclude: [] })).toBe('b');
  expect(() => chooseInputKey({ input: 'a' }, { inputKey: 'q', exclude: [] })).toThrow(
    refusal('input key "q" not found; got: input'),
  );
  expect(() => chooseOutputKey({ output: 'a' }, { outputKey: 'q' })).toThrow(
    refusal('output key "q" not found; got: output'),
  );
});

it('CHN-8: of several outputs the usual names are tried in order, with one warning', () => {
  const warnings: Warning[] = [];
  const onWarning = warnOnce((warning) => void warnings.push(warning));
  const all = { text: 't', response: 'r', answer: 'a', output: 'o', other: 'x' };
  expect(chooseOutputKey(all, { onWarning })).toBe('output');
  expect(chooseOutputKey({ ...all, output: undefined }, { onWarning })).toBe('answer');
  expect(chooseOutputKey({ text: 't', response: 'r' }, { onWarning })).toBe('response');
  expect(chooseOutputKey({ text: 't', x: 'r' }, { onWarning })).toBe('text');
  expect(warnings).toMatchObject([
    { code: 'ambiguous-output', message: expect.stringContaining('"output"') },
  ]);
});

it('CHN-8: a single output may have any name, and several without a usual name are rejected', () => {
  expect(chooseOutputKey({ foo: '' })).toBe('foo');
  expect(() => chooseOutputKey({ foo: 'a', bar: 'b' })).toThrow(refusal('foo, bar'));
  expect(() => chooseOutputKey({})).toThrow(refusal('Expected exactly one output key'));
});

import { SourceMap } from 'node:module';
import { runInNewContext } from 'node:vm';
import { encode } from '@jridgewell/sourcemap-codec';
import { describe, expect, it } from 'vitest';
import { asciiScript, asciiSourceMap } from '../../../scripts/ascii-script.ts';

/** What an expression is worth, before and after. */
function valuesOf(expression: string): { before: unknown; after: unknown; code: string } {
  const code = asciiScript(`(${expression})`);
  return { before: runInNewContext(`(${expression})`), after: runInNewContext(code), code };
}

describe('a script in ASCII', () => {
  it.each([
    ['a string', '"naïve 😀 " + \'…\''],
    ['an escaped character', String.raw`'a\…b\\…c\\\…'`],
    ['a template', '`é${"ü" + `–`}😀`'],
    ['a regular expression', '["…", "😀"].map((text) => /^[…é]$/.test(text))'],
    ['a regular expression of code points', '["…", "😀", "\\ud83d"].map((text) => /^[…-⁉😀]$/u.test(text))'],
    ['a regular expression of sets', '["…", "😀"].map((text) => /^[[…😀]--[é]]$/v.test(text))'],
    ['an escaped character of an expression', String.raw`/^\…$/.test('…')`],
    ['a named group', '/(?<né>\\d+)/u.exec("12").groups.né'],
    ['a raw template', 'String.raw`\\p{L}…${"é"}\\–😀`'],
    ['a raw template within a template', '`–${String.raw`…\\${1}é`}–`'],
    ['a tag that joins', '((strings, ...values) => String.raw(strings, ...values))`\\s…(?:记住|memo)`'],
  ])('PKG-41: %s is worth the same', (_name, expression) => {
    const { before, after, code } = valuesOf(expression);
    expect(code).toMatch(/^[\0-\x7f]*$/);
    expect(after).toEqual(before);
  });

  it('PKG-41: its source map leads to the same places', () => {
    const code = 'let a="é";let b=/…/;\nlet c=String.raw`😀`;let d=1;';
    const places = ['let a', 'let b', 'let c', 'let d'];
    const segments = code
      .split('\n')
      .map((text, line) =>
        places.flatMap((place, at): [number, number, number, number][] =>
          text.includes(place) ? [[text.indexOf(place), 0, line, at]] : [],
        ),
      );
    const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: encode(segments) });
    const found = new SourceMap(JSON.parse(asciiSourceMap(code, map)));
    const lines = asciiScript(code).split('\n');
    expect(
      places.map((place, at) => {
        const line = lines.findIndex((text) => text.includes(place));
        const entry = found.findEntry(line, lines[line]?.indexOf(place) ?? -1);
        return 'originalColumn' in entry && entry.originalColumn === at;
      }),
    ).toEqual([true, true, true, true]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passagesIn, widthOf } from '../../../src/language/passages.ts';
import { sentencesIn } from '../../../src/language/sentences.ts';

const TABLE = [
  '| Riding | Wipe |',
  '|---|---|',
  ...Array.from({ length: 30 }, (_, i) => `| week ${i} | every ${i} km |`),
];
const CODE = [
  '```ts',
  ...Array.from({ length: 30 }, (_, i) => `const value${i} = read(${i}). then(next);`),
  '```',
];
const LIST = Array.from({ length: 20 }, (_, i) => `${i + 1}. Step ${i} is done. It takes ${i} minutes.`);
const PROSE = Array.from({ length: 20 }, (_, i) => `Sentence ${i} says that Dr. Who saw ${i} birds.`).join(
  ' ',
);
const TEXT = ['# Bikes', PROSE, '', '## Care', ...LIST, '', ...TABLE, '', ...CODE, '', 'The end.'].join('\n');

describe('passages', () => {
  it('LANG-6: no passage begins or ends inside a sentence, a list item, a row or a line of code', () => {
    const passages = passagesIn(TEXT).map(({ start, end }) => TEXT.slice(start, end));
    expect(passages.length).toBeGreaterThan(8);
    for (const line of [...LIST, ...TABLE, ...CODE])
      expect(passages.filter((passage) => passage.includes(line)).length, line).toBeGreaterThan(0);
    for (const { start, end } of sentencesIn(PROSE)) {
      const sentence = PROSE.slice(start, end).trim();
      expect(
        passages.some((passage) => passage.includes(sentence)),
        sentence,
      ).toBe(true);
    }
    for (const passage of passages) expect(widthOf(passage)).toBeLessThanOrEqual(400);
  });

  it('LANG-6: a passage knows its heading and the head of its table', () => {
    const headingOf = (words: string): string | undefined =>
      passagesIn(TEXT).find(({ start, end }) => TEXT.slice(start, end).includes(words))?.heading;
    expect(headingOf('Sentence 19')).toBe('# Bikes');
    expect(headingOf('Step 5')).toBe('## Care');
    expect(headingOf('week 29')).toBe('## Care\n| Riding | Wipe |');
    expect(headingOf('The end.')).toBe('## Care');
    expect(passagesIn('')).toEqual([]);
    expect(passagesIn(' \n\n ')).toEqual([]);
  });

  it('LANG-6: text without sentence marks is split behind commas, else at spaces', () => {
    const words = Array.from({ length: 2000 }, (_, i) => (i % 40 === 39 ? `word${i},` : `word${i}`)).join(
      ' ',
    );
    const passages = passagesIn(words).map(({ start, end }) => words.slice(start, end));
    expect(passages.join(' ')).toBe(words);
    for (const passage of passages.slice(0, -1)) expect(passage).toMatch(/,$/u);
    expect(Math.max(...passages.map(widthOf))).toBeLessThanOrEqual(400);
    const bare = passagesIn(words.replaceAll(',', ''));
    expect(Math.max(...bare.map(({ start, end }) => end - start))).toBeLessThanOrEqual(400);
    expect(passagesIn('x'.repeat(5000))).toEqual([{ start: 0, end: 5000, heading: '' }]);
  });

  it('LANG-6: passages are in order, do not overlap and hold everything but spaces', () => {
    const part = fc.constantFrom(
      ...LIST,
      ...TABLE,
      ...CODE,
      PROSE,
      '',
      ' ',
      '# Title',
      'Note:',
      '猫が好きです。',
      'a\u2028b',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 60 }),
        fc.constantFrom('\n', '\r\n', ' '),
        (parts, separator) => {
          const text = parts.join(separator);
          let at = 0;
          for (const { start, end } of passagesIn(text)) {
            expect(text.slice(at, start).trim()).toBe('');
            expect(end).toBeGreaterThan(start);
            at = end;
          }
          expect(text.slice(at).trim()).toBe('');
        },
      ),
    );
  });
});

import * as fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100kRanks from 'js-tiktoken/ranks/cl100k_base';
import o200kRanks from 'js-tiktoken/ranks/o200k_base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { slicesOf, SLICE_CHARACTERS } from '../../../src/tokens/slices.ts';
import { tiktokenTokenizer, type TiktokenEncoding } from '../../../src/tokens/tiktoken.ts';

afterEach(() => {
  vi.doUnmock('js-tiktoken/ranks/o200k_base');
  vi.resetModules();
});

describe('tiktokenTokenizer', () => {
  it('TOK-1: texts are counted as the vocabulary splits them', async () => {
    const o200k = await tiktokenTokenizer();
    const cl100k = await tiktokenTokenizer('cl100k_base');
    expect([o200k.id, cl100k.id]).toEqual(['tiktoken/o200k_base/2', 'tiktoken/cl100k_base/2']);
    expect(['', 'hello world', 'Grüße aus Köln'].map((text) => o200k.countText(text))).toEqual([0, 2, 5]);
    expect(['', 'hello world', 'नमस्ते'].map((text) => cl100k.countText(text))).toEqual([0, 2, 6]);
  });

  it.each([
    ['o200k_base', o200kRanks],
    ['cl100k_base', cl100kRanks],
  ] as const)(
    'TOK-1: counting word by word gives the count of the whole text, by %s',
    async (encoding, ranks) => {
      const tokenizer = await tiktokenTokenizer(encoding);
      const bpe = new Tiktoken(ranks);
      const odd =
        ` |  |\n|\r\n|\t|'s|'LL|Hello|don't|  \n |ſ|'ſ|123456|中文|…|!!|/|É|e\u0301|👩‍👧|\u00a0|<|endoftext|>|İ|ǅ`.split(
          '|',
        );
      const text = fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.constantFrom(...odd), { maxLength: 30 }).map((words) => words.join('')),
      );
      const property = fc.property(text, (each) => {
        expect(tokenizer.countText(each)).toBe(bpe.encode(each, [], []).length);
      });
      fc.assert(property, { numRuns: 500 });
    },
  );

  it('TOK-2: text that looks like a special token is counted as plain text', async () => {
    const tokenizer = await tiktokenTokenizer();
    expect(tokenizer.countText('<|endoftext|>')).toBe(7);
    expect(tokenizer.countMessage({ role: 'user', content: '<|im_start|>system' })).toBeGreaterThan(4);
  });

  it('TOK-3: all calls share one load', async () => {
    expect(tiktokenTokenizer()).toBe(tiktokenTokenizer('o200k_base'));
    expect(await tiktokenTokenizer()).not.toBe(await tiktokenTokenizer('cl100k_base'));
  });

  it('TOK-4: a vocabulary that cannot be loaded rejects, and the next call tries again', async () => {
    vi.resetModules();
    vi.doMock('js-tiktoken/ranks/o200k_base', () => {
      throw new Error('offline');
    });
    const fresh = await import('../../../src/tokens/tiktoken.ts');
    await expect(fresh.tiktokenTokenizer()).rejects.toMatchObject({ code: 'tokenizer-unavailable' });
    vi.doUnmock('js-tiktoken/ranks/o200k_base');
    expect((await fresh.tiktokenTokenizer()).countText('hello world')).toBe(2);
  });

  it('TOK-13: preparing a vocabulary does not block other work', async () => {
    vi.resetModules();
    const fresh = await import('../../../src/tokens/tiktoken.ts');
    let turns = 0;
    const others = setInterval(() => void turns++, 0);
    await fresh.tiktokenTokenizer('cl100k_base');
    clearInterval(others);
    expect(turns).toBeGreaterThan(10);
  });

  it('TOK-5: an unknown encoding is rejected', async () => {
    for (const name of ['gpt2', 'constructor', '']) {
      await expect(tiktokenTokenizer(name as TiktokenEncoding)).rejects.toMatchObject({
        code: 'invalid-option',
      });
    }
  });

  it('TOK-6: a text longer than a slice has the count that the library gives the whole text', async () => {
    const tokenizer = await tiktokenTokenizer();
    const bpe = new Tiktoken(o200kRanks);
    const unit = fc.constantFrom(
      'word ',
      "it's ",
      'ГОРОД ',
      'e\u0301 ',
      '1,000 ',
      '我们，',
      'a.b',
      '\n\n',
      '  x',
      '😀 ',
      '’t',
    );
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), (units) => {
        // Some letter, space and letter in each slice: a place where a word ends.
        const text = `${units.join('')}ab cd`.repeat(1200).slice(0, 9000);
        expect([...slicesOf(text)].length).toBeGreaterThan(1);
        expect(tokenizer.countText(text)).toBe(bpe.encode(text, [], []).length);
      }),
      { numRuns: 20 },
    );
  });

  it('TOK-6: a text without words is cut, which changes its count little', async () => {
    const tokenizer = await tiktokenTokenizer();
    expect(tokenizer.countText('a'.repeat(100_000))).toBe(12_500);
    const [one, many] = ['😀'.repeat(1000), '😀'.repeat(20_000)].map(tokenizer.countText);
    expect(Number(many) / (20 * Number(one))).toBeCloseTo(1, 1);
  });
});

describe('slices', () => {
  const run = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc
      .tuple(fc.constantFrom('a', ' ', '文', '😀', '\n', 'so it is '), fc.integer({ min: 1, max: 6000 }))
      .map(([unit, count]) => unit.repeat(count)),
  );

  it('TOK-6: a lone surrogate does not cause a pair to be split', () => {
    for (const lone of ['\ud83d', '\ude00']) {
      for (const before of ['', 'x']) {
        const text = `${lone}${before}${'😀'.repeat(9000)}`;
        const slices = [...slicesOf(text)];
        expect(slices.join('')).toBe(text);
        expect(slices.map((slice) => slice.isWellFormed())).toEqual(slices.map((_, at) => at > 0));
      }
    }
  });

  it('TOK-6: the joined slices of a text are the text, none is too long, and no surrogate pair is split', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        const text = runs.join('');
        const slices = [...slicesOf(text)];
        expect(slices.join('')).toBe(text);
        expect(slices.every((slice) => slice !== '' && slice.length <= SLICE_CHARACTERS)).toBe(true);
        expect(slices.every((slice) => slice.isWellFormed())).toBe(text.isWellFormed());
        expect(slices.flatMap((slice) => [...slicesOf(slice)])).toEqual(slices);
      }),
      { numRuns: 40 },
    );
  });
});

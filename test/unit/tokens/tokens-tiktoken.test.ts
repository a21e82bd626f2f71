import * as fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100kRanks from 'js-tiktoken/ranks/cl100k_base';
import o200kRanks from 'js-tiktoken/ranks/o200k_base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cutLongRuns, tiktokenTokenizer, type TiktokenEncoding } from '../../../src/tokens/tiktoken.ts';

afterEach(() => {
  vi.doUnmock('js-tiktoken/ranks/o200k_base');
  vi.resetModules();
});

describe('tiktokenTokenizer', () => {
  it('TOK-1: texts are counted as the vocabulary splits them', async () => {
    const o200k = await tiktokenTokenizer();
    const cl100k = await tiktokenTokenizer('cl100k_base');
    expect([o200k.id, cl100k.id]).toEqual(['tiktoken/o200k_base/1', 'tiktoken/cl100k_base/1']);
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

  it("TOK-13: preparing a vocabulary does not block other work and gives the library's ranks", async () => {
    vi.resetModules();
    const fresh = await import('../../../src/tokens/tiktoken.ts');
    let turns = 0;
    const others = setInterval(() => void turns++, 0);
    const made = vi.spyOn(Map.prototype, 'set');
    await fresh.tiktokenTokenizer('cl100k_base');
    clearInterval(others);
    const ours = (made.mock.contexts as Map<unknown, unknown>[]).find(({ size }) => size > 50_000);
    made.mockRestore();
    expect(turns).toBeGreaterThan(10);
    expect(ours).toEqual(Reflect.get(new Tiktoken(cl100kRanks), 'rankMap'));
  });

  it('TOK-5: an unknown encoding is rejected', async () => {
    for (const name of ['gpt2', 'constructor', '']) {
      await expect(tiktokenTokenizer(name as TiktokenEncoding)).rejects.toMatchObject({
        code: 'invalid-option',
      });
    }
  });

  it('TOK-6: a run of 100,000 letters is counted in pieces', async () => {
    const tokenizer = await tiktokenTokenizer();
    expect(tokenizer.countText('a'.repeat(100_000))).toBe(12_500);
    expect(tokenizer.countText(' '.repeat(20_000))).toBeGreaterThan(0);
  });
});

describe('cutLongRuns', () => {
  it('TOK-6: the joined pieces of a text are the text, and no surrogate pair is split', () => {
    const run = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc
        .tuple(fc.constantFrom('a', ' ', '文', '😀', '\n'), fc.integer({ min: 1, max: 1500 }))
        .map(([unit, count]) => unit.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        const text = runs.join('');
        const pieces = cutLongRuns(text);
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed() || !text.isWellFormed())).toBe(true);
        expect(pieces.every((piece) => !/\S{1001}|\s{1001}/u.test(piece))).toBe(true);
      }),
    );
  });

  it('TOK-6: text with breaks is not split', () => {
    const text = 'word '.repeat(5000);
    expect(cutLongRuns(text)).toEqual([text]);
    expect(cutLongRuns('a'.repeat(1000))).toHaveLength(1);
    expect(cutLongRuns('a'.repeat(1001))).toHaveLength(32);
  });

  it('TOK-6: more than 128 emoji in a row are split wherever they stand, and fewer are not', async () => {
    const longest = (text: string): number => Math.max(...cutLongRuns(text).map((piece) => piece.length));
    expect(cutLongRuns(`so ${'😀'.repeat(128)} it is`)).toHaveLength(1);
    expect(longest('😀'.repeat(129))).toBeLessThanOrEqual(64);
    expect(longest(`so ${'👩‍👩‍👧‍👦'.repeat(80)} it is`)).toBeLessThanOrEqual(64);
    expect(longest(`${'a'.repeat(2000)}${'🔥🎉'.repeat(400)}`)).toBeLessThanOrEqual(129);
    const { countText } = await tiktokenTokenizer();
    const [one, many] = ['😀'.repeat(64), '😀'.repeat(6400)].map(countText);
    expect(Number(many) / (100 * Number(one))).toBeCloseTo(1, 1);
  });
});

import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { countBytePairs } from '../../../src/tokens/byte-pairs.ts';
import { countedAhead, countInSlices, withTokens } from '../../../src/tokens/count-in-slices.ts';
import { slicesOf } from '../../../src/tokens/slices.ts';
import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';
import type { Tokenizer } from '../../../src/tokens/tokenizer.ts';

const NO_WORDS = { ...ranks, pat_str: '[^]+' };

describe('countBytePairs', () => {
  const rankOf = new Map<string, number>();
  for (const line of ranks.bpe_ranks.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    for (const [position, token] of tokens.entries()) rankOf.set(atob(token), Number(first) + position);
  }

  it('TOK-14: a word has as many tokens as by the library', () => {
    const bpe = new Tiktoken(NO_WORDS);
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'n', 't', 'h', ' '), minLength: 1, maxLength: 200 }),
      fc
        .tuple(fc.constantFrom('a', 'ab', ' ', '的', '👨‍👩‍👧', '="'), fc.integer({ min: 1, max: 60 }))
        .map(([unit, count]) => unit.repeat(count)),
    );
    fc.assert(
      fc.property(word, (text) => {
        const bytes = String.fromCharCode(...new TextEncoder().encode(text));
        expect(countBytePairs(bytes, rankOf)).toBe(bpe.encode(text, [], []).length);
      }),
      { numRuns: 300 },
    );
    expect(countBytePairs('', rankOf)).toBe(0);
  });

  it('TOK-6: a cut inside a word changes the count by three tokens at most', async () => {
    const { countText } = await tiktokenTokenizer();
    for (const letters of ['etaoinshr', 'ab', 'a', 'хорошо', 'ქართული']) {
      for (const length of [4097, 6000, 9000]) {
        const at = (index: number): string =>
          letters[(index * index * 31 + index * 7) % letters.length] ?? '';
        const text = Array.from({ length }, (_, index) => at(index)).join('');
        const exact = countBytePairs(String.fromCharCode(...new TextEncoder().encode(text)), rankOf);
        const cuts = [...slicesOf(text)].length - 1;
        expect(Math.abs(countText(text) - exact)).toBeLessThanOrEqual(3 * cuts);
      }
    }
  });

  it('TOK-14: the ranks are asked three times for each byte at most', () => {
    let asked = 0;
    const counting = {
      has: () => false,
      get: (bytes: string) => {
        asked += 1;
        return rankOf.get(bytes);
      },
    } as unknown as Map<string, number>;
    const random = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(97 + ((at * at * 7) % 26)));
    for (const text of [random.join(''), 'a'.repeat(20_000), 'ab'.repeat(10_000)]) {
      asked = 0;
      expect(countBytePairs(text, counting)).toBeGreaterThan(0);
      expect(asked).toBeLessThanOrEqual(3 * text.length);
    }
  });
});

describe('long messages', () => {
  const long = (content: string): ChatMessage => ({ role: 'user', name: 'Mara', content });
  const text = 'The fox jumps over the dog, again. '.repeat(3000);

  it('TOK-15: at most a few slices are counted in one task', async () => {
    const { id, countText, countMessage, slices } = await tiktokenTokenizer();
    const seen = { inTask: 0, most: 0, isOver: false };
    const counting: Tokenizer = {
      id,
      countMessage,
      ...(slices ? { slices } : {}),
      countText(each) {
        seen.inTask += 1;
        seen.most = Math.max(seen.most, seen.inTask);
        return countText(each);
      },
    };
    const others = (async () => {
      for (; !seen.isOver; seen.inTask = 0) await yieldToEventLoop();
    })();
    const tokens = await countInSlices(counting, long(text));
    seen.isOver = true;
    await others;
    expect(tokens).toBe(countMessage(long(text)));
    expect(seen.most).toBeGreaterThan(0);
    expect(seen.most).toBeLessThanOrEqual(8);
  });

  it('TOK-15: short messages, and those of a tokenizer without slices, are counted at once', async () => {
    const tokenizer = await tiktokenTokenizer();
    const { id, countText, countMessage } = tokenizer;
    const own = { id, countText, countMessage };
    const hello = long('hello');
    expect(withTokens(hello, tokenizer)).toEqual({ ...hello, tokens: { [id]: countMessage(hello) } });
    expect(withTokens(long(text), tokenizer)).toEqual(long(text));
    const tokens = { [id]: await countInSlices(tokenizer, long(text)) };
    expect(withTokens(long(text), own)).toEqual({ ...long(text), tokens });
  });

  it('TOK-16: a long input is counted once, and only the text in front of it is counted again', async () => {
    const tokenizer = await tiktokenTokenizer();
    const seen: number[] = [];
    const counting: Tokenizer = {
      ...tokenizer,
      countMessage: (message) => {
        seen.push(String(message.content).length);
        return tokenizer.countMessage(message);
      },
    };
    const user = (content: string): ChatMessage => ({ role: 'user', content });
    const ahead = await countedAhead(counting, text);
    const inFront = '<memory-1>\n> hello\n</memory-1>\n\n';
    const exact = tokenizer.countMessage(user(inFront + text));
    expect(ahead.countMessage(user(text))).toBe(tokenizer.countMessage(user(text)));
    const tokens = ahead.countMessage(user(inFront + text));
    expect(tokens).toBeGreaterThanOrEqual(exact);
    expect(tokens).toBeLessThanOrEqual(exact + 2);
    expect(ahead.countMessage(user('hello'))).toBe(tokenizer.countMessage(user('hello')));
    expect(Math.max(...seen)).toBe(inFront.length);
  });
});

import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { largestPassing } from '../../../src/model/ordered/binary-search.ts';
import { trimMessages } from '../../../src/components/chain/trim-messages.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';

const messages: readonly ChatMessage[] = [
  { role: 'system', content: 's1 s2 s3' },
  { role: 'user', content: 'h1 h2' },
  { role: 'assistant', content: 'a1 a2' },
  { role: 'user', content: 'h3 h4' },
  { role: 'assistant', content: 'a3 a4' },
];

describe('trimMessages', () => {
  it('TRM-2: the messages returned are copies', async () => {
    const result = await trimMessages(messages, { maxTokens: 100, tokenizer: countingTokenizer() });
    expect(result).toEqual(messages);
    expect(result[0]).not.toBe(messages[0]);
  });

  it('TRM-3: a function that counts whole lists replaces the tokenizer, and may be asynchronous', async () => {
    const asked: number[] = [];
    const result = await trimMessages(messages, {
      maxTokens: 2,
      tokenCounter: async (list) => {
        asked.push(list.length);
        return list.length;
      },
    });
    expect(result).toEqual(messages.slice(-2));
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('TRM-4: a tokenizer counts each message once', async () => {
    const tokenizer = countingTokenizer();
    const long = Array.from({ length: 100 }, (_, index): ChatMessage => ({
      role: 'user',
      content: `m ${index}`,
    }));
    await trimMessages(long, { maxTokens: 21, tokenizer });
    expect(tokenizer.counted).toHaveLength(100);
  });

  it('TRM-5: if nothing fits, the newest user message is returned with a warning', async () => {
    const warnings: Warning[] = [];
    const options = {
      tokenizer: countingTokenizer(),
      onWarning: (warning: Warning): void => {
        warnings.push(warning);
      },
    };
    expect(await trimMessages(messages, { ...options, maxTokens: 1 })).toEqual([messages[3]]);
    expect(await trimMessages(messages, { ...options, maxTokens: 3, startOn: 'user' })).toEqual([
      messages[3],
    ]);
    expect(warnings.map((warning) => warning.code)).toEqual(['over-budget', 'over-budget']);
    expect(await trimMessages(messages, { ...options, maxTokens: 0 })).toEqual([]);
    for (const maxTokens of [1, 3, 99]) {
      // What nothing in the list is cannot be kept: the budget is not to blame.
      expect(await trimMessages(messages, { ...options, maxTokens, startOn: 'tool' })).toEqual([]);
      const first = { ...options, maxTokens, strategy: 'first', endOn: 'tool' } as const;
      expect(await trimMessages(messages, first)).toEqual([]);
    }
    expect(warnings).toHaveLength(2);
  });

  it('TRM-6: text is cut where the splitter allows, at the end that is trimmed', async () => {
    const one: ChatMessage[] = [{ role: 'user', content: 'a b c d' }];
    const shared = { maxTokens: 2, allowPartial: true, tokenizer: countingTokenizer() };
    const textSplitter = (text: string): string[] => text.split(/(?<= )/);
    expect(await trimMessages(one, { ...shared, textSplitter })).toEqual([{ role: 'user', content: 'c d' }]);
    expect(await trimMessages(one, { ...shared, textSplitter, strategy: 'first' })).toEqual([
      { role: 'user', content: 'a b ' },
    ]);
  });

  it('TRM-9: includeSystem keeps the system message although no message has a role to end on', async () => {
    const options = { tokenizer: countingTokenizer(), includeSystem: true, endOn: 'tool' } as const;
    expect(await trimMessages(messages, { ...options, maxTokens: 100 })).toEqual([messages[0]]);
    const asked = messages.slice(0, 2);
    expect(await trimMessages(asked, { ...options, endOn: 'assistant', maxTokens: 100 })).toEqual([asked[0]]);
    expect(await trimMessages(messages, { ...options, includeSystem: false, maxTokens: 100 })).toEqual([]);
  });

  it('TRM-7: contradictory and meaningless options are rejected', async () => {
    const tokenizer = countingTokenizer();
    const bad = [
      { maxTokens: 5 },
      { maxTokens: 5, tokenizer, tokenCounter: () => 1 },
      { maxTokens: -1, tokenizer },
      { maxTokens: Number.NaN, tokenizer },
      { maxTokens: 5, tokenizer, strategy: 'first', startOn: 'user' },
      { maxTokens: 5, tokenizer, strategy: 'first', includeSystem: true },
      { maxTokens: 5, tokenizer, strategy: 'middle' },
      { maxTokens: 5, tokenizer, startOn: 'human' },
      { maxTokens: 5, tokenizer, endsOn: 'user' },
    ];
    for (const options of bad) {
      await expect(trimMessages(messages, options as never)).rejects.toMatchObject({
        code: 'invalid-option',
      });
    }
    await expect(trimMessages('x' as never, { maxTokens: 5, tokenizer })).rejects.toMatchObject({
      code: 'invalid-message',
    });
  });
});

describe('largestPassing', () => {
  it('TRM-8: the binary search finds the largest value that passes', async () => {
    for (let most = 0; most < 20; most += 1) {
      for (let limit = 0; limit <= most; limit += 1) {
        expect(await largestPassing(most, async (candidate) => candidate <= limit)).toBe(limit);
      }
    }
  });
});

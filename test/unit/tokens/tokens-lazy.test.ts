import { afterEach, describe, expect, it, vi } from 'vitest';
import { MnemoraError } from '../../../src/model/error.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { lazyTokenizer } from '../../../src/tokens/lazy-tokenizer.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';

afterEach(() => {
  vi.doUnmock('js-tiktoken/ranks/o200k_base');
  vi.resetModules();
  vi.restoreAllMocks();
});

const offline = new MnemoraError('tokenizer-unavailable', 'offline');

describe('lazyTokenizer', () => {
  it('TOK-12: five seconds after a failure the next use tries again, and one warning is raised', async () => {
    const exact = countingTokenizer();
    const warnings: Warning[] = [];
    const outcomes = [offline, offline, exact];
    let loads = 0;
    let time = 0;
    const tokenizer = lazyTokenizer({
      onWarning: (warning) => warnings.push(warning),
      now: () => time,
      load: async () => {
        const outcome = outcomes[loads++];
        if (!outcome || outcome instanceof MnemoraError) throw outcome;
        return outcome;
      },
    });
    const [first, second] = await Promise.all([tokenizer.get(), tokenizer.get()]);
    expect([first.id, second.id, loads]).toEqual(['approximate/2', 'approximate/2', 1]);
    time = 4_999;
    expect((await tokenizer.get()).id).toBe('approximate/2');
    expect(loads).toBe(1);
    time = 5_000;
    expect((await tokenizer.get()).id).toBe('approximate/2');
    expect(tokenizer.loaded).toBeUndefined();
    time = 10_000;
    expect(await tokenizer.get()).toBe(exact);
    expect(tokenizer.loaded).toBe(exact);
    expect(await tokenizer.get()).toBe(exact);
    expect(loads).toBe(3);
    expect(warnings.map((warning) => warning.code)).toEqual(['tokenizer-unavailable']);
  });

  it('TOK-12: an error that is not a failed load is passed on', async () => {
    const mistake = new TypeError('mistake');
    const tokenizer = lazyTokenizer({ load: () => Promise.reject(mistake) });
    await expect(tokenizer.get()).rejects.toBe(mistake);
  });

  it("TOK-12: the caller's own tokenizer is loaded at once", async () => {
    const own = countingTokenizer();
    const tokenizer = lazyTokenizer({ tokenizer: own, load: () => Promise.reject(offline) });
    expect(tokenizer.loaded).toBe(own);
    expect(await tokenizer.get()).toBe(own);
  });

  it('TOK-12: a memory that was offline at first uses the real tokenizer later', async () => {
    vi.resetModules();
    vi.doMock('js-tiktoken/ranks/o200k_base', () => {
      throw new Error('offline');
    });
    const { createMemory } = await import('../../../src/index.ts');
    const warnings: string[] = [];
    const memory = await createMemory({
      history: 'memory',
      embedder: false,
      extractor: false,
      onWarning: ({ code }) => warnings.push(code),
    });
    await memory.remember({ user: 'one', assistant: 'two' });
    await memory.recall('one');
    await memory.recall('one');
    expect(warnings).toEqual(['tokenizer-unavailable']);
    vi.doUnmock('js-tiktoken/ranks/o200k_base');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
    await memory.recall('one');
    const { messageIds } = await memory.remember({ user: 'three', assistant: 'four' });
    const stored = (await memory.history()).filter((message) => messageIds.includes(message.id));
    expect(stored.map((message) => Object.keys(message.tokens ?? {}))).toEqual([
      ['tiktoken/o200k_base/2'],
      ['tiktoken/o200k_base/2'],
    ]);
    expect(warnings).toHaveLength(1);
    await memory.close();
  });
});

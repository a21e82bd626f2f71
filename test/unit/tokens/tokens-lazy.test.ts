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
      storage: 'memory',
      embedder: false,
      learning: false,
      onWarning: ({ code }) => warnings.push(code),
    });
    await memory.remember({ user: 'one', assistant: 'two' });
    await memory.profile(); // waits for the vocabulary
    await memory.recall('one');
    await memory.recall('one');
    expect(warnings).toEqual(['tokenizer-unavailable']);
    vi.doUnmock('js-tiktoken/ranks/o200k_base');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
    await memory.recall('one'); // begins to load it again
    await memory.profile();
    const { messageIds } = await memory.remember({ user: 'three', assistant: 'four' });
    const stored = (await memory.history()).filter((message) => messageIds.includes(message.id));
    expect(stored.map((message) => Object.keys(message.tokens ?? {}))).toEqual([
      ['tiktoken/o200k_base/2'],
      ['tiktoken/o200k_base/2'],
    ]);
    expect(warnings).toHaveLength(1);
    await memory.close();
  });

  it('TOK-40: a memory loads its vocabulary when it is created, and recall does not wait for it', async () => {
    vi.resetModules();
    const real = await import('js-tiktoken/ranks/o200k_base');
    let arrive: (() => void) | undefined;
    const asked = new Promise<void>((ask) => {
      vi.doMock('js-tiktoken/ranks/o200k_base', async () => {
        ask();
        await new Promise<void>((resolve) => (arrive = resolve));
        return real;
      });
    });
    const { createMemory, tiktokenTokenizer } = await import('../../../src/index.ts');
    const memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
    await asked; // before any question
    const { messageIds } = await memory.remember({
      user: 'The spare key is with Amira.',
      assistant: 'I see.',
    });
    const early = await memory.recall('Where is the spare key?');
    expect(early.items.map(({ kind }) => kind)).toEqual(['recent']);
    await memory.work.settled();
    const uncounted = await memory.history();
    expect(uncounted.map(({ id }) => id)).toEqual(messageIds);
    expect(uncounted.map(({ tokens }) => tokens)).toEqual([undefined, undefined]); // estimates are not stored

    arrive?.();
    await memory.profile(); // waits for it
    const { countMessage } = await tiktokenTokenizer();
    const exact = early.messages.reduce((sum, message) => sum + countMessage(message), 3);
    const late = await memory.recall('Where is the spare key?');
    expect(late.messages).toEqual(early.messages);
    expect(late.tokens).toBe(exact);
    expect(early.tokens).toBeGreaterThanOrEqual(exact);
    await memory.close();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemory, type Embedder, type Memory, type Warning } from '../../../src/index.ts';
import { deferred } from '../../../src/model/abortable.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import { hashEmbedder, type HashEmbedder } from '../../fakes/hash-embedder.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** Resolves with the promise; meanwhile the fake clock advances, as fast as other work lets it. */
async function whileTimePasses<T>(promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  promise.then(settle, settle);
  while (!settled.signal.aborted) {
    await yieldToEventLoop();
    await vi.advanceTimersByTimeAsync(10);
  }
  return promise;
}

const told = (memory: Memory, user: string): Promise<unknown> =>
  whileTimePasses(memory.remember({ user, assistant: 'Noted.' }).then(() => memory.work.settled()));

let open: Memory | undefined;

/** A memory with one message about a boat, whose background work has ended. */
async function boatMemory(
  embedder: Embedder,
): Promise<{ memory: Memory; warnings: Warning[]; warned: Promise<void> }> {
  const warnings: Warning[] = [];
  const { promise: warned, resolve } = deferred<void>();
  const onWarning = (warning: Warning): void => {
    warnings.push(warning);
    resolve();
  };
  const memory = await whileTimePasses(
    createMemory({ storage: 'memory', learning: false, embedder, onWarning }),
  );
  open = memory;
  await told(memory, 'The boat is blue.');
  return { memory, warnings, warned };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  if (open) await whileTimePasses(open.close());
  open = undefined;
  vi.useRealTimers();
});

describe('a question to an embedder that does not answer', () => {
  const questions: readonly (readonly [string, (memory: Memory) => Promise<readonly unknown[]>])[] = [
    ['search', (chat) => chat.search('boat')],
    ['recall', async (chat) => (await chat.recall('Which color has the boat?')).items],
    ['explain', (chat) => chat.explain('Which color has the boat?')],
  ];

  it.each(questions)('EMB-39: %s answers by keywords within 10 s, and then at once', async (_, ask) => {
    let isSilent = true;
    const embedder: HashEmbedder = hashEmbedder({
      before: (_texts, kind) => (kind === 'query' && isSilent ? never() : undefined),
    });
    const { memory, warnings, warned } = await boatMemory(embedder);
    const answer = ask(memory);
    await whileTimePasses(warned); // and no longer: the embedder would be tried again
    expect((await answer).length).toBeGreaterThan(0);
    expect(warnings.map(({ code }) => code)).toEqual(['model-unavailable']);
    expect(warnings[0]?.message).toContain('within 10 s');
    expect((await ask(memory)).length).toBeGreaterThan(0); // without any time passing
    expect(embedder.queries).toHaveLength(1);
    isSilent = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await told(memory, 'The boat is fast.');
    const [best] = await whileTimePasses(memory.search('boat'));
    expect(best?.why).toHaveProperty('vector');
    expect(warnings).toHaveLength(1);
  });
});

describe('an embedder that fails', () => {
  it('EMB-40: is tried again by itself, at ever longer intervals, until it works', async () => {
    let isBroken = true;
    const embedder = hashEmbedder({
      before: () => {
        if (isBroken) throw new Error('out of memory');
      },
    });
    const { memory, warnings } = await boatMemory(embedder);
    const tries = (): number => embedder.documents.filter((text) => text.includes('boat')).length;
    const triesIn: number[] = [];
    for (let minute = 0; minute < 16; minute++) {
      const before = tries();
      for (let second = 0; second < 60; second++) {
        await vi.advanceTimersByTimeAsync(1_000);
        await yieldToEventLoop();
      }
      triesIn.push(tries() - before);
    }
    expect(triesIn[0]).toBeGreaterThanOrEqual(4);
    expect(triesIn.slice(8).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2);
    expect(warnings.map(({ code }) => code)).toEqual(['model-unavailable', 'model-unavailable']);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(600_000);
    await whileTimePasses(memory.work.settled());
    const [best] = await whileTimePasses(memory.search('boat'));
    expect(best?.why).toHaveProperty('vector');
  });

  it('EMB-40: is not asked by new turns after six failures in a row', async () => {
    const embedder = hashEmbedder({
      before: () => {
        throw new Error('out of memory');
      },
    });
    const { memory, warnings } = await boatMemory(embedder);
    for (let turn = 0; warnings.length < 2 && turn < 10; turn++)
      await told(memory, `The boat ${turn} is red.`);
    expect(warnings[1]?.message).toContain('increasing intervals');
    const given = embedder.documents.length;
    await told(memory, 'The boat is green.');
    expect(embedder.documents).toHaveLength(given);
  });

  it.each([
    ['throws', undefined],
    ['gives NaN', Number.NaN],
  ])('EMB-41: one text for which it %s does not keep others from being embedded', async (_, filler) => {
    const healthy = hashEmbedder();
    const asks: string[] = [];
    const embedder: Embedder = {
      ...healthy,
      embed: async (texts, options) => {
        asks.push(...texts);
        const isBad = (text: string): boolean => options?.kind === 'document' && text.includes('poison is');
        if (filler === undefined && texts.some(isBad)) throw new Error('This text is poison.');
        const vectors = await healthy.embed(texts, options);
        return vectors.map((vector, at) => (isBad(texts[at] ?? '') ? vector.fill(filler ?? 0) : vector));
      },
    };
    const { memory, warnings } = await boatMemory(embedder);
    await told(memory, 'The poison is green.');
    for (let turn = 0; turn < 5; turn++) await told(memory, `The boat ${turn} is red.`);
    const found = await whileTimePasses(memory.search('boat', { limit: 20 }));
    expect(found.length).toBeGreaterThanOrEqual(6);
    for (const { why } of found) expect(why).toHaveProperty('vector');
    const poisons = await whileTimePasses(memory.search('poison green'));
    expect(poisons.find(({ message }) => String(message.content).includes('poison'))?.why).not.toHaveProperty(
      'vector',
    );
    expect(warnings.map(({ code }) => code)).toEqual(['model-unavailable']);
    expect(warnings[0]?.message).toContain('3 attempts');
    const before = asks.filter((text) => text.includes('poison')).length;
    await told(memory, 'The boat is sold.');
    expect(asks.filter((text) => text.includes('poison'))).toHaveLength(before);
  });
});

import { describe, expect, it, vi } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import { newId } from '../../../src/model/id.ts';
import { Knowledge as IndexedDbKnowledgeStore } from '../../../src/storage/knowledge-store.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const ABORT = expect.objectContaining({ name: 'AbortError' });

/** A memory that knows what was said in a number of turns, and the id of one fact. */
async function knowing(name: string, turns = 1): Promise<{ memory: Memory; factId: string }> {
  const memory = await memoryOf({ name, learning: { delayMs: 60_000 } });
  for (let n = 0; n < turns; n++) {
    await memory.remember(
      { user: `My friend Person${n} lives in Rome.`, assistant: 'Noted.' },
      { turnId: `t${n}` },
    );
  }
  await memory.work.settled();
  const [fact] = await memory.facts.list();
  return { memory, factId: fact?.id ?? '' };
}

const EDITS: readonly [string, (memory: Memory, id: string, signal: AbortSignal) => Promise<unknown>][] = [
  ['correct', (memory, id, signal) => memory.facts.correct(id, { object: 'Oslo' }, { signal })],
  ['pin', (memory, id, signal) => memory.facts.pin(id, { signal })],
  ['unpin', (memory, id, signal) => memory.facts.unpin(id, { signal })],
];
const READS: readonly [string, (memory: Memory, id: string, signal: AbortSignal) => Promise<unknown>][] = [
  ['facts', (memory, _id, signal) => memory.facts.list({ signal })],
  ['entities', (memory, _id, signal) => memory.facts.entities({ signal })],
  ['knowledgeGraph', (memory, _id, signal) => memory.facts.graph({ signal })],
  ['history', (memory, _id, signal) => memory.history({ signal })],
  ['sessions', (memory, _id, signal) => memory.sessions({ signal })],
  ['summary', (memory, _id, signal) => memory.summary({ signal })],
  ['jobs', (memory, _id, signal) => memory.work.list({ signal })],
  ['retryJob', (memory, _id, signal) => memory.work.retry(1, { signal })],
  ['intent', (memory, _id, signal) => memory.intent('Forget Sam.', { signal })],
  ['settled', (memory, _id, signal) => memory.work.settled({ signal })],
  ['storage', (memory, _id, signal) => memory.device.usage({ signal })],
  ['requestPersistence', (memory, _id, signal) => memory.device.persist({ signal })],
  ['forget', (memory, factId, signal) => memory.forget({ factId }, { signal })],
];
const REBUILD = (memory: Memory, _id: string, signal: AbortSignal): Promise<unknown> =>
  memory.backup.rebuild({ signal });

describe('a signal', () => {
  it.each([...READS, ...EDITS, ['rebuild', REBUILD] as const])(
    'FACT-14: with an aborted signal, %s rejects with an AbortError and writes nothing',
    async (_method, call) => {
      const name = newId();
      const { memory, factId } = await knowing(name);
      const before = await dump(name);
      await expect(call(memory, factId, AbortSignal.abort())).rejects.toEqual(ABORT);
      expect(await dump(name)).toEqual(before);
    },
  );

  it.each(EDITS)('FACT-15: an abort while %s waits or runs leaves nothing written', async (_method, call) => {
    const name = newId();
    const { memory, factId } = await knowing(name);
    const before = await dump(name);
    const waiting = new AbortController();
    const edits = [memory.facts.list(), call(memory, factId, waiting.signal)];
    waiting.abort();
    await expect(edits[1]).rejects.toEqual(ABORT);
    const read = vi.spyOn(IndexedDbKnowledgeStore.prototype, 'read');
    await memory.facts.list();
    expect(read.mock.calls.map(([, since]) => since)).toEqual([expect.anything()]); // only what is new
    read.mockRestore();
    const update = ScopeGraph.prototype.update;
    const changing = new AbortController();
    vi.spyOn(ScopeGraph.prototype, 'update').mockImplementationOnce(function inTheMiddle(
      this: ScopeGraph,
      change,
      ...rest
    ) {
      const changed: typeof change = async (draft) => {
        await change(draft);
        changing.abort();
      };
      return update.call(this, changed, ...rest);
    });
    await expect(call(memory, factId, changing.signal)).rejects.toEqual(ABORT);
    expect(await dump(name)).toEqual(before);
    expect((await memory.facts.list()).map(({ id }) => id)).toContain(factId);
  });

  it('FACT-41: an abort of review.reject before its erasure begins leaves the fact waiting', async () => {
    const name = newId();
    const memory = await memoryOf({ name, learning: { delayMs: 60_000 } });
    await memory.remember({ user: 'Hello!', assistant: 'You live in Leeds.' });
    await memory.work.settled();
    const [item] = await memory.review.list();
    const before = await dump(name);
    const controller = new AbortController();
    const update = ScopeGraph.prototype.update;
    vi.spyOn(ScopeGraph.prototype, 'update').mockImplementationOnce(function updated(
      this: ScopeGraph,
      change,
      ...given
    ) {
      const changeAndAbort: typeof change = async (draft) => {
        await change(draft);
        controller.abort();
      };
      return update.call(this, changeAndAbort, ...given);
    });
    const rejected = memory.review.reject(item?.id ?? '', { signal: controller.signal });
    await expect(rejected).rejects.toEqual(ABORT);
    expect(await dump(name)).toEqual(before);
    expect(await memory.review.list()).toHaveLength(1);
    await memory.review.reject(item?.id ?? '');
    expect(await memory.review.list()).toEqual([]);
  });

  it('FACT-16: an abort after a correction or pin was stored changes nothing', async () => {
    const { memory, factId } = await knowing(newId());
    const late = new AbortController();
    memory.addEventListener('change', () => late.abort());
    const corrected = await memory.facts.correct(factId, { object: 'Oslo' }, { signal: late.signal });
    expect(late.signal.aborted).toBe(true);
    expect(corrected.object).toBe('Oslo');
    expect((await memory.facts.list()).map(({ object }) => object)).toContain('Oslo');
  });

  it.each([
    ['facts', (memory: Memory, options: object) => memory.facts.list(options)],
    ['entities', (memory: Memory, options: object) => memory.facts.entities(options)],
    ['correct', (memory: Memory, options: object) => memory.facts.correct('f', { object: 'Oslo' }, options)],
    ['pin', (memory: Memory, options: object) => memory.facts.pin('f', options)],
    ['unpin', (memory: Memory, options: object) => memory.facts.unpin('f', options)],
    ['rebuild', (memory: Memory, options: object) => memory.backup.rebuild(options)],
  ])('FACT-17: an invalid signal or an unknown option makes %s reject', async (_method, call) => {
    const name = newId();
    const { memory } = await knowing(name);
    const before = await dump(name);
    await expect(call(memory, { sgnal: undefined })).rejects.toMatchObject({ code: 'invalid-option' });
    await expect(call(memory, { signal: 'stop' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(memory.backup.rebuild({ onProgress: 1 as never })).rejects.toMatchObject({
      code: 'invalid-option',
    });
    expect(await dump(name)).toEqual(before);
  });
});

describe('the progress of rebuild', () => {
  it.each(['this', 'another'])(
    'LRN-6: the progress of rebuild is reported in turns, from zero to all, each number once, while %s tab does the work',
    async (tab) => {
      const name = newId();
      const { memory: worker } = await knowing(name, 40);
      const waiting = tab === 'this' ? worker : await memoryOf({ name, learning: { delayMs: 60_000 } });
      const told: { done: number; total: number }[] = [];
      const done: string[] = [];
      worker.addEventListener('job', ({ detail }) => done.push(`${detail.type} ${detail.job.kind}`));
      await waiting.backup.rebuild({ onProgress: (progress) => told.push(progress) });
      expect(done).toContain('done rebuild');
      const total = told[0]?.total ?? 0;
      // In another tab the first turns may be learned before it is told of them.
      expect(total).toBeGreaterThan(tab === 'this' ? 39 : 30);
      expect(told[0]).toEqual({ done: 0, total });
      expect(told.at(-1)).toEqual({ done: total, total });
      expect(told.length).toBeGreaterThan(2);
      expect(told.every((each) => each.total === total)).toBe(true);
      const turns = told.map((each) => each.done);
      expect(turns).toEqual([...new Set(turns)].toSorted((a, b) => a - b));
    },
  );

  it('LRN-7: the progress of rebuild ends with an abort, and the work continues', async () => {
    const name = newId();
    const { memory } = await knowing(name, 40);
    const before = (await memory.facts.list()).length;
    const leaving = new AbortController();
    const told: number[] = [];
    const wait = memory.backup.rebuild({
      signal: leaving.signal,
      onProgress: ({ done }) => {
        told.push(done);
        leaving.abort();
      },
    });
    await expect(wait).rejects.toEqual(ABORT);
    await memory.work.settled();
    expect(told).toEqual([0]);
    expect(await memory.facts.list()).toHaveLength(before);
    expect((await memory.backup.verify()).problems).toEqual([]);
  });
});

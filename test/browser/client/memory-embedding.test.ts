import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

async function rememberTurns(memory: Memory, count: number, first = 0): Promise<void> {
  for (let turn = first; turn < first + count; turn++) {
    await memory.remember({ user: `question ${turn} about boats`, assistant: `answer ${turn}` });
  }
}

async function vectorIds(name: string): Promise<string[]> {
  const { vectors = [] } = await dump(name);
  return (vectors as { ids: string[] }[]).flatMap((block) => block.ids);
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('embedding in the background', () => {
  it('EMB-27: two tabs embed each message once between them, and reopening embeds nothing again', async () => {
    const name = newId();
    const embedders = [hashEmbedder(), hashEmbedder()];
    const [one, two] = await Promise.all(embedders.map((embedder) => memoryOf({ name, embedder })));
    if (!one || !two) throw new Error('not opened');
    await Promise.all([rememberTurns(one, 40), rememberTurns(two, 40, 40)]);
    await Promise.all([one.work.settled(), two.work.settled()]);
    const texts = embedders.flatMap((embedder) => embedder.documents);
    expect(texts).toHaveLength(160);
    expect(new Set(texts).size).toBe(160);
    expect(new Set(await vectorIds(name)).size).toBe(160);
    await Promise.all([one, two].map((memory) => memory?.close()));
    const again = hashEmbedder();
    const reopened = await memoryOf({ name, embedder: again });
    await reopened.work.settled();
    expect(again.documents).toEqual([]);
    const [best] = await reopened.search('boats question', { limit: 1 });
    expect(best?.why).toHaveProperty('vector');
  });

  it('FGT-12: a message forgotten while it is being embedded leaves no vector', async () => {
    const name = newId();
    let release: (value?: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    const embedder = hashEmbedder({ before: (_texts, kind) => (kind === 'document' ? held : undefined) });
    const memory = await memoryOf({ name, embedder });
    const { turnId } = await memory.remember({ user: 'the safe code', assistant: 'ok' });
    await eventually(() => expect(embedder.documents.length).toBeGreaterThan(0));
    const kept = await memory.remember({ user: 'the red car', assistant: 'fine' });
    await memory.forget({ turnId });
    release();
    await memory.work.settled();
    expect((await vectorIds(name)).toSorted()).toEqual(kept.messageIds.toSorted());
    expect(await memory.search('safe code')).toEqual([]);
  });

  it('MEM-12: closing settles every call while the model loads, embeds or answers', async () => {
    const slow = [
      hashEmbedder({ ready: never }),
      hashEmbedder({ before: never }),
      hashEmbedder({ before: (_texts, kind) => (kind === 'query' ? never() : undefined) }),
    ];
    for (const embedder of slow) {
      const memory = await memoryOf({ name: newId(), embedder });
      await memory.remember({ user: 'a boat', assistant: 'b' });
      await eventually(() => expect(embedder.documents.length > 0 || embedder === slow[0]).toBe(true));
      const searching = Promise.allSettled([memory.search('boat')]);
      const settled = memory.work.settled();
      await memory.close();
      await settled;
      const [result] = await searching;
      if (result?.status === 'rejected') expect(result.reason).toMatchObject({ code: 'storage-closed' });
    }
  });

  it('MEM-9: remember, search, recall and close do not wait for a model that never loads', async () => {
    const memory = await memoryOf({ name: newId(), embedder: hashEmbedder({ ready: never }) });
    await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    expect(await memory.search('dog')).toHaveLength(1);
    expect((await memory.recall('dog')).items).toHaveLength(1);
    await memory.close();
  });

  it('EMB-28: after a failure, the next turn embeds everything that is missing', async () => {
    const warnings: string[] = [];
    let isBroken = true;
    const embedder = hashEmbedder({
      before: () => {
        if (isBroken) throw new Error('out of memory');
      },
    });
    const memory = await memoryOf({ name: newId(), embedder, onWarning: ({ code }) => warnings.push(code) });
    await rememberTurns(memory, 3);
    await memory.work.settled();
    expect(warnings.length).toBeGreaterThan(0);
    expect(new Set(warnings)).toEqual(new Set(['model-unavailable']));
    expect(await memory.search('boats')).toHaveLength(3);
    isBroken = false;
    await rememberTurns(memory, 1, 3);
    await memory.work.settled();
    const found = await memory.search('question boats', { limit: 20 });
    expect(found.filter((each) => each.why['vector']).length).toBeGreaterThanOrEqual(4);
  });

  it('EMB-32: two tabs with different models keep both sets of vectors until one model is no longer used', async () => {
    const name = newId();
    const embedders = ['old', 'new'].map((id) => hashEmbedder({ id }));
    const [one, two] = await Promise.all(embedders.map((embedder) => memoryOf({ name, embedder })));
    if (!one || !two) throw new Error('not opened');
    const settled = async (): Promise<void> => {
      for (const memory of [one, two, one, two]) await memory.work.settled();
    };
    const idsOf = async (embedder: string): Promise<number> => {
      const { vectors = [] } = await dump(name);
      const blocks = vectors as { embedder: string; ids: string[] }[];
      return blocks.flatMap((block) => (block.embedder === embedder ? block.ids : [])).length;
    };
    for (let turn = 0; turn < 4; turn++) {
      await rememberTurns(turn % 2 === 0 ? one : two, 1, turn);
      await eventually(async () => {
        await settled();
        expect([await idsOf('old'), await idsOf('new')]).toEqual([2 * turn + 2, 2 * turn + 2]);
      });
    }
    const reloaded = hashEmbedder({ id: 'old' });
    await one.close();
    const again = await memoryOf({ name, embedder: reloaded });
    await again.work.settled();
    expect(reloaded.documents).toEqual([]);
    await again.close();
    await rememberTurns(two, 1, 4);
    await two.work.settled();
    expect([await idsOf('old'), await idsOf('new')]).toEqual([0, 10]);
    expect(embedders.map(({ documents }) => documents.length)).toEqual([8, 10]);
  });

  it('EMB-31: a different embedder embeds everything again, while keyword search continues and old vectors are kept', async () => {
    const name = newId();
    const first = await memoryOf({ name, embedder: hashEmbedder({ id: 'old' }) });
    await rememberTurns(first, 5);
    await first.work.settled();
    await first.close();
    let release: (value?: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    const embedder = hashEmbedder({
      id: 'new',
      dimensions: 16,
      before: (_texts, kind) => (kind === 'document' ? held : undefined),
    });
    const second = await memoryOf({ name, embedder });
    const byWords = await second.search('boats');
    expect(byWords).toHaveLength(5);
    expect(byWords.every((each) => each.why['vector'] === undefined)).toBe(true);
    expect(await vectorIds(name)).toHaveLength(10);
    await eventually(() => expect(embedder.documents).toHaveLength(10));
    await second.forget({ turnId: byWords[0]?.message.turnId ?? '' });
    expect(await vectorIds(name)).toHaveLength(8);
    release();
    await second.work.settled();
    expect(new Set(embedder.documents).size).toBe(10);
    expect(await vectorIds(name)).toHaveLength(8);
    const { vectors: blocks = [] } = await dump(name);
    expect((blocks as { embedder: string }[]).map((block) => block.embedder)).toEqual(['new']);
    expect((await second.search('boats'))[0]?.why).toHaveProperty('vector');
    const { turnId } = await second.remember({ user: 'x', assistant: 'y' });
    await second.work.settled();
    await second.forget({ everything: true });
    expect(await vectorIds(name)).toEqual([]);
    expect(turnId).not.toBe('');
  });

  it('EMB-33: invalid vectors are not stored, and search continues by keywords', async () => {
    const broken = [
      (): Float32Array => new Float32Array([Number.NaN, 1]),
      (): Float32Array => new Float32Array(0),
      (text: string): Float32Array => new Float32Array(text.length),
      (): undefined => undefined,
    ];
    for (const vectorOf of broken) {
      const name = newId();
      const warnings: string[] = [];
      const embedder = {
        ...hashEmbedder(),
        embed: async (texts: readonly string[]) => texts.map((text) => vectorOf(text) as Float32Array),
      };
      const memory = await memoryOf({ name, embedder, onWarning: ({ code }) => warnings.push(code) });
      await memory.remember({ user: 'a long boat', assistant: 'ok' });
      await memory.work.settled();
      expect(await memory.search('boat')).toHaveLength(1);
      expect((await memory.recall('boat')).items).toHaveLength(1);
      expect(await vectorIds(name)).toEqual([]);
      expect(warnings).toContain('model-unavailable');
    }
  });

  it('EMB-34: an embedder that keeps its id but changes its dimensions raises a warning, and keywords are used', async () => {
    const name = newId();
    const first = await memoryOf({ name, embedder: hashEmbedder({ dimensions: 64 }) });
    await rememberTurns(first, 2);
    await first.work.settled();
    await first.close();
    const warnings: string[] = [];
    const onWarning = ({ code }: { code: string }): void => void warnings.push(code);
    const memory = await memoryOf({ name, embedder: hashEmbedder({ dimensions: 16 }), onWarning });
    await rememberTurns(memory, 1, 2);
    await memory.work.settled();
    expect(await memory.search('boats')).toHaveLength(3);
    expect(new Set(warnings)).toEqual(new Set(['model-unavailable']));
  });

  it('REC-41: an aborted search does not wait for an embedder that ignores the signal', async () => {
    const embedder = hashEmbedder({ before: (_texts, kind) => (kind === 'query' ? never() : undefined) });
    const memory = await memoryOf({ name: newId(), embedder });
    await rememberTurns(memory, 1);
    await memory.work.settled();
    const abort = new AbortController();
    const searching = memory.search('boats', { signal: abort.signal });
    const recalling = memory.recall('boats', { signal: abort.signal });
    const reason = new Error('left');
    abort.abort(reason);
    const results = await Promise.allSettled([searching, recalling]);
    expect(results).toMatchObject([{ reason }, { reason }]);
  });

  it('EMB-35: loading the model raises progress events', async () => {
    const heard: number[] = [];
    const embedder = hashEmbedder();
    let start: (value?: unknown) => void = () => undefined;
    const started = new Promise((resolve) => (start = resolve));
    const memory = await memoryOf({
      name: newId(),
      embedder: {
        ...embedder,
        ready: async (options) => {
          await started;
          options?.onProgress?.({ file: 'model', loadedBytes: 5 });
          return { dimensions: 64 };
        },
      },
    });
    memory.addEventListener('progress', ({ detail }) => heard.push(detail.loadedBytes));
    start();
    await memory.work.settled();
    expect(heard).toEqual([5]);
  });

  it('MEM-13: a turn remembered while the memory is closing is stored and acknowledged', async () => {
    const name = newId();
    const memory = await memoryOf({ name, embedder: hashEmbedder(), sessionId: 's' });
    const saved = memory.remember({ user: 'last words', assistant: 'ok' });
    const [result] = await Promise.allSettled([saved, memory.close()]);
    const reopened = await memoryOf({ name, embedder: false, sessionId: 's' });
    const stored = await reopened.history();
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'storage-closed' });
    expect(stored).toHaveLength(result.status === 'fulfilled' ? 2 : 0);
  });
});

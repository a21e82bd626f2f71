import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { gossipingLLM } from '../../fakes/gossiping-llm.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

const CANARY = 'Zyxquark';

async function everything(name: string, ...memories: Memory[]): Promise<string> {
  const parts = [JSON.stringify(await dump(name))];
  for (const memory of memories) {
    parts.push(JSON.stringify(await memory.facts.list({ includeHistory: true })));
    parts.push(JSON.stringify(await memory.facts.entities()));
    parts.push(JSON.stringify(await memory.summary()));
    parts.push(JSON.stringify(await memory.history()));
    parts.push(JSON.stringify((await memory.facts.graph()).toJSON()));
    parts.push(JSON.stringify(await memory.search('what was spoken of')));
    parts.push(JSON.stringify((await memory.recall('What was spoken of, and where is Sam?')).messages));
    parts.push(await (await memory.backup.export()).text());
  }
  return parts.join('\n').toLowerCase();
}

async function talk(memory: Memory): Promise<{ turnId: string; messageIds: string[] }> {
  await memory.remember({ user: 'I met Sam in Lisbon.', assistant: 'How nice.' });
  const receipt = await memory.remember({
    user: `I work at ${CANARY}. Sam works at ${CANARY}, too.`,
    assistant: `I keep ${CANARY} to myself.`,
  });
  for (let turn = 0; turn < 12; turn++) {
    await memory.remember({ user: `What else is new in Lisbon, ${turn}?`, assistant: 'Nothing.' });
  }
  await memory.work.settled();
  return receipt;
}

describe.each([
  ['by rules', {}],
  ['by a model that repeats everything', { llm: gossipingLLM }],
])('a turn that was enriched, summarized and forgotten, %s', (_how, options) => {
  it('FGT-14: nothing of a forgotten turn is left in any store, graph, index, summary, prompt or export, in either tab', async () => {
    const name = newId();
    const shared = { name, sessionId: 's', learning: { ...options, delayMs: 20 }, embedder: hashEmbedder() };
    const here = await memoryOf(shared);
    const there = await memoryOf(shared);
    const { turnId } = await talk(here);
    await there.work.settled();
    const canary = CANARY.toLowerCase();
    expect((await everything(name, here, there)).split(canary).length).toBeGreaterThan(20);
    const receipt = await there.forget({ turnId });
    expect(receipt).toMatchObject({ messages: 2, turns: 1, summaries: 1 });
    expect(receipt.facts).toBeGreaterThan(0);
    expect(await everything(name, here, there)).not.toContain(canary);
    await here.work.settled();
    await there.work.settled();
    // The summary was made again, of what is left.
    expect((await here.summary())?.text).toContain('Lisbon');
    await here.backup.rebuild();
    expect(await everything(name, here, there)).not.toContain(canary);
    expect((await here.facts.list()).length).toBeGreaterThan(0);
  });

  it('FGT-17: a forgotten entity is not learned again from its turns, but from a new one', async () => {
    const name = newId();
    const memory = await memoryOf({ name, learning: { ...options, delayMs: 0 } });
    await memory.remember({ user: 'Sam lives in Lisbon.', assistant: 'Ah.' });
    await memory.work.settled();
    expect((await memory.facts.entities()).map((entity) => entity.name)).toContain('Sam');
    const receipt = await memory.forget({ entity: "sam's" });
    expect(receipt).toMatchObject({ messages: 0, entities: 1 });
    expect(receipt.facts).toBeGreaterThan(0);
    expect(await memory.history()).toHaveLength(2);
    await memory.backup.rebuild();
    expect((await memory.facts.entities()).map((entity) => entity.name)).not.toContain('Sam');
    expect(await memory.facts.list({ about: 'Sam' })).toEqual([]);
    expect(JSON.stringify((await dump(name))['tombstones'])).not.toMatch(/sam/i);
    await memory.remember({ user: 'Sam lives in Lisbon.', assistant: 'Ah.' });
    await memory.work.settled();
    expect((await memory.facts.list({ about: 'Sam' })).length).toBeGreaterThan(0);
  });
});

describe('forgetting facts and entities', () => {
  it('FGT-18: forgetting an entity with its turns erases all of it, the turns in one transaction', async () => {
    const name = newId();
    const memory = await memoryOf({ name, learning: { delayMs: 0 } });
    await memory.remember({ user: 'Sam lives in Lisbon.', assistant: 'Ah.' });
    await memory.remember({ user: 'Sam likes Fado.', assistant: 'Sad songs.' });
    await memory.remember({ user: 'I live in Paris.', assistant: 'Oh.' });
    await memory.work.settled();
    expect(await memory.forget({ entity: 'Sam', turns: true })).toMatchObject({ turns: 2, messages: 4 });
    const removals = ((await dump(name))['changes'] as { kind: string }[]).filter(
      ({ kind }) => kind === 'removed',
    );
    expect(removals).toHaveLength(1);
    expect((await memory.history()).map((message) => message.content)).toEqual(['I live in Paris.', 'Oh.']);
    expect(await memory.search('Lisbon')).toEqual([]);
  });

  it('FGT-20: a forgotten fact is not learned again from its message, and others from it are kept', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await memory.remember({ user: 'I live in Paris and I work at Acme.', assistant: 'Oh.' });
    await memory.work.settled();
    const [home] = await memory.facts.list({ about: 'Paris' });
    await memory.forget({ factId: home?.id ?? '' });
    await memory.backup.rebuild();
    expect((await memory.facts.list()).map((fact) => fact.object)).toEqual(['Acme']);
  });

  it('FACT-9: unknown ids and invalid names are rejected and nothing changes', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await memory.remember({ user: 'I live in Paris.', assistant: 'Oh.' });
    await memory.work.settled();
    const before = await memory.facts.list();
    const wrong = { code: 'invalid-input' };
    await expect(memory.forget({ entity: 'Nobody' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(memory.forget({ factId: 'none' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(memory.forget({ entity: ' ' })).rejects.toMatchObject(wrong);
    await expect(memory.forget({ entity: 'Paris', factId: 'x' } as never)).rejects.toMatchObject(wrong);
    await expect(memory.forget({ turnId: 'x', turns: true } as never)).rejects.toMatchObject(wrong);
    await expect(memory.facts.correct('none', { object: 'Rome' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(memory.facts.correct(before[0]?.id ?? '', {})).rejects.toMatchObject(wrong);
    await expect(memory.facts.correct(before[0]?.id ?? '', { object: ' ' })).rejects.toMatchObject(wrong);
    await expect(memory.facts.correct(before[0]?.id ?? '', { colour: 'x' } as never)).rejects.toMatchObject({
      code: 'invalid-option',
    });
    await expect(memory.facts.pin('none')).rejects.toMatchObject({ code: 'not-found' });
    await expect(memory.work.retry(99)).rejects.toMatchObject({ code: 'not-found' });
    expect(await memory.facts.list()).toEqual(before);
  });
});

describe('user edits of a fact', () => {
  it('FACT-10: a correction replaces the fact, which stays in the history as one that never held', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await memory.remember({ user: 'I live in Paris.', assistant: 'Oh.' });
    await memory.work.settled();
    const [wrong] = await memory.facts.list();
    const corrected = await memory.facts.correct(wrong?.id ?? '', { object: 'Rome' });
    expect(corrected).toMatchObject({
      subject: 'user',
      predicate: 'lives in',
      object: 'Rome',
      source: 'user',
    });
    expect(await memory.facts.list()).toEqual([corrected]);
    const [history] = await memory.facts.list({ includeHistory: true });
    expect(history).toMatchObject({ object: 'Paris', supersededBy: corrected.id });
    expect(history?.validTo).toBe(history?.validFrom);
    const { text } = await memory.session(newId()).recall('Where do I live?');
    expect(text).toContain('user lives in Rome');
    expect(text).not.toContain('user lives in Paris');
  });

  it('FACT-13: a pinned fact is in every context until it is unpinned', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await memory.remember({ user: 'I am allergic to nuts.', assistant: 'Oh.' });
    await memory.work.settled();
    const [allergy] = await memory.facts.list();
    await memory.facts.pin(allergy?.id ?? '');
    const other = memory.session(newId());
    const pinned = (await other.recall('Good morning!')).items.filter(({ kind }) => kind === 'pinned');
    expect(pinned.map(({ factId }) => factId)).toEqual([allergy?.id]);
    expect((await memory.facts.list())[0]).toMatchObject({ isPinned: true });
    await memory.facts.unpin(allergy?.id ?? '');
    expect((await other.recall('Good morning!')).items.filter(({ kind }) => kind === 'pinned')).toEqual([]);
  });

  it('LRN-5: rebuild gives the same facts, entities and summary, and keeps corrections and pins', async () => {
    let now = 1_700_000_000_000;
    const memory = await memoryOf({ learning: { delayMs: 0 }, clock: () => (now += 60_000), sessionId: 's' });
    const said = ['I live in Paris.', 'My dog is called Max.', 'Sam works at Acme.', 'I moved to Rome.'];
    for (const [turn, user] of said.entries()) {
      await memory.remember({ user, assistant: `Noted, ${turn}.` });
      if (turn % 2) await memory.work.settled();
    }
    for (let turn = 0; turn < 10; turn++) {
      await memory.remember({ user: `I like fruit number ${turn}.`, assistant: 'Fine.' });
    }
    await memory.work.settled();
    const find = async (object: string): Promise<string> =>
      (await memory.facts.list()).find((fact) => fact.object === object)?.id ?? '';
    await memory.facts.correct(await find('Acme'), { object: 'Bolt' });
    await memory.facts.pin(await find('Max'));
    const state = async (): Promise<unknown> => ({
      facts: (await memory.facts.list({ includeHistory: true }))
        .map(({ id: _id, recordedAt: _r, retractedAt, supersededBy, ...rest }) => ({
          ...rest,
          isSuperseded: supersededBy !== undefined,
          isRetracted: retractedAt !== undefined,
        }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      entities: (await memory.facts.entities()).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      summary: { ...(await memory.summary()), updatedAt: 0 },
    });
    const before = await state();
    await memory.backup.rebuild();
    expect(await state()).toEqual(before);
  });
});

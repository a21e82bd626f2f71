import { describe, expect, it } from 'vitest';
import type { Memory, ForgetSelector } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { gossipingLLM } from '../../fakes/gossiping-llm.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

const CANARY = 'Zyxquark';
const FOUND = new RegExp(CANARY, 'i');

/** The stores that hold turns as they were said, and how to find them. */
const OF_TURNS = ['messages', 'postings', 'vectors'];

async function naming(name: string): Promise<{ turns: number; stores: string[] }> {
  const stores = await dump(name);
  const rows = (stores['messages'] ?? []) as { turnId: string }[];
  return {
    turns: new Set(rows.filter((row) => FOUND.test(JSON.stringify(row))).map(({ turnId }) => turnId)).size,
    stores: Object.keys(stores).filter(
      (store) => !OF_TURNS.includes(store) && FOUND.test(JSON.stringify(stores[store])),
    ),
  };
}

/** All that is derived, as a page gets to see it. */
async function derived(memory: Memory): Promise<string> {
  const sessions = await memory.sessions();
  return JSON.stringify([
    sessions.map(({ title }) => title),
    await memory.facts.list({ includeHistory: true, includeUnconfirmed: true }),
    await memory.facts.entities(),
    await Promise.all(sessions.map(({ id }) => memory.summary({ sessionId: id }))),
    await memory.profile(),
    (await memory.facts.graph()).toJSON(),
  ]);
}

async function everything(name: string, memory: Memory): Promise<string> {
  return [
    JSON.stringify(await dump(name)),
    await derived(memory),
    JSON.stringify(await memory.history()),
    JSON.stringify(await memory.search('who was spoken of, and what is their number')),
    JSON.stringify((await memory.recall('Who was spoken of, and where is Sam?')).messages),
    await (await memory.backup.export()).text(),
  ].join('\n');
}

/** Turns that name it in text, in a tool's call, in a tool's answer and in metadata; two of them open their session. */
async function talk(memory: Memory): Promise<void> {
  await memory.remember({ user: `${CANARY} called me today.`, assistant: 'What about?' });
  await memory.remember({ user: 'I live in Lisbon. I met Sam there.', assistant: 'How nice.' });
  await memory.remember({
    user: `I work at ${CANARY}. Sam works at ${CANARY}, too. I love sailing.`,
    assistant: `I keep ${CANARY.toLowerCase()} to myself.`,
  });
  await memory.remember({
    messages: [
      { role: 'user', content: 'Find the number.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'find', arguments: `{"text":"\\n${CANARY}"}` } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: '4711' },
      { role: 'assistant', content: 'It is 4711.' },
    ],
  });
  await memory.remember({ user: 'And this page?', assistant: 'Read.' }, { metadata: { from: CANARY } });
  await memory
    .session('alone')
    .remember({ user: `Tell ${CANARY.toUpperCase()}'s aunt.`, assistant: 'I cannot.' });
  for (let turn = 0; turn < 12; turn++) {
    await memory.remember({ user: `What else is new in Lisbon, ${turn}?`, assistant: 'Nothing.' });
  }
  await memory.work.settled();
}

const NAMING_TURNS = 5;

describe.each([
  ['by rules', {}],
  ['by a model that repeats everything', { llm: gossipingLLM }],
])('an entity that is forgotten by name, %s', (_how, options) => {
  const opened = async (): Promise<{ name: string; here: Memory; there: Memory }> => {
    const name = newId();
    const shared = { name, sessionId: 's', learning: { ...options, delayMs: 0 }, embedder: hashEmbedder() };
    const here = await memoryOf(shared);
    const there = await memoryOf(shared);
    await talk(here);
    await there.work.settled();
    return { name, here, there };
  };

  it('FGT-15: the name of a forgotten entity is only in turns, as many as receipt and preview say, even after a rebuild', async () => {
    const { name, here, there } = await opened();
    expect((await naming(name)).stores).toEqual(
      expect.arrayContaining(['sessions', 'entities', 'triples', 'claims']),
    );
    const preview = await here.forget({ entity: CANARY }, { preview: true });
    const receipt = await there.forget({ entity: CANARY });
    expect(receipt).toEqual(preview);
    expect(receipt).toMatchObject({ turns: 0, messages: 0, turnsStillNaming: NAMING_TURNS });
    for (const memory of [here, there]) expect(await derived(memory)).not.toMatch(FOUND);
    expect(await naming(name)).toEqual({ turns: NAMING_TURNS, stores: [] });
    await here.work.settled();
    await here.backup.rebuild();
    for (const memory of [here, there]) {
      await memory.work.settled();
      expect(await derived(memory)).not.toMatch(FOUND);
    }
    expect(await naming(name)).toEqual({ turns: NAMING_TURNS, stores: [] });
    const titles = new Map((await here.sessions()).map(({ id, title }) => [id, title]));
    expect(titles).toEqual(
      new Map([
        ['s', 'I live in Lisbon. I met Sam there.'],
        ['alone', ''],
      ]),
    );
    expect(JSON.stringify(await here.facts.list())).toMatch(/Lisbon/);
  });

  it('FGT-16: the name of an entity forgotten with its turns is nowhere, in either tab', async () => {
    const { name, here, there } = await opened();
    const preview = await there.forget({ entity: CANARY, turns: true }, { preview: true });
    expect(await naming(name)).toMatchObject({ turns: NAMING_TURNS });
    const receipt = await here.forget({ entity: CANARY, turns: true });
    expect(receipt).toEqual(preview);
    expect(receipt.turnsStillNaming).toBe(0);
    // A model may have made facts of it from turns that do not name it: they go as well.
    expect(receipt.turns).toBeGreaterThanOrEqual(NAMING_TURNS);
    for (const memory of [here, there]) expect(await everything(name, memory)).not.toMatch(FOUND);
    await here.backup.rebuild();
    await there.work.settled();
    for (const memory of [here, there]) expect(await everything(name, memory)).not.toMatch(FOUND);
  });

  it('FGT-25: an older backup restores neither the name nor what was forgotten of it', async () => {
    const { name, here } = await opened();
    const backup = await here.backup.export();
    await here.forget({ entity: CANARY });
    await here.work.settled();
    const before = await (await here.backup.export()).text();
    await here.backup.import(backup);
    expect(await derived(here)).not.toMatch(FOUND);
    expect(await naming(name)).toEqual({ turns: NAMING_TURNS, stores: [] });
    await here.work.settled();
    expect(await derived(here)).not.toMatch(FOUND);
    expect((await (await here.backup.export()).text()).length).toBeLessThanOrEqual(before.length * 1.2);
    const other = await memoryOf({ learning: { ...options, delayMs: 0 }, sessionId: 's' });
    await other.backup.import(backup);
    await other.work.settled();
    await other.backup.import(await here.backup.export());
    expect(await derived(other)).not.toMatch(FOUND);
    await other.work.settled();
    expect(await derived(other)).not.toMatch(FOUND);
  });
});

it('FGT-3: a preview returns the receipt for every selector and changes nothing', async () => {
  const name = newId();
  const memory = await memoryOf({ name, sessionId: 's', learning: { delayMs: 0 }, embedder: hashEmbedder() });
  await talk(memory);
  const [message] = await memory.history();
  const [fact] = await memory.facts.list();
  const selectors: ForgetSelector[] = [
    { factId: fact?.id ?? '' },
    { messageId: message?.id ?? '' },
    { turnId: message?.turnId ?? '' },
    { entity: 'Sam' },
    { entity: CANARY, turns: true },
    { sessionId: 'alone' },
    { before: (message?.createdAt ?? 0) + 1 },
    { everything: true },
  ];
  for (const selector of selectors) {
    const before = await dump(name);
    const preview = await memory.forget(selector, { preview: true });
    expect(await dump(name)).toEqual(before);
    expect(await memory.forget(selector, { preview: false })).toEqual(preview);
    await memory.work.settled();
  }
});

it('FGT-4: unknown options of forgetting and invalid values are rejected', async () => {
  const memory = await memoryOf();
  const wrong = { code: 'invalid-option' };
  await expect(memory.forget({ everything: true }, { previw: true } as never)).rejects.toMatchObject(wrong);
  await expect(memory.forget({ everything: true }, { preview: 1 } as never)).rejects.toMatchObject(wrong);
  await expect(memory.forget({ everything: true }, null as never)).rejects.toMatchObject(wrong);
  await expect(memory.forget({ entity: 'Nobody' }, { preview: true })).rejects.toMatchObject({
    code: 'not-found',
  });
});

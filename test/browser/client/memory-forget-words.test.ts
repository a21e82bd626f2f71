import { describe, expect, it, vi } from 'vitest';
import { anthropicMemoryHandlers } from '../../../src/integrations/ai-sdk.ts';
import { openDatabase, type ForgetSelector, type Memory } from '../../../src/index.ts';
import { nameMatcher } from '../../../src/graph/name-matcher.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

async function knowing(
  said: readonly string[],
  { sessionId = 's', name = newId() }: { sessionId?: string; name?: string } = {},
): Promise<{ name: string; memory: Memory }> {
  const memory = await memoryOf({ name, sessionId, learning: { delayMs: 0 }, embedder: hashEmbedder() });
  for (const user of said) await memory.remember({ user, assistant: 'I see.' });
  await memory.work.settled();
  return { name, memory };
}

/** The stores that contain a text. */
async function holding(name: string, text: string): Promise<string[]> {
  const stores = await dump(name);
  return Object.keys(stores)
    .filter((store) => JSON.stringify(stores[store]).toLowerCase().includes(text.toLowerCase()))
    .toSorted();
}

const TURNS = { turns: true } as const;

describe('forgetting a name that stands in a turn', () => {
  it('FGT-60: an entity that was forgotten by name can be forgotten again with its turns', async () => {
    const { name, memory } = await knowing(['My friend Zanzibarq lives in Oslo.', 'I met Zanzibarq today.']);
    expect(await memory.forget({ entity: 'Zanzibarq' })).toMatchObject({ entities: 1, turnsStillNaming: 2 });
    const again = await memory.forget({ entity: 'Zanzibarq' });
    expect(again).toMatchObject({ facts: 0, entities: 0, turns: 0, turnsStillNaming: 2 });
    const tombstones = ((await dump(name))['tombstones'] ?? []).length;
    await memory.forget({ entity: 'Zanzibarq' });
    expect((await dump(name))['tombstones']).toHaveLength(tombstones);
    expect(await memory.forget({ entity: 'Zanzibarq', ...TURNS })).toMatchObject({
      turns: 2,
      turnsStillNaming: 0,
    });
    expect(await holding(name, 'zanzibarq')).toEqual([]);
    for (const selector of [{ entity: 'Zanzibarq' }, { text: 'Zanzibarq' }, { text: 'Zanzibarq', ...TURNS }])
      await expect(memory.forget(selector)).rejects.toMatchObject({
        code: 'not-found',
        message: 'No stored data contains "Zanzibarq". Nothing was changed.',
      });
  });

  it.each([
    ['Will', 'My friend Will plays chess.'],
    ['May', 'I called May yesterday.'],
    ['C++', 'We talked about C++ for hours.'],
    ['花子', '昨日花子と話した。'],
    ['a.b', 'The file is a.b here.'],
    ['user7777', 'ask user7777 about it'],
    ['🦄', 'My 🦄 is ill.'],
    ['zanzibarq', 'met zanzibarq yesterday'],
    ['Zanzibarq', 'Gestern habe ich Zanzibarq getroffen.'],
    ['.*', 'The pattern was .* I think.'],
  ])('FGT-60: %s goes by entity and by text, whether it was learned or not', async (called, sentence) => {
    const { name, memory } = await knowing([sentence, 'I love sailing.']);
    for (const selector of [
      { entity: called, ...TURNS },
      { text: called, ...TURNS },
    ]) {
      expect(await memory.forget(selector, { preview: true })).toMatchObject({ turns: 1 });
    }
    await memory.forget({ text: called });
    expect(await holding(name, called)).not.toEqual(expect.arrayContaining(['sessions']));
    expect(await memory.forget({ text: called, ...TURNS })).toMatchObject({ turns: 1, turnsStillNaming: 0 });
    expect(await holding(name, called)).toEqual([]);
    expect(await memory.history()).toHaveLength(2);
  });
});

it('FGT-61: what was derived from words goes with them, is not learned again, and the turns stay unless asked', async () => {
  const { name, memory } = await knowing([
    'I live in Lisbon. My sister Mara likes tea.',
    'I work at Acme.',
    'My home is Lisbon.',
  ]);
  const objects = async (): Promise<string[]> =>
    (await memory.facts.list()).map(({ object }) => object).toSorted();
  expect(await objects()).toEqual(expect.arrayContaining(['Acme', 'Lisbon']));
  const preview = await memory.forget({ text: 'I live in Lisbon.' }, { preview: true });
  const receipt = await memory.forget({ text: 'I live in Lisbon.' });
  expect(receipt).toEqual(preview);
  expect(receipt).toMatchObject({ turns: 0, turnsStillNaming: 1 });
  expect(receipt.facts).toBeGreaterThan(0);
  const derived = async (): Promise<string> => {
    const { triples, statements, sessions } = await dump(name);
    return JSON.stringify([triples, statements, sessions, await memory.profile()]);
  };
  expect(await derived()).not.toContain('live in Lisbon');
  expect(await derived()).toContain('Mara');
  await memory.backup.rebuild();
  await memory.work.settled();
  expect(await derived()).not.toContain('live in Lisbon');
  expect(await objects()).toContain('Acme');
  expect(await memory.forget({ text: 'I live in Lisbon.', ...TURNS })).toMatchObject({ turns: 1 });
  expect(await holding(name, 'live in Lisbon')).toEqual([]);
});

it.each(['Yahoo!', '.NET', 'C++', 'O.J.', '+4915112345', '"Zanzi"'])(
  'FGT-61: %s, with marks that belong to it, is not learned again, nor does an older backup bring it back',
  async (called) => {
    const { name, memory } = await knowing([`I work at ${called}, in Oslo.`, `We met ${called}.`]);
    const backup = await memory.backup.export();
    await memory.forget({ entity: called });
    await memory.backup.rebuild();
    await memory.backup.import(backup);
    await memory.work.settled();
    const { triples, entities, statements, summaries } = await dump(name);
    expect(JSON.stringify([triples, entities, statements, summaries])).not.toContain(
      JSON.stringify(called).slice(1, -1),
    );
  },
);

it('FGT-60: a name in metadata, under any field, as a number, and beside a data URL is found', async () => {
  const { memory } = await knowing(['I love sailing.']);
  const tell = (user: string, metadata: Record<string, unknown>): Promise<unknown> =>
    memory.remember({ user, assistant: 'I see.' }, { metadata });
  await tell('Hello.', { status: 'with Zanzibarq', type: 'text' });
  await tell('Hi.', { phone: 4915112345678 });
  await tell('data:image/png;base64,iVBORw0KGgo Zaphod lives in Oslo.', {});
  for (const text of ['Zanzibarq', '4915112345678', 'Zaphod'])
    expect(await memory.forget({ text, ...TURNS })).toMatchObject({ turns: 1, turnsStillNaming: 0 });
  expect(await memory.history()).toHaveLength(2);
});

it('FGT-63: a name whose words are joined by marks is counted as near', async () => {
  const { memory } = await knowing(['The file is anna_zanzibarq.txt.', 'I met Anna Zanzibarq.']);
  expect(await memory.forget({ text: 'Anna Zanzibarq', ...TURNS })).toMatchObject({
    turns: 1,
    turnsNear: 1,
  });
});

describe('near forms', () => {
  it.each([
    ['upper case', 'ZANZIBARQ'],
    ['decomposed accents', 'Z\u0061\u0301nzibarq'],
    ['full width', 'Ｚａｎｚｉｂａｒｑ'],
    ['a soft hyphen', 'Zan\u00ADzibarq'],
    ['a zero-width space', 'Zan\u200Bzibarq'],
    ['a zero-width joiner', 'Zan\u200Dzibarq'],
    ['an HTML entity', 'Zan&#122;ibarq'],
    ['a hexadecimal HTML entity', 'Zan&#x7A;ibarq'],
    ['a named HTML entity', 'Z&aacute;nzibarq'],
    ['a soft hyphen as an HTML entity', 'Zan&shy;zibarq'],
    ['URL encoding', 'Zan%7Aibarq'],
    ['URL encoding, twice', 'Zan%257Aibarq'],
    ['an escape', String.raw`Zan\u007aibarq`],
    ['a possessive', 'Zanzibarq’s'],
    ['a control character', 'Zan\u0000zibarq'],
    ['an annotation mark', 'Zan\uFFF9zibarq'],
  ])('FGT-62: %s goes like the name itself', async (_how, written) => {
    const { name, memory } = await knowing([`My friend ${written} lives in Oslo.`, 'I love sailing.']);
    expect(await memory.forget({ entity: 'Zanzibarq' })).toMatchObject({ turnsStillNaming: 1 });
    const isNamed = nameMatcher(['Zanzibarq']);
    const derived = async (): Promise<string[]> => {
      const { statements = [], sessions = [], triples = [], entities = [] } = await dump(name);
      return [...statements, ...sessions, ...triples, ...entities].map((row) => JSON.stringify(row));
    };
    for (const row of await derived()) expect(isNamed(row)).toBe(false);
    await memory.backup.rebuild();
    await memory.work.settled();
    for (const row of await derived()) expect(isNamed(row)).toBe(false);
    expect(await memory.forget({ text: 'Zanzibarq', ...TURNS })).toMatchObject({ turns: 1 });
    expect(await holding(name, 'Oslo')).toEqual([]);
    expect(await memory.history()).toHaveLength(2);
  });

  it.each(['Zanzibarqs', 'Zanzibarqin', 'Zanzibarq2', 'myZanzibarq', 'ZANZIBARQEN'])(
    'FGT-63: a turn in which the name is only a part of %s stays, and is counted as near',
    async (written) => {
      const { memory } = await knowing([`We talked about ${written} today.`, 'I met Zanzibarq.']);
      expect(await memory.forget({ entity: 'Zanzibarq' }, { preview: true })).toMatchObject({
        turnsStillNaming: 1,
        turnsNear: 1,
      });
      expect(await memory.forget({ entity: 'Zanzibarq', ...TURNS })).toMatchObject({
        turns: 1,
        turnsNear: 1,
      });
      expect(await memory.history()).toHaveLength(2);
      expect(await memory.forget({ text: 'Zanzibarq', ...TURNS })).toMatchObject({ turns: 0, turnsNear: 1 });
      expect(await memory.forget({ text: written, ...TURNS })).toMatchObject({ turns: 1 });
      await expect(memory.forget({ text: 'Zanzibarq' })).rejects.toMatchObject({ code: 'not-found' });
    },
  );

  it('FGT-63: a turn that contains the name as a word, too, is not counted as near', async () => {
    const { memory } = await knowing(['Zanzibarq wants two Zanzibarqs.']);
    const receipt = await memory.forget({ entity: 'Zanzibarq' });
    expect(receipt).toMatchObject({ turnsStillNaming: 1 });
    expect(receipt).not.toHaveProperty('turnsNear');
  });
});

it('FGT-64: files of a memory tool and records that contain the name go, also without the turns', async () => {
  const { name, memory } = await knowing(['I met Zanzibarq.', 'I love sailing.']);
  const tool = anthropicMemoryHandlers(memory);
  await tool.create({ command: 'create', path: '/memories/zanzibarq.txt', file_text: 'a friend' });
  await tool.create({
    command: 'create',
    path: '/memories/people.txt',
    file_text: 'Zanzibarq is a friend.',
  } as never);
  await tool.create({ command: 'create', path: '/memories/other.txt', file_text: 'Sam is a friend.' });
  const [first] = await memory.history();
  const records = memory.records('app');
  await records.put('tied', { note: 'Zanzibarq' }, { messageIds: [first?.id ?? ''] });
  await records.put('free', { people: { Zanzibarq: { age: 4 } } });
  const preview = await memory.forget({ entity: 'Zanzibarq' }, { preview: true });
  expect(await memory.forget({ entity: 'Zanzibarq' })).toEqual(preview);
  expect(preview).toMatchObject({ records: 3, turns: 0, turnsStillNaming: 1 });
  expect((await records.list()).map(({ key }) => key)).toEqual(['tied']);
  expect(await memory.forget({ entity: 'Zanzibarq', ...TURNS })).toMatchObject({ records: 1, turns: 1 });
  expect(await holding(name, 'zanzibarq')).toEqual([]);
  expect(JSON.stringify((await dump(name))['records'])).toContain('Sam is a friend.');
});

it('FGT-64: a turn is named by a record of one of its messages, too', async () => {
  const { name, memory } = await knowing(['I met somebody.', 'I love sailing.']);
  const [first] = await memory.history();
  await memory
    .records('app')
    .put('row', { reasoning: 'That is Zanzibarq.' }, { messageIds: [first?.id ?? ''] });
  expect(await memory.forget({ text: 'Zanzibarq' })).toMatchObject({ turnsStillNaming: 1 });
  expect(await memory.forget({ text: 'Zanzibarq', ...TURNS })).toMatchObject({ turns: 1, records: 1 });
  expect(await holding(name, 'zanzibarq')).toEqual([]);
});

it('FGT-65: the lists of chat memories in the scope lose whole exchanges with the turns, and those of other scopes nothing', async () => {
  const { name, memory } = await knowing(['I love sailing.']);
  const database = await openDatabase({ name });
  const lists = database.chatMemoryStore();
  const list = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Who is it?' },
    { role: 'assistant', content: 'Zanzibarq.' },
    { role: 'user', content: 'Good.' },
    { role: 'assistant', content: 'Zanzibarqs are near.' },
  ] as const;
  await lists.updateMessages('s', [...list]);
  await lists.updateMessages('nobody', [...list]);
  expect(await memory.forget({ text: 'Zanzibarq' })).toMatchObject({ turnsStillNaming: 1, turnsNear: 1 });
  expect(await memory.forget({ text: 'Zanzibarq', ...TURNS })).toMatchObject({
    chatMessages: 2,
    turnsNear: 1,
  });
  expect((await lists.getMessages('s')).map(({ content }) => content)).toEqual([
    'Be kind.',
    'Good.',
    'Zanzibarqs are near.',
  ]);
  expect(await lists.getMessages('nobody')).toHaveLength(5);
  database.close();
});

it('FGT-66: text that is too short, too long or malformed is refused, and nothing changes', async () => {
  const { name, memory } = await knowing(['My friend Zanzibarq lives in Oslo.', 'X is unknown. 花 is ill.']);
  const before = await dump(name);
  const wrong: unknown[] = [
    'a',
    'X',
    '.',
    '  ',
    ' a ',
    'a\u200B',
    '',
    'a'.repeat(2_000_000),
    'a\uD800',
    7,
    null,
    {},
  ];
  for (const text of wrong) {
    for (const selector of [{ text }, { text, ...TURNS }] as ForgetSelector[]) {
      await expect(memory.forget(selector)).rejects.toMatchObject({ code: 'invalid-input' });
    }
  }
  for (const entity of ['x', '', 'a'.repeat(2_000_000), 'a\uD800'])
    await expect(memory.forget({ entity })).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await dump(name)).toEqual(before);
  expect(await memory.forget({ text: '花', ...TURNS })).toMatchObject({ turns: 1 });
});

it('FGT-67: what another tab says between the search and the erasure goes, too', async () => {
  const { name, memory } = await knowing(['I met Zanzibarq.']);
  const { memory: other } = await knowing([], { name });
  let told = false;
  const receipt = await memory.forget(
    { text: 'Zanzibarq', ...TURNS },
    {
      onProgress: () => {
        if (!told) void other.remember({ user: 'Zanzibarq called.', assistant: 'I see.' });
        told = true;
      },
    },
  );
  await other.work.settled();
  const left = await memory.history();
  expect(receipt.turns + left.length / 2).toBe(2);
  if (left.length > 0)
    expect(await memory.forget({ text: 'Zanzibarq', ...TURNS })).toMatchObject({ turns: 1 });
  expect(await holding(name, 'zanzibarq')).toEqual([]);
});

it('FGT-68: a search for words reads each row once, in slices, reports its progress, and ends with its signal', async () => {
  const name = newId();
  const memory = await memoryOf({ name, sessionId: 's', learning: false });
  const turns = 600;
  for (let n = 0; n < turns; n++) {
    await memory
      .session(`s${n % 3}`)
      .remember({ user: n === 7 ? 'I met Zanzibarq.' : `Turn ${n}.`, assistant: 'I see.' });
  }
  const rows = { messages: 0, transactions: 0 };
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  transaction.mockClear();
  const open = transaction.getMockImplementation();
  expect(open).toBeUndefined();
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function spied(
    this: IDBObjectStore,
    ...parameters
  ) {
    const request = originalGetAll.apply(this, parameters as never);
    if (this.name === 'messages') {
      request.addEventListener('success', () => {
        rows.messages += request.result.length;
      });
    }
    return request;
  });
  const progress: { done: number; total: number }[] = [];
  try {
    await memory.forget({ text: 'Zanzibarq' }, { preview: true, onProgress: (each) => progress.push(each) });
    rows.transactions = transaction.mock.calls.length;
  } finally {
    getAll.mockRestore();
    transaction.mockRestore();
  }
  expect(rows.messages).toBe(2 * turns);
  expect(rows.transactions).toBeLessThanOrEqual(Math.ceil((2 * turns) / 256) + 12);
  expect(progress.length).toBeGreaterThanOrEqual(Math.ceil((2 * turns) / 256));
  expect(progress.at(-1)).toEqual({ done: 2 * turns, total: 2 * turns });
  const before = await dump(name);
  const controller = new AbortController();
  const calls: number[] = [];
  const aborted = memory.forget(
    { text: 'Zanzibarq', ...TURNS },
    {
      signal: controller.signal,
      onProgress: ({ done }) => {
        calls.push(done);
        controller.abort();
      },
    },
  );
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls).toHaveLength(1);
  expect(await dump(name)).toEqual(before);
}, 120_000);

const originalGetAll = IDBObjectStore.prototype.getAll;

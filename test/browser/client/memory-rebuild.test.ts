import { expect, it, vi } from 'vitest';
import type { Extractor, Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { Knowledge } from '../../../src/storage/knowledge-store.ts';
import { RebuiltKnowledge } from '../../../src/storage/rebuilt/rebuilt-knowledge.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const TURNS = 60;
const BATCH = 4;

/** An extractor that learns one of the two words of each message, and that can be made to hang. */
interface Learner {
  readonly extractor: Extractor;
  /** Ids of the messages of each call. */
  readonly calls: string[][];
  /** Number of calls that are answered. Later ones hang until they are aborted. */
  answered: number;
}

function learner(word: 'Alpha' | 'Beta'): Learner {
  const self: Learner = {
    calls: [],
    answered: Infinity,
    extractor: {
      id: `takes ${word}`,
      batchTurns: BATCH,
      async extract({ messages, signal }) {
        const own = messages.filter(({ role }) => role === 'user');
        self.calls.push(own.map(({ id }) => id));
        if (self.calls.length > self.answered)
          await new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          });
        const triples = own.flatMap(({ id, text }) => {
          const [object] = new RegExp(`${word}\\d+`, 'u').exec(text) ?? [];
          return object === undefined
            ? []
            : [{ subject: 'user', predicate: 'likes', object, messageId: id, quote: object, supersedes: [] }];
        });
        return { mentions: [], triples, unreadable: 0 };
      },
      summarize: () => Promise.resolve('The user likes things.'),
    },
  };
  return self;
}

async function fill(memory: Memory, turns = TURNS): Promise<void> {
  for (let n = 0; n < turns; n += 1) {
    const said = { user: `I like Alpha${n} and Beta${n}.`, assistant: 'Noted.' };
    await memory.remember(said, { turnId: `t${n}`, createdAt: 1000 + n });
  }
  await memory.work.settled();
}

/** A memory whose facts name the first word of each message. */
async function filled(name: string): Promise<Memory> {
  const memory = await memoryOf({ name, learning: { extractor: learner('Alpha').extractor } });
  await fill(memory);
  return memory;
}

/** Tells what rules read. */
async function befriend(memory: Memory, turns: number): Promise<void> {
  for (let n = 0; n < turns; n += 1) {
    const said = { user: `My friend Maya Stone likes Alpha${n}.`, assistant: 'Noted.' };
    await memory.remember(said, { turnId: `t${n}` });
  }
  await memory.work.settled();
}

async function liked(memory: Memory): Promise<string[]> {
  return (await memory.facts.list()).map(({ object }) => object).toSorted();
}

const named = (word: string, turns = TURNS): string[] =>
  Array.from({ length: turns }, (_, n) => `${word}${n}`).toSorted();

/** Everything known, without the ids of this database. */
async function knownBy(memory: Memory): Promise<unknown> {
  return {
    facts: (await memory.facts.list()).map(({ subject, predicate, object }) => [subject, predicate, object]),
    claims: (await memory.claims.list()).map(({ text }) => text),
    entities: (await memory.facts.entities()).map((entity) => entity.name).toSorted(),
  };
}

it('LRN-26: while a rebuild is under way, the old facts and claims answer, and no call waits for it', async () => {
  const name = newId();
  await (await filled(name)).close();
  const again = learner('Beta');
  again.answered = 7;
  const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
  const claims = await memory.claims.list();
  const rebuilding = memory.backup.rebuild();
  await eventually(() => expect(again.calls.length).toBe(8));
  expect(await liked(memory)).toEqual(named('Alpha'));
  expect(await memory.claims.list()).toEqual(claims);
  const { items } = await memory.recall('Do I like Alpha3?');
  expect(JSON.stringify(items)).toContain('Alpha3');
  const other = await memoryOf({ name, learning: false });
  expect(await liked(other)).toEqual(named('Alpha'));
  again.answered = Infinity;
  await memory.close();
  await rebuilding.catch(() => undefined);
  const reopened = await memoryOf({ name, learning: { extractor: again.extractor } });
  await reopened.work.settled();
  expect(await liked(reopened)).toEqual(named('Beta'));
  expect(await liked(other)).toEqual(named('Beta'));
  expect((await reopened.claims.list()).map(({ id }) => id)).toEqual(claims.map(({ id }) => id));
  expect((await reopened.backup.verify()).problems).toEqual([]);
});

it('LRN-27: a page that is closed ten times during a rebuild loses nothing, and repeats no work but the call that was running', async () => {
  const [name, undisturbed] = [newId(), newId()];
  await (await filled(name)).close();
  await (await filled(undisturbed)).close();
  const again = learner('Beta');
  for (let visit = 0; visit < 10; visit += 1) {
    again.answered = again.calls.length + 1;
    const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
    if (visit === 0) memory.backup.rebuild().catch(() => undefined);
    const { answered } = again;
    await eventually(() => expect(again.calls.length).toBeGreaterThan(answered));
    expect(await liked(memory)).toEqual(named('Alpha'));
    await memory.close();
  }
  again.answered = Infinity;
  const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
  await memory.work.settled();
  const calls = TURNS / BATCH;
  expect(again.calls.length).toBe(calls + 10);
  expect(new Set(again.calls.flat()).size).toBe(TURNS);
  const straight = await memoryOf({ name: undisturbed, learning: { extractor: learner('Beta').extractor } });
  await straight.backup.rebuild();
  expect(await knownBy(memory)).toEqual(await knownBy(straight));
  expect(await liked(memory)).toEqual(named('Beta'));
  expect((await memory.backup.verify()).problems).toEqual([]);
});

it('LRN-28: a rebuild that changes nothing writes no fact and keeps the ids of all', async () => {
  const name = newId();
  const memory = await filled(name);
  const { triples, claims, entities } = await dump(name);
  const progress: number[] = [];
  await memory.backup.rebuild({ onProgress: ({ done }) => progress.push(done) });
  const after = await dump(name);
  expect(after['triples']).toEqual(triples);
  expect(after['claims']).toEqual(claims);
  expect(after['entities']).toEqual(entities);
  expect([progress[0], progress.at(-1)]).toEqual([0, TURNS]);
});

it('LRN-29: no transaction of a rebuild writes more than a slice of rows', async () => {
  const name = newId();
  await (await filled(name)).close();
  const commits = vi.spyOn(RebuiltKnowledge.prototype, 'commit');
  const uses = vi.spyOn(RebuiltKnowledge.prototype, 'use');
  const inUse = vi.spyOn(Knowledge.prototype, 'commit');
  try {
    const memory = await memoryOf({ name, learning: { extractor: learner('Beta').extractor } });
    await memory.work.settled(); // reads the claims again, because of the other extractor
    inUse.mockClear();
    await memory.backup.rebuild();
    const sizes = commits.mock.calls.map(([, { facts, claims }]) => facts.length + claims.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3 * BATCH);
    expect(commits.mock.calls.length).toBe(1 + TURNS / BATCH);
    for (const [{ facts, entities, claims, removedFacts, removedEntities }] of uses.mock.calls)
      expect(
        facts.length + entities.length + claims.length + removedFacts.length + removedEntities.length,
      ).toBeLessThanOrEqual(100);
    expect(inUse).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
  }
});

it('LRN-29: by rules, 16 turns are stored together, and a page that is closed in between ends with the same result', async () => {
  const name = newId();
  const turns = 40;
  const memory = await memoryOf({ name, learning: { delayMs: 0 } });
  await befriend(memory, turns);
  const known = await knownBy(memory);
  const stored = vi.spyOn(RebuiltKnowledge.prototype, 'storeGathered');
  const learned = vi.spyOn(RebuiltKnowledge.prototype, 'commit');
  try {
    await memory.backup.rebuild();
    // The beginning, two times 16 turns, and the rest.
    expect(stored).toHaveBeenCalledTimes(4);
    expect(learned.mock.calls.length).toBeGreaterThanOrEqual(turns);
    expect(await knownBy(memory)).toEqual(known);
    learned.mockClear();
    const rebuilding = memory.backup.rebuild().catch(() => undefined);
    await eventually(() => expect(learned.mock.calls.length).toBeGreaterThan(20));
    await memory.close();
    await rebuilding;
    learned.mockClear();
    const reopened = await memoryOf({ name, learning: { delayMs: 0 } });
    await reopened.work.settled();
    expect(learned.mock.calls.length).toBeLessThanOrEqual(turns - 16);
    expect(await knownBy(reopened)).toEqual(known);
    expect((await reopened.backup.verify()).problems).toEqual([]);
  } finally {
    vi.restoreAllMocks();
  }
});

it('LRN-30: what the user says, enters and corrects while a rebuild is under way is kept', async () => {
  const name = newId();
  await (await filled(name)).close();
  const again = learner('Beta');
  again.answered = 5;
  const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
  memory.backup.rebuild().catch(() => undefined);
  await eventually(() => expect(again.calls.length).toBe(6));
  const [wrong] = (await memory.facts.list()).filter(({ object }) => object === 'Alpha7');
  await memory.facts.correct(wrong?.id ?? '', { object: 'Gamma' });
  await memory.facts.add('I like Delta.');
  again.answered = Infinity;
  await memory.remember({ user: 'I like Alpha99 and Beta99.', assistant: 'Noted.' }, { turnId: 't99' });
  await memory.close();
  const reopened = await memoryOf({ name, learning: { extractor: again.extractor } });
  await reopened.work.settled();
  expect(await liked(reopened)).toEqual([...named('Beta'), 'Beta99', 'Delta', 'Gamma'].toSorted());
  expect((await reopened.backup.verify()).problems).toEqual([]);
  const backup = await reopened.backup.export();
  const there = await memoryOf({ learning: false });
  await there.backup.import(backup);
  expect(await liked(there)).toEqual(await liked(reopened));
});

it('LRN-31: a rebuild that has read a forgotten turn begins again, and keeps nothing of it', async () => {
  const name = newId();
  await (await filled(name)).close();
  for (const selector of [{ turnId: 't2' }, { entity: 'Beta3' }, { text: 'Beta4' }] as const) {
    const again = learner('Beta');
    again.answered = 5;
    const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
    memory.backup.rebuild().catch(() => undefined);
    await eventually(() => expect(again.calls.length).toBe(6));
    const rebuilt = async (): Promise<string> => JSON.stringify((await dump(name))['packedKnowledge']);
    expect(await rebuilt()).toContain('Beta5');
    await memory.forget(selector);
    expect(await rebuilt()).not.toContain('Beta');
    again.answered = Infinity;
    await memory.close();
    const reopened = await memoryOf({ name, learning: { extractor: again.extractor } });
    await reopened.work.settled();
    expect(await reopened.work.list()).toEqual([]);
    await reopened.close();
  }
  const memory = await memoryOf({ name, learning: false });
  const gone = new Set(['Beta2', 'Beta3', 'Beta4']);
  expect(await liked(memory)).toEqual(named('Beta').filter((each) => !gone.has(each)));
});

it('LRN-31: what was read of a forgotten turn and is not stored yet is not stored', async () => {
  const name = newId();
  const memory = await memoryOf({ name, learning: { delayMs: 0 } });
  await befriend(memory, 12);
  const otherTab = await memoryOf({ name, learning: false });
  for (const [n, selector] of [
    [2, { turnId: 't2' }],
    [3, { entity: 'Alpha3' }],
    [4, { text: 'Alpha4' }],
  ] as const) {
    const commit = vi.spyOn(RebuiltKnowledge.prototype, 'commit');
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const original = RebuiltKnowledge.prototype.storeGathered;
    let isForgotten = false;
    const store = vi
      .spyOn(RebuiltKnowledge.prototype, 'storeGathered')
      .mockImplementation(async function stopped(this: RebuiltKnowledge, ticket) {
        if (commit.mock.calls.length > 1 && !isForgotten) await released;
        return original.call(this, ticket);
      });
    try {
      const rebuilding = memory.backup.rebuild();
      // The beginning, and all turns, of which nothing is stored yet.
      await eventually(() => expect(commit.mock.calls.length).toBeGreaterThanOrEqual(12));
      await eventually(() => expect(store).toHaveBeenCalledTimes(2));
      await otherTab.forget(selector);
      isForgotten = true;
      goOn();
      await rebuilding;
    } finally {
      vi.restoreAllMocks();
    }
    const known = JSON.stringify([await knownBy(memory), (await dump(name))['packedKnowledge']]);
    expect(known).not.toContain(`Alpha${n}`);
    expect(known).toContain('Alpha5');
    expect((await memory.backup.verify()).problems).toEqual([]);
  }
});

it('LRN-31: a fact that is kept is not kept any longer once its turn is forgotten before it was read again', async () => {
  const name = newId();
  const first = await filled(name);
  const [last] = (await first.facts.list()).filter(({ object }) => object === `Alpha${TURNS - 1}`);
  await first.facts.pin(last?.id ?? '');
  await first.close();
  const again = learner('Beta');
  again.answered = 2;
  const memory = await memoryOf({ name, learning: { extractor: again.extractor } });
  memory.backup.rebuild().catch(() => undefined);
  await eventually(() => expect(again.calls.length).toBe(3));
  await memory.forget({ turnId: `t${TURNS - 1}` });
  again.answered = Infinity;
  await memory.close();
  const reopened = await memoryOf({ name, learning: { extractor: again.extractor } });
  await reopened.work.settled();
  expect(await liked(reopened)).toEqual(named('Beta', TURNS - 1));
});

it('LRN-32: a rebuild that fails rejects and leaves the facts as they are, and goes on when it is called again', async () => {
  const name = newId();
  await (await filled(name)).close();
  const again = learner('Beta');
  const { extract } = again.extractor;
  let isFailing = true;
  const failing: Extractor = {
    ...again.extractor,
    extract: (input) =>
      isFailing && again.calls.length >= 3 ? Promise.reject(new Error('unusable')) : extract(input),
  };
  const memory = await memoryOf({ name, learning: { extractor: failing } });
  await expect(memory.backup.rebuild()).rejects.toMatchObject({ code: 'learning-failed' });
  expect(await liked(memory)).toEqual(named('Alpha'));
  isFailing = false;
  await memory.backup.rebuild();
  expect(await liked(memory)).toEqual(named('Beta'));
  expect(again.calls.length).toBe(TURNS / BATCH);
  expect(await memory.work.list()).toEqual([]);
});

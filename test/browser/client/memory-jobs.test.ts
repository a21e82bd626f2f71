import { describe, expect, it } from 'vitest';
import type { Memory, LLM, MemoryJobEvent } from '../../../src/index.ts';
import { llmExtractor } from '../../../src/learning/llm/llm-extractor.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';

const CANARY = 'Quokka';

/** A model that can be made to wait, and learns one fact and one note from each message that names a canary. */
class HeldModel {
  readonly calls: ('learn' | 'summarise')[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  #held: (() => void)[] = [];
  #isHolding = true;
  #onCall: (() => void)[] = [];

  readonly llm: LLM = async ({ messages, responseFormat, signal }) => {
    const prompt = messages.map((message) => String(message.content)).join('\n');
    this.calls.push(responseFormat === 'json' ? 'learn' : 'summarise');
    this.signals.push(signal);
    for (const tell of this.#onCall.splice(0)) tell();
    if (this.#isHolding) await new Promise<void>((resolve) => this.#held.push(resolve));
    return { text: responseFormat === 'json' ? learn(prompt) : `Summary: ${told(prompt).join(' ')}` };
  };

  /** Resolves when that number of calls of a kind were made. */
  async called(kind: 'learn' | 'summarise', times = 1): Promise<void> {
    while (this.calls.filter((call) => call === kind).length < times) {
      await new Promise<void>((resolve) => this.#onCall.push(resolve));
    }
  }

  /** Answers what was asked, and what will be. */
  letGo(): void {
    this.#isHolding = false;
    for (const answer of this.#held.splice(0)) answer();
  }
}

function told(prompt: string): string[] {
  return [...prompt.matchAll(/Quokka\d+/g)].map(([word]) => word);
}

function learn(prompt: string): string {
  const lines = [...prompt.matchAll(/^\{"id":"(m\d+)".*$/gm)].map(
    ([line]) => JSON.parse(line) as { id: string; text: string },
  );
  const said = lines.flatMap(({ id, text }) => told(text).map((name) => ({ id, name })));
  return JSON.stringify({
    entities: said.map(({ id, name }) => ({ name, note: `${name} was told.`, message: id })),
    facts: said.map(({ id, name }) => ({ subject: 'user', predicate: 'likes', object: name, message: id })),
  });
}

const turn = (n: number): { user: string; assistant: string } => ({
  user: `I like ${CANARY}${n}.`,
  assistant: 'Good to know.',
});

async function holders(name: string): Promise<string[]> {
  return Object.entries(await dump(name)).flatMap(([store, rows]) =>
    JSON.stringify(rows).includes(CANARY) ? [store] : [],
  );
}

async function liked(memory: Memory): Promise<string[]> {
  return (await memory.facts.list({ about: 'me' })).map((fact) => fact.object).toSorted();
}

async function expectSound(memory: Memory): Promise<void> {
  expect((await memory.backup.verify()).problems).toEqual([]);
  expect(await memory.work.list()).toEqual([]);
}

/** Rejects where the wait takes longer. */
async function within(ms: number, wait: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not settled within ${ms} ms.`)), ms);
  });
  await Promise.race([wait, late]).finally(() => clearTimeout(timer));
}

describe('forgotten while the model is working on it', () => {
  it.each([
    [
      'each turn',
      async (memory: Memory, ids: string[]) => {
        for (const turnId of ids) await memory.forget({ turnId });
      },
    ],
    ['the session', (memory: Memory) => memory.forget({ sessionId: 's' })],
    ['what is older than a time', (memory: Memory) => memory.forget({ before: Infinity })],
    ['everything', (memory: Memory) => memory.forget({ everything: true })],
  ])(
    'FGT-28: %s: nothing of it appears, no warning is raised, and later work continues',
    async (_what, forget) => {
      const name = newId();
      const model = new HeldModel();
      const warnings: string[] = [];
      const memory = await memoryOf({
        name,
        learning: { llm: model.llm, delayMs: 60_000 },
        sessionId: 's',
        recentTurns: 1,
        onWarning: ({ code }) => warnings.push(code),
      });
      for (const n of [1, 2, 3]) await memory.remember(turn(n), { turnId: `t${n}` });
      const settling = memory.work.settled();
      await Promise.all([model.called('learn'), model.called('summarise')]);
      await forget(memory, ['t1', 't2', 't3']);
      model.letGo();
      await settling;
      expect(await holders(name)).toEqual([]);
      expect(warnings).toEqual([]);
      const before = model.calls.length;
      for (const n of [4, 5, 6]) await memory.remember(turn(n), { turnId: `t${n}` });
      await memory.work.settled();
      expect(await liked(memory)).toEqual(['Quokka4', 'Quokka5', 'Quokka6']);
      expect((await memory.summary())?.text).not.toMatch(/Quokka[123]/);
      expect(model.calls.length - before).toBeLessThanOrEqual(4);
      await expectSound(memory);
    },
  );

  it('FGT-29: when one of several turns is forgotten, the others are learned from and summarized without it', async () => {
    const model = new HeldModel();
    const memory = await memoryOf({
      learning: { llm: model.llm, delayMs: 60_000 },
      sessionId: 's',
      recentTurns: 1,
    });
    for (const n of [1, 2, 3, 4]) await memory.remember(turn(n), { turnId: `t${n}` });
    const settling = memory.work.settled();
    await Promise.all([model.called('learn'), model.called('summarise')]);
    await memory.forget({ turnId: 't2' });
    model.letGo();
    await settling;
    expect(await liked(memory)).toEqual(['Quokka1', 'Quokka3', 'Quokka4']);
    expect((await memory.facts.entities()).map((entity) => entity.name)).not.toContain('Quokka2');
    const text = (await memory.summary())?.text ?? '';
    expect(text).toContain('Quokka1');
    expect(text).not.toContain('Quokka2');
    await expectSound(memory);
  });

  it('FGT-31: forgetting a session removes its jobs', async () => {
    const memory = await memoryOf({ sessionId: 's', recentTurns: 1, learning: { delayMs: 60_000 } });
    for (const n of [1, 2, 3]) await memory.remember(turn(n));
    await memory.session('other').remember(turn(4));
    await memory.forget({ sessionId: 's' });
    expect((await memory.work.list()).map((job) => [job.kind, job.sessionId])).toEqual([['learn', 'other']]);
    await memory.work.settled();
    await expectSound(memory);
  });
});

describe('a model that fails or hangs', () => {
  it('JOB-29: after three temporary failures the fourth attempt succeeds, with one warning and one effect', async () => {
    let failures = 3;
    const model = new HeldModel();
    model.letGo();
    const events: MemoryJobEvent[] = [];
    const warnings: string[] = [];
    const memory = await memoryOf({
      learning: {
        llm: async (request) => {
          if (request.responseFormat === 'json' && failures-- > 0) {
            throw new MnemoraError('llm-timeout', 'The endpoint was silent.');
          }
          return model.llm(request);
        },
        delayMs: 60_000,
      },
      onWarning: ({ code }) => warnings.push(code),
    });
    memory.addEventListener('job', ({ detail }) => {
      if (detail.job.kind === 'learn') events.push(detail);
      if (detail.type === 'failed') void memory.work.retry(detail.job.id); // at once
    });
    await memory.remember(turn(1));
    await memory.work.settled();
    const failed = events.filter(({ type }) => type === 'failed');
    expect(failed.map(({ job }) => job.attempts)).toEqual([1, 2, 3]);
    expect(failed[0]?.job).toMatchObject({
      state: 'waiting',
      error: { code: 'llm-timeout', kind: 'passing' },
    });
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(warnings).toEqual(['learning-failed']);
    expect(await liked(memory)).toEqual(['Quokka1']);
    expect((await memory.facts.entities()).find(({ name }) => name === 'Quokka1')?.summary).toBe(
      'Quokka1 was told.',
    );
    await expectSound(memory);
  });

  it('JOB-30: after three permanent failures a job is dead, listed with its error, and done when retried', async () => {
    let isBroken = true;
    const model = new HeldModel();
    model.letGo();
    const errors: unknown[] = [];
    const memory = await memoryOf({
      learning: {
        llm: async (request) => {
          if (isBroken) throw new TypeError(`broken at ${CANARY}`);
          return model.llm(request);
        },
        delayMs: 60_000,
      },
    });
    memory.addEventListener('error', ({ detail }) => errors.push(detail.job.id));
    memory.addEventListener('job', ({ detail }) => {
      if (detail.type === 'failed') void memory.work.retry(detail.job.id);
    });
    await memory.remember(turn(1));
    await memory.work.settled(); // a dead job is nothing to wait for
    const [dead, ...others] = await memory.work.list();
    expect(others).toEqual([]);
    expect(dead).toMatchObject({ kind: 'learn', state: 'dead', attempts: 3, error: { code: 'unexpected' } });
    expect(JSON.stringify(dead)).not.toContain(CANARY);
    expect(errors).toEqual([dead?.id]);
    isBroken = false;
    await memory.work.retry(dead?.id ?? 0);
    await memory.work.settled();
    expect(await liked(memory)).toEqual(['Quokka1']);
    await expectSound(memory);
    await expect(memory.work.retry(dead?.id ?? 0)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('JOB-26: a model that is down for long raises one warning per kind of failure, and is used once it is back', async () => {
    let error: unknown = new MnemoraError('llm-http', 'busy', { status: 503 });
    const model = new HeldModel();
    model.letGo();
    const warnings: string[] = [];
    const types: string[] = [];
    const memory = await memoryOf({
      learning: {
        llm: async (request) => {
          if (error) throw error;
          return model.llm(request);
        },
        delayMs: 0,
      },
      onWarning: ({ code }) => warnings.push(code),
    });
    let failures = 0;
    const failedOften = new Promise<void>((resolve) =>
      memory.addEventListener('job', ({ detail }) => {
        types.push(detail.type);
        if (detail.type === 'failed') {
          expect(detail.job.notBefore).toBeGreaterThan(Date.now() - 1_000);
          failures += 1;
          if (failures === 3) error = new MnemoraError('llm-network', 'unreachable');
          if (failures < 6) void memory.work.retry(detail.job.id); // as time would
        }
        if (failures === 6) resolve();
      }),
    );
    await memory.remember(turn(1));
    await failedOften;
    expect(warnings).toEqual(['learning-failed', 'learning-failed']);
    error = undefined;
    window.dispatchEvent(new Event('online'));
    await memory.work.settled();
    expect(await liked(memory)).toEqual(['Quokka1']);
    expect(types).not.toContain('dead');
    await expectSound(memory);
  });

  it('JOB-23: a wrong key pauses the work, and a memory with the right key does it while the first is open', async () => {
    const name = newId();
    const model = new HeldModel();
    model.letGo();
    const warnings: string[] = [];
    const types: string[] = [];
    const wrong: LLM = async () => {
      throw new MnemoraError('llm-http', 'The key is wrong.', { status: 401 });
    };
    const first = await memoryOf({
      name,
      learning: { llm: wrong, delayMs: 0 },
      onWarning: ({ code }) => warnings.push(code),
    });
    const paused = new Promise<void>((resolve) =>
      first.addEventListener('job', ({ detail }) => {
        if (detail.job.kind !== 'learn') return;
        types.push(detail.type);
        if (detail.type === 'paused') resolve();
      }),
    );
    await first.remember(turn(1), { sessionId: 's' });
    await paused;
    await first.work.settled();
    expect((await first.work.list()).map(({ kind, state }) => [kind, state])).toContainEqual([
      'learn',
      'paused',
    ]);
    await first.remember(turn(2), { sessionId: 's' });
    await first.work.settled();
    expect(types).toEqual(['started', 'paused']);
    expect(warnings).toContain('job-paused');
    const second = await memoryOf({ name, learning: { llm: model.llm, delayMs: 0 } });
    await eventually(async () => expect(await second.work.list()).toEqual([]));
    expect(await liked(second)).toEqual(['Quokka1', 'Quokka2']);
    await expectSound(second);
  });

  it('JOB-31: closing aborts a model that never answers, and the work is done later', async () => {
    const name = newId();
    const model = new HeldModel();
    const memory = await memoryOf({
      name,
      learning: { llm: model.llm, delayMs: 60_000 },
      recentTurns: 1,
      sessionId: 's',
    });
    for (const n of [1, 2, 3]) await memory.remember(turn(n));
    const settling = memory.work.settled();
    await Promise.all([model.called('learn'), model.called('summarise')]);
    await memory.close();
    await settling;
    expect(model.signals.map((signal) => signal?.aborted)).toEqual(model.signals.map(() => true));
    const rows = (await dump(name))['jobs'] as { attempts: number }[];
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0]);
    model.letGo(); // too late
    const reopened = await memoryOf({ name, learning: { llm: model.llm }, recentTurns: 1, sessionId: 's' });
    await reopened.work.settled();
    expect(await liked(reopened)).toEqual(['Quokka1', 'Quokka2', 'Quokka3']);
    expect((await reopened.summary())?.text).toContain('Quokka1');
    for (const entity of await reopened.facts.entities()) {
      if (entity.name !== 'user') expect(entity.summary).toBe(`${entity.name} was told.`);
    }
    await expectSound(reopened);
  });
});

describe('several memories over one database', () => {
  it('JOB-32: two memories on one page share the work, and each turn is learned from once', async () => {
    const name = newId();
    const model = new HeldModel();
    model.letGo();
    const options = { name, learning: { llm: model.llm, delayMs: 0 }, sessionId: 's', recentTurns: 1 };
    const memories = [await memoryOf(options), await memoryOf(options)] as const;
    for (let n = 1; n <= 10; n += 1) await memories[n % 2 ? 0 : 1].remember(turn(n));
    await Promise.all(memories.map((memory) => memory.work.settled()));
    for (const memory of memories) {
      expect(await liked(memory)).toHaveLength(10);
      for (const { name: entity, summary } of await memory.facts.entities()) {
        if (entity !== 'user') expect(summary).toBe(`${entity} was told.`);
      }
      const text = (await memory.summary())?.text ?? '';
      expect(told(text)).toEqual([...new Set(told(text))]);
      await expectSound(memory);
    }
    await memories[0].close();
    await memories[1].remember(turn(11));
    await memories[1].work.settled();
    expect(await liked(memories[1])).toHaveLength(11);
  });

  it('JOB-33: two scopes of one database have separate work', async () => {
    const name = newId();
    const models = [new HeldModel(), new HeldModel()] as const;
    const mine = await memoryOf({ name, scope: 'mine', learning: { llm: models[0].llm, delayMs: 60_000 } });
    const theirs = await memoryOf({
      name,
      scope: 'theirs',
      learning: { llm: models[1].llm, delayMs: 60_000 },
    });
    await mine.remember(turn(1));
    await theirs.remember(turn(2));
    expect((await mine.work.list()).every((job) => job.sessionId === mine.sessionId)).toBe(true);
    const settling = mine.work.settled();
    await models[0].called('learn'); // theirs is not held up by mine
    models[1].letGo();
    await theirs.work.settled();
    expect(await liked(theirs)).toEqual(['Quokka2']);
    models[0].letGo();
    await settling;
    expect(await liked(mine)).toEqual(['Quokka1']);
    await theirs.backup.rebuild();
    expect([await liked(mine), await liked(theirs)]).toEqual([['Quokka1'], ['Quokka2']]);
    await Promise.all([expectSound(mine), expectSound(theirs)]);
  });
});

it('JOB-34: work that was queued before the clock was set back is still done', async () => {
  const model = new HeldModel();
  model.letGo();
  const { now } = Date;
  const name = newId();
  try {
    Date.now = () => now() + 86_400_000;
    const before = await memoryOf({ name, learning: { llm: model.llm, delayMs: 60_000 } });
    await before.remember(turn(1), { createdAt: 1 });
    await before.close();
    Date.now = now;
    const memory = await memoryOf({ name, learning: { llm: model.llm, delayMs: 60_000 } });
    // Not hurried by anybody who waits for it.
    while ((await memory.work.list()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await liked(memory)).toEqual(['Quokka1']);
    // Where the first tab was closed early, the second one also looks whether what it learned has to be renewed.
    await memory.work.settled();
    await expectSound(memory);
  } finally {
    Date.now = now;
  }
});

const isLearning = (request: Parameters<LLM>[0]): boolean => request.responseFormat === 'json';
const nothing = { text: '{"entities":[],"facts":[]}' };

it('FGT-27: the summary of a forgotten session does not appear in a new session with its id', async () => {
  let answer: (text: string) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = () => resolve();
  });
  let reply: () => void = () => undefined;
  const replied = new Promise<void>((resolve) => (reply = resolve));
  let calls = 0;
  const llm: LLM = async (request) => {
    if (isLearning(request)) return nothing;
    calls += 1;
    if (calls === 1) {
      answer('');
      await replied;
      return { text: 'The canary was told.' };
    }
    return { text: 'Something else.' };
  };
  const memory = await memoryOf({
    learning: { llm, delayMs: 0 },
    sessionId: 's',
    recentTurns: 1,
  });
  for (const n of [1, 2, 3]) await memory.remember({ user: `canary ${n}`, assistant: 'ok' });

  await asked;

  await memory.forget({ sessionId: 's' });
  await memory.remember({ user: 'a new beginning', assistant: 'ok' });
  reply();

  await memory.work.settled();
  expect((await memory.summary())?.text ?? '').not.toContain('canary');
  expect((await memory.backup.verify()).problems).toEqual([]);
});

it('JOB-28: work whose job was removed ends and does not call the model again', async () => {
  let hasAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (hasAsked = resolve));
  let reply: () => void = () => undefined;
  const replied = new Promise<void>((resolve) => (reply = resolve));
  let calls = 0;
  const llm: LLM = async (request) => {
    if (isLearning(request)) return nothing;
    calls += 1;
    hasAsked();
    await replied;
    if (calls > 50) await new Promise(() => undefined); // enough is enough
    return { text: 'A summary.' };
  };
  const memory = await memoryOf({ learning: { llm, delayMs: 0 }, sessionId: 's', recentTurns: 1 });
  for (const n of [1, 2, 3]) await memory.remember({ user: `canary ${n}`, assistant: 'ok' });
  await asked;
  await memory.forget({ sessionId: 's' });
  for (const n of [1, 2, 3]) await memory.remember({ user: `beginning ${n}`, assistant: 'ok' });
  reply();
  await within(60_000, memory.work.settled());
  expect(calls).toBeLessThan(10);
  expect((await memory.backup.verify()).problems).toEqual([]);
});

it('FGT-32: an entity forgotten between the reply and the transaction that stores it does not appear', async () => {
  const learned = JSON.stringify({
    entities: [{ name: 'Quokka', note: 'It was told.', message: 'm1' }],
    facts: [],
  });
  let isSecond = false;
  const llm: LLM = async ({ messages }) => {
    const isLater = JSON.stringify(messages.at(-1)).includes('later');
    if (isLater && !isSecond) throw new Error('out of order'); // so that there is another attempt
    return { text: isLater ? nothing.text : learned };
  };
  const memory = await memoryOf({
    learning: { extractor: { ...llmExtractor(llm), batchTurns: 1 }, delayMs: 60_000 },
  });
  const { transaction } = IDBDatabase.prototype;
  try {
    await memory.remember({ user: 'I like Quokka.', assistant: 'ok' });
    await memory.remember({ user: 'And later?', assistant: 'ok' });
    const failed = new Promise<void>((resolve) =>
      memory.addEventListener('job', ({ detail }) => {
        if (detail.type === 'failed') resolve();
      }),
    );
    const settling = memory.work.settled();
    await failed;
    expect((await memory.facts.entities()).map(({ name }) => name)).toEqual(['Quokka']);
    isSecond = true;
    let forgetting: Promise<unknown> | undefined;
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, stores, mode, options) {
      if (String(stores) === 'tombstones') forgetting ??= memory.forget({ entity: 'Quokka' });
      return transaction.call(this, stores, mode, options);
    };
    await settling;
    await forgetting;
    expect(forgetting).toBeDefined();
    expect((await memory.facts.entities()).map(({ name }) => name)).not.toContain('Quokka');
  } finally {
    IDBDatabase.prototype.transaction = transaction;
  }
});

it('LRN-12: what was learned from one batch is not learned again when a later batch fails', async () => {
  const asked: string[] = [];
  let failures = 1;
  const llm: LLM = async (request) => {
    const prompt = JSON.stringify(request.messages.at(-1));
    asked.push(prompt.includes('first turn') && !prompt.includes('c1') ? 'first' : 'second');
    if (asked.length === 2 && failures-- > 0) throw new Error('out of order');
    return nothing;
  };
  const memory = await memoryOf({
    learning: { extractor: { ...llmExtractor(llm), batchTurns: 1 }, delayMs: 60_000 },
  });
  await memory.remember({ user: 'the first turn', assistant: 'ok' });
  await memory.remember({ user: 'the other turn', assistant: 'ok' });
  await memory.work.settled();
  expect(asked).toEqual(['first', 'second', 'second']);
});

it('FGT-30: an entity forgotten while turns that name it are queued is not learned from them', async () => {
  const held: Promise<void>[] = [];
  let hasAsked: () => void = () => undefined;
  const learned = JSON.stringify({
    entities: [{ name: 'Quokka', note: 'It was told.', message: 'm1' }],
    facts: [],
  });
  const llm: LLM = async () => {
    hasAsked();
    await Promise.all(held);
    return { text: learned };
  };
  const memory = await memoryOf({ learning: { llm, delayMs: 60_000 } });
  await memory.remember({ user: 'I like Quokka.', assistant: 'ok' });
  await memory.work.settled();
  let reply: () => void = () => undefined;
  held.push(new Promise((resolve) => (reply = resolve)));
  const asked = new Promise<void>((resolve) => (hasAsked = resolve));
  await memory.remember({ user: 'Quokka is fine.', assistant: 'ok' });
  const settling = memory.work.settled();
  await asked;
  await memory.forget({ entity: 'Quokka' });
  reply();
  await settling;
  expect((await memory.facts.entities()).map(({ name }) => name)).not.toContain('Quokka');
});

it('JOB-35: a job that waits for its next attempt starts on time after the clock is set back by a day', async () => {
  const { now } = Date;
  let failures = 1;
  let ahead = 0;
  Date.now = () => now() + ahead;
  const llm: LLM = async () => {
    if (failures-- > 0) {
      ahead = 86_400_000; // the next attempt is put a day ahead of the clock as it was, and will be
      throw new Error('out of order');
    }
    return nothing;
  };
  try {
    const memory = await memoryOf({ learning: { llm, delayMs: 0 } });
    const failed = new Promise<void>((resolve) =>
      memory.addEventListener('job', ({ detail }) => {
        if (detail.type === 'failed') resolve();
      }),
    );
    await memory.remember({ user: 'hello', assistant: 'ok' });
    await failed;
    ahead = 0;
    await memory.remember({ user: 'hello again', assistant: 'ok' }); // wakes the work
    await within(60_000, memory.work.settled());
    expect(await memory.work.list()).toEqual([]);
  } finally {
    Date.now = now;
  }
});

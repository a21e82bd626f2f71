import { beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '../../../../src/index.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let now: number;
let memory: Memory;
beforeEach(async () => {
  now = START;
  memory = await memoryOf({ storage: 'memory', learning: { delayMs: 0 }, clock: () => now });
});

async function told(): Promise<string[]> {
  return (await memory.facts.list()).map(({ subject, predicate, object }) =>
    [subject, predicate, object].join(' '),
  );
}

async function livesInPorto(): Promise<string> {
  const { id } = await memory.facts.add({ subject: 'user', predicate: 'lives in', object: 'Porto' });
  now += DAY;
  return id;
}

describe('FACT-10: a corrected fact was never true', () => {
  it('FACT-10: also if the correction is over', async () => {
    const id = await livesInPorto();
    now += DAY;
    await memory.facts.correct(id, { object: 'Braga', validTo: now - DAY });
    expect(await told()).toEqual([]);
    expect(await memory.facts.list({ validAt: now - DAY - 1 })).toMatchObject([{ object: 'Braga' }]);
  });

  it.each(['its own', 'that of its end'])(
    'FACT-10: nor does one hold that was ended and then corrected by %s id',
    async (by) => {
      await memory.remember({ user: 'I live in Porto.', assistant: 'Okay.' });
      await memory.work.settled();
      const [fact] = await memory.facts.list();
      const id = fact?.id ?? '';
      now += DAY;
      const ended = await memory.facts.end(id);
      now += DAY;
      await memory.facts.correct(by === 'its own' ? id : ended.id, { object: 'Braga' });
      expect(await told()).toEqual([]);
      expect(await memory.facts.list({ validAt: START })).toMatchObject([{ object: 'Braga' }]);
    },
  );
});

it.each(['its own', 'that of its correction'])(
  'FACT-11: a corrected fact is ended through %s id',
  async (by) => {
    const id = await livesInPorto();
    const corrected = await memory.facts.correct(id, { object: 'Braga' });
    now += DAY;
    await memory.facts.end(by === 'its own' ? id : corrected.id);
    expect(await told()).toEqual([]);
    expect(await memory.facts.list({ validAt: now - 1 })).toMatchObject([{ object: 'Braga' }]);
  },
);

it('FACT-44: ending a fact again, through any of its ids, changes nothing', async () => {
  const id = await livesInPorto();
  const ended = await memory.facts.end(id);
  const before = await memory.facts.list({ includeHistory: true });
  now += 10 * DAY;
  for (const each of [id, ended.id])
    expect(await memory.facts.end(each)).toMatchObject({ validTo: ended.validTo });
  expect(await memory.facts.list({ includeHistory: true })).toEqual(before);
});

import { expect, it } from 'vitest';
import type { Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryInFrame } from '../../fixtures/memory-in-frame.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const question = [{ role: 'user' as const, content: 'I live in Porto. Is it far?' }];
const whole = [...question, { role: 'assistant' as const, content: 'No.' }];

async function seenBy(memory: Memory): Promise<unknown> {
  await memory.work.settled();
  const history = await memory.history();
  return {
    states: [...new Set(history.map(({ turnId, state }) => `${turnId} ${state}`))],
    facts: (await memory.facts.list()).map(({ object }) => object),
    found: (await memory.search('Lisbon')).length,
  };
}

it('MSG-40: a page that is closed while it regenerates an answer takes nothing away, in any tab', async () => {
  const options = { name: newId(), sessionId: 's' };
  const here = await memoryOf(options);
  const dying = await memoryInFrame(options);
  await here.remember({ user: 'I live in Lisbon.', assistant: 'Noted.' }, { turnId: 'old' });
  await here.work.settled();
  const pending = { turnId: 'new', replaces: 'old', state: 'pending' } as const;
  await dying.memory.remember({ messages: question }, pending);
  const before = { states: ['old complete', 'new pending'], facts: ['Lisbon'], found: 1 };
  expect(await seenBy(here)).toEqual(before);
  dying.die();
  const next = await memoryOf(options);
  const after = { states: ['old complete', 'new failed'], facts: ['Lisbon'], found: 1 };
  expect(await seenBy(next)).toEqual(after);
  expect(await seenBy(here)).toEqual(after);
  // The failed turn may still be ended, and replaces the old one then, by whichever tab it is ended.
  await here.remember({ messages: whole }, { turnId: 'new' });
  const replaced = { states: ['old replaced', 'new complete'], facts: ['Porto'], found: 0 };
  expect(await seenBy(next)).toEqual(replaced);
  expect(await seenBy(here)).toEqual(replaced);
  expect((await here.backup.verify()).problems).toEqual([]);
});

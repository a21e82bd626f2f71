import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { MAX_ID_LENGTH } from '../../../src/model/id.ts';

const TURN = { user: 'q', assistant: 'a' };
const nested = (levels: number): Record<string, unknown> => {
  let value = {};
  for (let level = 1; level < levels; level += 1) value = { value };
  return value;
};

it('STO-51: ids of more than 1,000 characters are refused with nothing changed', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  const [longest, tooLong] = [MAX_ID_LENGTH, MAX_ID_LENGTH + 1].map((length) => 'x'.repeat(length));
  for (const options of [{ turnId: tooLong }, { sessionId: tooLong }, { replaces: tooLong }]) {
    await expect(memory.remember(TURN, options as { turnId: string })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  }
  await expect(memory.recall('q', { sessionId: tooLong ?? '' })).rejects.toMatchObject({
    code: 'invalid-input',
  });
  for (const options of [{ sessionId: tooLong ?? '' }, { scope: tooLong ?? '' }]) {
    await expect(createMemory({ storage: 'memory', embedder: false, ...options })).rejects.toMatchObject({
      code: 'invalid-option',
    });
  }
  expect(await memory.sessions()).toEqual([]);
  await memory.remember(TURN, { turnId: longest ?? '', sessionId: longest ?? '' });
  expect(await memory.sessions()).toHaveLength(1);
  await memory.close();
});

it('STO-52: metadata nested deeper than 200 levels is refused with invalid-input', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  for (const levels of [201, 6_000, 100_000]) {
    await expect(memory.remember(TURN, { metadata: nested(levels) })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  }
  expect(await memory.history()).toEqual([]);
  await memory.remember(TURN, { metadata: nested(200) });
  expect(await memory.history()).toHaveLength(2);
  await memory.close();
});

import { describe, expect, it } from 'vitest';
import { createMemory, type Memory, type Rerank, type WarningCode } from '../../../src/index.ts';

const QUESTION = 'What did I say about my boat?';

async function boats(warned: WarningCode[] = []): Promise<Memory> {
  let now = Date.UTC(2026, 2, 1);
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    clock: () => now,
    onWarning: ({ code }) => warned.push(code),
  });
  for (const color of ['red', 'green', 'blue', 'gray', 'white', 'brown']) {
    now += 86_400_000;
    const turn = { user: `I painted my ${color} boat in the ${color} shed.`, assistant: 'Noted.' };
    await memory.remember(turn, { sessionId: color });
  }
  await memory.work.settled();
  return memory;
}

/** What is recalled in so small a budget that most boats are left out. */
async function recalled(memory: Memory, rerank?: Rerank): Promise<string> {
  const { items } = await memory
    .session('now')
    .recall(QUESTION, { maxTokens: 150, ...(rerank ? { rerank } : {}) });
  return items
    .filter(({ kind }) => kind !== 'profile')
    .map(({ text }) => text)
    .join('\n');
}

const prefer =
  (color: string, scale = 1): Rerank =>
  (_query, candidates) =>
    candidates.map(({ text }) => scale * Number(text.includes(color)));

describe('recall with a rerank function', () => {
  it('REC-93: what the caller scores best is told, whatever the size of the scores', async () => {
    const memory = await boats();
    const plain = await recalled(memory);
    const missing = ['red', 'green', 'blue', 'gray', 'white', 'brown'].filter(
      (color) => !plain.includes(color),
    );
    expect(missing).not.toEqual([]);
    for (const color of missing) {
      for (const scale of [1, 1e6, 1e-6])
        expect(await recalled(memory, prefer(color, scale))).toContain(color);
    }
    await memory.close();
  });

  it('REC-93: the caller sees the question and the messages that search found', async () => {
    const memory = await boats();
    const seen: string[] = [];
    await recalled(memory, (query, candidates) => {
      expect(query).toBe(QUESTION);
      seen.push(...candidates.map(({ text }) => text));
      return candidates.map(() => 0);
    });
    expect(seen.filter((text) => text.includes('boat'))).toHaveLength(6);
    expect(await recalled(memory, (_query, candidates) => candidates.map(() => 0))).toBe(
      await recalled(memory),
    );
    await memory.close();
  });

  it('REC-93: a rerank that fails changes nothing but warns, and none is called for general knowledge to be told', async () => {
    const warned: WarningCode[] = [];
    const memory = await boats(warned);
    const plain = await recalled(memory);
    expect(await recalled(memory, () => [Number.NaN])).toBe(plain);
    expect(warned).toEqual(['rerank-failed']);
    const general = await memory
      .session('now')
      .recall('What is the capital of Peru?', { rerank: prefer('red') });
    expect(general.items.filter(({ kind }) => kind !== 'profile')).toEqual([]);
    const wrong = memory.recall(QUESTION, { rerank: 'yes' as unknown as Rerank });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-input' });
    await memory.close();
  });
});

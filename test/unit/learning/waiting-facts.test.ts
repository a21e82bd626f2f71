import { expect, it, vi } from 'vitest';
import { FactTimes } from '../../../src/graph/fact-times.ts';
import { createMemory, type Extractor, type Memory } from '../../../src/index.ts';

/** Learns from each message that the user met everybody that it names, or that Nolan directed what an answer names. */
const EXTRACTOR: Extractor = {
  id: 'guests',
  extract: ({ messages }) => {
    const triples = messages.flatMap(({ id, text, role }) =>
      Array.from(text.matchAll(/(?:Guest|Film)\d+/gu), ([object]) => ({
        ...(role === 'user'
          ? { subject: 'user', predicate: 'met' }
          : { subject: 'Nolan', predicate: 'directed' }),
        ...{ object, messageId: id, quote: role === 'user' ? object : `Nolan directed ${object}` },
      })),
    );
    return Promise.resolve({ mentions: [], triples, unreadable: 0 });
  },
  summarize: () => Promise.resolve('The user meets people.'),
};

async function knowing(guests: number, answer = 'I see.'): Promise<Memory> {
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { extractor: EXTRACTOR, delayMs: 0 },
  });
  for (let n = 0; n < guests; n += 50) {
    const names = Array.from({ length: 50 }, (_, at) => `Guest${n + at}`);
    await memory.remember({ user: `I met ${names.join(', ')}.`, assistant: 'I see.' });
    await memory.work.settled();
  }
  await memory.remember({ user: 'Which film is good?', assistant: answer });
  await memory.work.settled();
  expect(await memory.facts.list()).toHaveLength(guests);
  return memory;
}

/** Returns what waits, and the number of facts that were evaluated for it. */
async function reviewed(memory: Memory): Promise<{ texts: string[]; evaluated: number }> {
  const shown = vi.spyOn(FactTimes.prototype, 'shown');
  const texts = (await memory.review.list()).map(({ text }) => text);
  const evaluated = shown.mock.calls.length;
  shown.mockRestore();
  await memory.close();
  return { texts, evaluated };
}

it('CLM-32: what waits for review is found without evaluating facts about anybody else, however many are known', async () => {
  for (const guests of [50, 400]) {
    expect(await reviewed(await knowing(guests))).toEqual({ texts: [], evaluated: 0 });
    const { texts, evaluated } = await reviewed(
      await knowing(guests, 'Nolan directed Film1. Nolan directed Film2.'),
    );
    expect(texts.toSorted()).toEqual(['Nolan directed Film1', 'Nolan directed Film2']);
    expect(evaluated).toBeLessThan(10);
  }
});

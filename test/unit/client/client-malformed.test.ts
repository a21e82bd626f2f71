import { expect, it } from 'vitest';
import { createMemory, type LLM, type Warning } from '../../../src/index.ts';
import { malformedReplies } from '../../fixtures/malformed-replies.ts';

it('LRN-4: 300 malformed replies leave all earlier records unchanged, and each is counted and reported', async () => {
  const warnings: Warning[] = [];
  const replies = malformedReplies().filter((reply) => typeof reply === 'string');
  let reply = JSON.stringify({
    entities: [{ name: 'Sam', note: 'Sam lives in Rome.', message: 'm1' }],
    facts: [
      { subject: 'Sam', predicate: 'lives in', object: 'Rome', message: 'm1', quote: 'Sam lives in Rome.' },
      { subject: 'I', predicate: 'work at', object: 'Acme', message: 'm1', quote: 'I work at Acme.' },
    ],
  });
  const llm: LLM = async () => ({ text: reply });
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { llm, delayMs: 0 },
    recentTurns: 1000, // no summaries
    onWarning: (warning) => warnings.push(warning),
  });
  await memory.remember({ user: 'Sam lives in Rome. I work at Acme.', assistant: 'Noted.' });
  await memory.work.settled();
  const before = await memory.facts.list();
  const entities = await memory.facts.entities();
  expect(before).toHaveLength(2);
  const unreported: unknown[] = [];
  for (const [turn, malformed] of replies.entries()) {
    reply = malformed;
    const told = warnings.length;
    await memory.remember({ user: `And what else, ${turn}?`, assistant: 'Nothing.' });
    await memory.work.settled();
    if (warnings.length === told) unreported.push(malformed.slice(0, 200));
    expect(await memory.facts.list()).toEqual(before);
    expect(await memory.facts.list({ includeHistory: true })).toEqual(before);
  }
  expect(
    (await memory.facts.entities()).filter(({ name }) => ['Sam', 'Rome', 'user', 'Acme'].includes(name)),
  ).toEqual(entities);
  expect(unreported).toEqual([]);
  expect(await memory.work.list()).toEqual([]);
  await memory.close();
});

import { describe, expect, it } from 'vitest';
import type { Memory, CreateMemoryOptions, Extractor, MemoryFact, Warning } from '../../../src/index.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

/** Takes `Sam|likes|tea` for a fact and `=Bob,Rob` for a name with an alias, in what the user says. */
const literal: Extractor = {
  id: 'literal',
  summarize: async ({ summary, newLines }) => `${summary} ${newLines}`.slice(-200),
  extract: async ({ messages }) => {
    const parts = messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ id: messageId, text }) => text.split(';').map((part) => ({ messageId, part })));
    return {
      unreadable: 0,
      mentions: parts.flatMap(({ messageId, part }) => {
        const [name = '', ...aliases] = part.startsWith('=') ? part.slice(1).split(',') : [];
        return name === '' ? [] : [{ messageId, name, aliases }];
      }),
      triples: parts.flatMap(({ messageId, part }) => {
        const [subject = '', predicate, object] = part.split('|');
        return predicate && object ? [{ messageId, subject, predicate, object }] : [];
      }),
    };
  },
};

async function knowing(said: readonly string[], options: CreateMemoryOptions = {}): Promise<Memory> {
  const memory = await memoryOf({ learning: { extractor: literal, delayMs: 0 }, ...options });
  for (const [position, user] of said.entries()) {
    await memory.remember({ user, assistant: 'okay' }, { turnId: `t${position}` });
    await memory.work.settled();
  }
  return memory;
}

async function statements(memory: Memory, includeHistory = false): Promise<string[]> {
  const facts = await memory.facts.list({ includeHistory });
  return facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);
}

async function onlyFact(memory: Memory): Promise<MemoryFact> {
  const [fact, ...others] = await memory.facts.list();
  if (!fact || others.length > 0) throw new Error('there is not one fact');
  return fact;
}

describe.each(['indexeddb', 'memory'] as const)('edits in an unusual order, in %s', (history) => {
  it('FACT-11: only the last correction holds, through whichever id it is made', async () => {
    const memory = await knowing(['user|likes|coffee'], { storage: history });
    const first = await onlyFact(memory);
    const second = await memory.facts.correct(first.id, { object: 'tea' });
    await memory.facts.correct(second.id, { object: 'cocoa' });
    expect(await statements(memory)).toEqual(['user likes cocoa']);
    await memory.facts.correct(first.id, { object: 'milk' });
    expect(await statements(memory)).toEqual(['user likes milk']);
    await memory.backup.rebuild();
    expect(await statements(memory)).toEqual(['user likes milk']);
    const all = ['user likes coffee', 'user likes tea', 'user likes cocoa', 'user likes milk'];
    expect(await statements(memory, true)).toEqual(all);
  });

  it('FACT-11: correcting a fact that has ended gives a fact that has ended', async () => {
    const memory = await knowing(['user|lives in|Paris'], { storage: history });
    const paris = await onlyFact(memory);
    await memory.remember(
      { user: 'user|lives in|Rome', assistant: 'okay' },
      { createdAt: Date.now() + 1_000 },
    );
    await memory.work.settled();
    const lyon = await memory.facts.correct(paris.id, { object: 'Lyon' });
    expect(lyon.validTo).toBeDefined();
    expect((await memory.facts.list({ validAt: Date.now() + 2_000 })).map(({ object }) => object)).toEqual([
      'Rome',
    ]);
  });

  it('FGT-22: an entity forgotten under one name does not come back under another', async () => {
    const said = ['Robert|likes|tea', '=Bob,Robert', 'Robert|likes|gin', 'Ann|likes|rum'];
    const memory = await knowing(said, { storage: history });
    expect(await memory.forget({ entity: 'Bob' })).toMatchObject({ facts: 2, entities: 1 });
    await memory.backup.rebuild();
    expect(await statements(memory)).toEqual(['Ann likes rum']);
    expect((await memory.facts.entities()).map(({ name }) => name).toSorted()).toEqual(['Ann', 'rum']);
  });

  it('FGT-22: a forgotten fact does not come back under another name of its subject', async () => {
    const memory = await knowing(['Robert|likes|tea', '=Bob,Robert'], { storage: history });
    await memory.forget({ factId: (await onlyFact(memory)).id });
    await memory.backup.rebuild();
    expect(await statements(memory)).toEqual([]);
  });

  it('FGT-22: an entity whose alias was forgotten is separate from the other', async () => {
    const memory = await knowing(['Bob|likes|beer', 'Rob|likes|rum', '=Bob,Rob'], { storage: history });
    await memory.forget({ turnId: 't2' });
    expect(await memory.forget({ entity: 'Rob' })).toMatchObject({ facts: 1, entities: 1 });
    expect(await statements(memory)).toEqual(['Bob likes beer']);
    await memory.backup.rebuild();
    expect(await statements(memory)).toEqual(['Bob likes beer']);
  });

  it('FACT-20: a name that a model gives to two people does not stop the work', async () => {
    const warnings: Warning[] = [];
    const memory = await knowing(['=Robert,Bob', '=Bobby Tables,Bob', '=Ann,Cid', '=Dora,Ann'], {
      storage: history,
      onWarning: (warning) => warnings.push(warning),
    });
    expect(await memory.work.list()).toEqual([]);
    expect(warnings).toEqual([]);
    const entities = (await memory.facts.entities()).map(({ name, aliases }) => [name, aliases.toSorted()]);
    expect(entities.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['Bobby Tables', []],
      ['Dora', ['Ann', 'Cid']],
      ['Robert', ['Bob']],
    ]);
  });

  it('FACT-12: in a correction, `I` is the user', async () => {
    const memory = await knowing(['Sam|likes|tea'], { storage: history });
    const mine = await memory.facts.correct((await onlyFact(memory)).id, { subject: 'I', object: 'my dog' });
    expect(mine).toMatchObject({ subject: 'user', object: "user's dog" });
    expect((await memory.facts.entities()).map(({ name }) => name)).not.toContain('I');
  });

  it('FACT-12: rebuild without an extractor is rejected, and nothing is queued or dropped', async () => {
    const memory = await memoryOf({ learning: false, storage: history });
    await memory.remember({ user: 'hello', assistant: 'hi' });
    await expect(memory.backup.rebuild()).rejects.toMatchObject({ code: 'invalid-option' });
    expect(await memory.work.list()).toEqual([]);
  });

  it('FACT-12: two rebuilds while turns are added learn from each turn once', async () => {
    const memory = await knowing(['p0|likes|tea', 'p1|likes|tea', 'p2|likes|tea'], { storage: history });
    const rebuilt = [memory.backup.rebuild(), memory.backup.rebuild()];
    for (const n of [3, 4, 5]) await memory.remember({ user: `p${n}|likes|tea`, assistant: 'okay' });
    await Promise.all(rebuilt);
    await memory.work.settled();
    const facts = await memory.facts.list({ includeHistory: true });
    expect(
      facts
        .map(({ subject, sources }) => [subject, sources.length] as const)
        .toSorted(([a], [b]) => a.localeCompare(b)),
    ).toEqual([0, 1, 2, 3, 4, 5].map((n) => [`p${n}`, 1]));
    expect(await memory.work.list()).toEqual([]);
  });
});

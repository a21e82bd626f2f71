import { describe, expect, it } from 'vitest';
import type { Memory, Warning } from '../../../src/index.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

async function pinnedMemory(count: number): Promise<{ memory: Memory; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const memory = await memoryOf({
    storage: 'memory',
    learning: { delayMs: 0 },
    onWarning: (warning) => warnings.push(warning),
  });
  for (let n = 0; n < count; n++) {
    await memory.remember({ user: `My friend Ann${n} lives in Rome.`, assistant: 'I see.' });
  }
  await memory.work.settled();
  const facts = (await memory.facts.list()).filter(({ predicate }) => predicate === 'lives in');
  expect(facts).toHaveLength(count);
  for (const { id } of facts) await memory.facts.pin(id);
  return { memory: memory.session('another'), warnings };
}

describe('pinned facts and the budget', () => {
  it.each([200, 350, 500])('REC-44: one pinned fact is sent at %i tokens', async (maxTokens) => {
    const { memory, warnings } = await pinnedMemory(1);
    const { items, tokens } = await memory.recall('hello', { maxTokens });
    expect(items.filter(({ kind }) => kind === 'pinned')).toHaveLength(1);
    expect(tokens).toBeLessThanOrEqual(maxTokens);
    expect(warnings).toEqual([]);
  });

  it('REC-44: 25 pinned facts are sent at 1,000 tokens, before any line of the profile', async () => {
    const { memory, warnings } = await pinnedMemory(25);
    const { items, tokens } = await memory.recall('hello', { maxTokens: 1000 });
    expect(items.filter(({ kind }) => kind === 'pinned')).toHaveLength(25);
    expect(tokens).toBeLessThanOrEqual(1000);
    expect(warnings).toEqual([]);
  });

  it('REC-46: what helps with any question is sent beside many pinned facts, where the budget has room', async () => {
    const { memory } = await pinnedMemory(20);
    await memory.remember({ user: 'I am vegan and I am allergic to peanuts.', assistant: 'I see.' });
    await memory.work.settled();
    const { items, text, tokens } = await memory.session('third').recall('hello', { maxTokens: 1000 });
    expect(items.filter(({ kind }) => kind === 'pinned')).toHaveLength(20);
    expect(text).toContain('allergic to peanuts');
    expect(tokens).toBeLessThanOrEqual(1000);
  });

  it('REC-45: pinned facts that do not fit are counted in a warning and explained as without room', async () => {
    const { memory, warnings } = await pinnedMemory(25);
    const { items } = await memory.recall('hello', { maxTokens: 400 });
    const sent = items.filter(({ kind }) => kind === 'pinned').length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(25);
    expect(warnings).toMatchObject([{ code: 'pinned-left-out' }]);
    expect(warnings[0]?.message).toMatch(new RegExp(`^${25 - sent} of 25 pinned facts .* 400 tokens`));
    const explained = await memory.explain('hello', { maxTokens: 400 });
    const left = explained.filter(({ kind, isIncluded }) => kind === 'pinned' && !isIncluded);
    expect(left).toHaveLength(25 - sent);
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['no-room']));
  });
});

import { expect, it, vi } from 'vitest';
import { effectScope } from 'vue';
import { factsOf } from '../../../demo/examples/recipes/svelte-facts.ts';
import { useFacts } from '../../../demo/examples/recipes/vue-facts.ts';
import { createMemory, type Memory, type MemoryFact } from '../../../src/index.ts';
import { eventually } from '../../fixtures/eventually.ts';

const open = (): Promise<Memory> =>
  createMemory({ storage: 'memory', embedder: false, onWarning: () => undefined });

const learn = async (memory: Memory, user: string): Promise<void> => {
  await memory.remember({ user, assistant: 'Noted.' });
  await memory.work.settled();
};

const objects = (facts: readonly MemoryFact[] = []): string[] => facts.map(({ object }) => object);

it('RCP-7: the facts of useFacts follow the memory until the scope of the component is disposed', async () => {
  await using memory = await open();
  const list = vi.spyOn(memory.facts, 'list');
  const scope = effectScope();
  const facts = scope.run(() => useFacts(memory));
  expect(facts?.value).toEqual({ data: undefined, error: undefined, isLoading: true });
  await learn(memory, 'I live in Lisbon.');
  await eventually(() => expect(objects(facts?.value?.data)).toEqual(['Lisbon']));
  scope.stop();
  const reads = list.mock.calls.length;
  await learn(memory, 'I work at Siemens.');
  expect(list).toHaveBeenCalledTimes(reads);
  expect(objects(facts?.value?.data)).toEqual(['Lisbon']);
});

it('RCP-8: the store of factsOf tells each subscriber the facts until it is unsubscribed', async () => {
  await using memory = await open();
  const list = vi.spyOn(memory.facts, 'list');
  let told: string[] | undefined;
  const stop = factsOf(memory).subscribe(({ data }) => (told = objects(data)));
  expect(told).toEqual([]);
  await learn(memory, 'I live in Lisbon.');
  await eventually(() => expect(told).toEqual(['Lisbon']));
  stop();
  const reads = list.mock.calls.length;
  await learn(memory, 'I work at Siemens.');
  expect(list).toHaveBeenCalledTimes(reads);
  expect(told).toEqual(['Lisbon']);
});

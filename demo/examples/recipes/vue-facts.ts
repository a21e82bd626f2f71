import { live, type Memory, type MemoryFact, type MemoryRead } from 'mnemora';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

/** Facts for a component of Vue, such as `facts.data` in its template, which follow each change of the memory. */
export function useFacts(memory: Memory): ShallowRef<MemoryRead<MemoryFact[]> | undefined> {
  const facts = shallowRef<MemoryRead<MemoryFact[]>>();
  const stop = live(
    memory,
    (from) => from.facts.list(),
    (state) => (facts.value = state),
  );
  onScopeDispose(stop);
  return facts;
}

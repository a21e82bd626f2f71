import type { EntityStore } from '../../src/sessions/entity-store.ts';
import type { Step } from './case.ts';
import type { Operation, Subject } from './subject.ts';
import type { World } from './world.ts';

export function entityStoreSubject(world: World): Subject {
  const store = world.newEntityStore();
  return {
    userName: 'human',
    operations: { ...entityStoreOperations(store), clear: () => store.clear() },
  };
}

export function entityStoreOperations(store: EntityStore): Record<string, Operation> {
  const nameOf = ({ key }: Step): string => key as string;
  return {
    get: (step) => {
      const fallback = step['default'];
      return typeof fallback === 'string' ? store.get(nameOf(step), fallback) : store.get(nameOf(step));
    },
    set: (step) => store.set(nameOf(step), step['value'] as string),
    exists: (step) => store.has(nameOf(step)),
    delete: (step) => store.delete(nameOf(step)),
  };
}

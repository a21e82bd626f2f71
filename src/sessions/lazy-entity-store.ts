import type { EntityStore } from './entity-store.ts';

type FollowingStore = Required<Omit<EntityStore, 'deleteSources' | 'followsMessages'>>;

/** Returns an entity store over a database. Its code is loaded on first use. */
export function lazyEntityStore(load: () => Promise<FollowingStore>): EntityStore {
  return {
    followsMessages: true,
    get: async (...args) => (await load()).get(...args),
    set: async (...args) => (await load()).set(...args),
    setMany: async (...args) => (await load()).setMany(...args),
    has: async (...args) => (await load()).has(...args),
    delete: async (...args) => (await load()).delete(...args),
    clear: async () => (await load()).clear(),
    list: async () => (await load()).list(),
  };
}

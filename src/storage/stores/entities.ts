import type { StoreDefinition } from '../store-definition.ts';

/** What is erased of entities is decided together with their facts: see `triples.ts`. */
export const entities: StoreDefinition<'entities'> = {
  keyPath: ['scope', 'key'],
  indexes: { id: { keyPath: 'id', unique: true }, messageIds: { keyPath: 'messageIds', multiEntry: true } },
};

import { planKnowledgeErasure } from '../knowledge-erasure.ts';
import type { StoreDefinition } from '../store-definition.ts';

export const triples: StoreDefinition<'triples'> = {
  keyPath: 'id',
  indexes: {
    scope: { keyPath: 'scope' },
    messageIds: { keyPath: 'messageIds', multiEntry: true },
    subject: { keyPath: ['scope', 'subjectKey'] },
    object: { keyPath: ['scope', 'objectKey'] },
  },
  erase: planKnowledgeErasure,
};

import type { StoreName } from './schema.ts';
import type { StoreDefinition } from './store-definition.ts';
import { chatMemories } from './stores/chat-memories.ts';
import { documents } from './stores/documents.ts';
import { entities } from './stores/entities.ts';
import { jobs } from './stores/jobs.ts';
import { messages } from './stores/messages.ts';
import { postings } from './stores/postings.ts';
import { sessions } from './stores/sessions.ts';
import { summaries } from './stores/summaries.ts';
import { triples } from './stores/triples.ts';
import { vectors } from './stores/vectors.ts';

/** The table of object stores. */
export const STORES: { readonly [Name in StoreName]: StoreDefinition<Name> } = {
  sessions,
  messages,
  chatMemories,
  documents,
  vectors,
  postings,
  summaries,
  entities,
  triples,
  jobs,
  changes: { autoIncrement: true },
  tombstones: {},
  meta: { keyPath: 'key' },
};

export const STORE_NAMES: readonly StoreName[] = Object.keys(STORES) as StoreName[];

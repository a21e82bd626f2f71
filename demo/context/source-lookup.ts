import type { Memory, MemoryFact, SessionSummary, StoredMessage } from '../../src/index.ts';
import type { MessageSessions } from '../memory/message-sessions.ts';
import type { ContextNote } from './context-log.ts';

/** What the sources of an answer say now. What has been forgotten is not among them. */
export interface Sources {
  /** By message id. */
  messages: ReadonlyMap<string, StoredMessage>;
  /** By fact id. */
  facts: ReadonlyMap<string, MemoryFact>;
  /** By conversation. */
  summaries: ReadonlyMap<string, SessionSummary>;
  /** Of conversations, by their id. */
  titles: ReadonlyMap<string, string>;
}

export const NO_SOURCES: Sources = {
  messages: new Map(),
  facts: new Map(),
  summaries: new Map(),
  titles: new Map(),
};

/** Reads the sources of these contexts from the memory. */
export async function lookUpSources(
  memory: Memory,
  places: MessageSessions,
  notes: readonly ContextNote[],
  titles: ReadonlyMap<string, string>,
): Promise<Sources> {
  const items = notes.flatMap((note) => note.items);
  const [messages, facts, summaries] = await Promise.all([
    lookUpMessages(memory, places, items),
    lookUpFacts(memory, items),
    lookUpSummaries(memory, items),
  ]);
  return { messages, facts, summaries, titles };
}

type Items = ContextNote['items'];

async function lookUpMessages(
  memory: Memory,
  places: MessageSessions,
  items: Items,
): Promise<Map<string, StoredMessage>> {
  const recalled = items.filter(({ kind }) => kind === 'recalled' || kind === 'profile');
  const wanted = new Set(recalled.flatMap(({ sources }) => sources));
  // Not every item names its conversation: a line of the profile may come from many.
  const anywhere = recalled.flatMap(({ sessionId, sources }) => (sessionId === '' ? sources : []));
  const found = await places.find(anywhere);
  const named = recalled.flatMap(({ sessionId }) => (sessionId === '' ? [] : [sessionId]));
  const sessionIds = new Set([...named, ...anywhere.flatMap((id) => found.get(id) ?? [])]);
  const histories = await Promise.all([...sessionIds].map((id) => memory.history(id)));
  return new Map(
    histories.flatMap((history) =>
      history.flatMap((message) => (wanted.has(message.id) ? [[message.id, message] as const] : [])),
    ),
  );
}

async function lookUpFacts(memory: Memory, items: Items): Promise<Map<string, MemoryFact>> {
  const wanted = new Set(items.flatMap(({ factId }) => factId ?? []));
  if (wanted.size === 0) return new Map();
  const facts = await memory.facts({ includeHistory: true, includeUnconfirmed: true });
  return new Map(facts.flatMap((fact) => (wanted.has(fact.id) ? [[fact.id, fact] as const] : [])));
}

async function lookUpSummaries(memory: Memory, items: Items): Promise<Map<string, SessionSummary>> {
  const summaries = items.filter(({ kind }) => kind === 'summary');
  const sessionIds = [...new Set(summaries.map(({ sessionId }) => sessionId))];
  const found = await Promise.all(sessionIds.map(async (id) => [id, await memory.summary(id)] as const));
  return new Map(found.flatMap(([id, summary]) => (summary ? [[id, summary] as const] : [])));
}

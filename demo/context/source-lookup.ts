import type { Memory, MemoryFact, SessionSummary, StoredMessage } from '../../src/index.ts';
import type { MessageSessions } from '../memory/message-sessions.ts';
import type { ContextNote } from './context-log.ts';

/** The current state of an answer's sources. Forgotten sources are missing. */
export interface Sources {
  /** Messages by id. */
  messages: ReadonlyMap<string, StoredMessage>;
  /** Facts by id. */
  facts: ReadonlyMap<string, MemoryFact>;
  /** Summaries by session id. */
  summaries: ReadonlyMap<string, SessionSummary>;
  /** Conversation titles by session id. */
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
  messageSessions: MessageSessions,
  notes: readonly ContextNote[],
  titles: ReadonlyMap<string, string>,
): Promise<Sources> {
  const items = notes.flatMap((note) => note.items);
  const [messages, facts, summaries] = await Promise.all([
    lookUpMessages(memory, messageSessions, items),
    lookUpFacts(memory, items),
    lookUpSummaries(memory, items),
  ]);
  return { messages, facts, summaries, titles };
}

type Items = ContextNote['items'];

async function lookUpMessages(
  memory: Memory,
  messageSessions: MessageSessions,
  items: Items,
): Promise<Map<string, StoredMessage>> {
  const recalled = items.filter(({ kind }) => kind === 'recalled' || kind === 'profile');
  const wanted = new Set(recalled.flatMap(({ sources }) => sources));
  // Profile lines have no session id, because they may come from several conversations.
  const anywhere = recalled.flatMap(({ sessionId, sources }) => (sessionId === '' ? sources : []));
  const found = await messageSessions.find(anywhere);
  const named = recalled.flatMap(({ sessionId }) => (sessionId === '' ? [] : [sessionId]));
  const sessionIds = new Set([...named, ...anywhere.flatMap((id) => found.get(id) ?? [])]);
  const histories = await Promise.all([...sessionIds].map((id) => memory.history({ sessionId: id })));
  return new Map(
    histories.flatMap((history) =>
      history.flatMap((message) => (wanted.has(message.id) ? [[message.id, message] as const] : [])),
    ),
  );
}

async function lookUpFacts(memory: Memory, items: Items): Promise<Map<string, MemoryFact>> {
  const wanted = new Set(items.flatMap(({ factId }) => factId ?? []));
  if (wanted.size === 0) return new Map();
  const facts = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true });
  return new Map(facts.flatMap((fact) => (wanted.has(fact.id) ? [[fact.id, fact] as const] : [])));
}

async function lookUpSummaries(memory: Memory, items: Items): Promise<Map<string, SessionSummary>> {
  const summaries = items.filter(({ kind }) => kind === 'summary');
  const sessionIds = [...new Set(summaries.map(({ sessionId }) => sessionId))];
  const found = await Promise.all(
    sessionIds.map(async (id) => [id, await memory.summary({ sessionId: id })] as const),
  );
  return new Map(found.flatMap(([id, summary]) => (summary ? [[id, summary] as const] : [])));
}

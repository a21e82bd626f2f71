import type { ContextNote } from './context-log.ts';
import type { ChatMemory, StoredMessage } from '../src/index.ts';

/** What the sources of an answer say now: messages by id, and titles of conversations by their id. */
export interface Sources {
  messages: ReadonlyMap<string, StoredMessage>;
  titles: ReadonlyMap<string, string>;
}

/** Reads the sources of these contexts from the transcript; what has been forgotten is not among them. */
export async function lookUpSources(
  memory: ChatMemory,
  notes: readonly ContextNote[],
  titles: ReadonlyMap<string, string>,
): Promise<Sources> {
  const recalled = notes.flatMap(({ items }) => items.filter(({ kind }) => kind === 'recalled'));
  const wanted = new Set(recalled.flatMap(({ sources }) => sources));
  const sessionIds = [...new Set(recalled.map(({ sessionId }) => sessionId))];
  const histories = await Promise.all(sessionIds.map((id) => memory.history(id)));
  const messages = new Map(
    histories.flatMap((history) =>
      history.flatMap((message) => (wanted.has(message.id) ? [[message.id, message] as const] : [])),
    ),
  );
  return { messages, titles };
}

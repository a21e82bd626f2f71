import type { StoredMessage } from '../src/index.ts';

/** Where the metadata of a turn names the messages that its answer tells of. */
const TOLD_OF = 'toldOf';

/** What is kept with a turn whose answer tells of these messages; undefined where it tells of none. */
export function toldOfMetadata(messageIds: readonly string[]): Record<string, unknown> | undefined {
  return messageIds.length === 0 ? undefined : { [TOLD_OF]: [...new Set(messageIds)] };
}

/** Ids of the messages that an answer of the page itself tells of. */
export function toldOf(message: StoredMessage): readonly string[] {
  const ids = message.role === 'assistant' ? message.metadata?.[TOLD_OF] : undefined;
  return Array.isArray(ids) ? ids.map(String) : [];
}

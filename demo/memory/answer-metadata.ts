import type { StoredMessage } from '../../src/index.ts';

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

/** The field of a message's metadata that says why the answer failed. */
const FIELD = 'failure';
/** An endpoint may answer with a whole page. */
const MAX_CHARACTERS = 500;

/** The metadata of a message that says why its answer failed. */
export function failureMetadata(error: unknown): { readonly [FIELD]: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { [FIELD]: reason.slice(0, MAX_CHARACTERS) };
}

/** Why the answer among these messages failed, where that is known. */
export function failureOf(messages: readonly Pick<StoredMessage, 'metadata'>[]): string | undefined {
  for (const { metadata } of messages) {
    const failure = metadata?.[FIELD];
    if (typeof failure === 'string') return failure;
  }
  return undefined;
}

import type { StoredMessage } from '../../src/index.ts';

/** Metadata field with the ids of the messages that an answer of the page is based on. */
const SOURCES = 'answerSources';

/** Metadata of a turn whose answer is based on these messages, or undefined if there are none. */
export function answerSourcesMetadata(messageIds: readonly string[]): Record<string, unknown> | undefined {
  return messageIds.length === 0 ? undefined : { [SOURCES]: [...new Set(messageIds)] };
}

/** Ids of the messages that an answer of the page itself is based on. */
export function answerSources(message: StoredMessage): readonly string[] {
  const ids = message.role === 'assistant' ? message.metadata?.[SOURCES] : undefined;
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Metadata field with the reason why the answer failed. */
const FAILURE = 'failure';
/** An endpoint may answer with a whole HTML page. */
const MAX_CHARACTERS = 500;

/**
 * Metadata of an answer that failed with this error. It is stored with the answer alone and goes with it, because an
 * endpoint may quote what was sent to it.
 */
export function failureMetadata(error: unknown): { readonly [FAILURE]: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { [FAILURE]: reason.slice(0, MAX_CHARACTERS) };
}

/** Why the answer among these messages failed, or undefined if no reason was stored. */
export function failureOf(messages: readonly Pick<StoredMessage, 'metadata'>[]): string | undefined {
  for (const { metadata } of messages) {
    const failure = metadata?.[FAILURE];
    if (typeof failure === 'string') return failure;
  }
  return undefined;
}

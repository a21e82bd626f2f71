import type { UIMessage } from 'ai';
import type { RememberReceipt, JsonValue, Memory } from '../../../index.ts';
import { prefixOf } from '../../record-key.ts';
import { withoutQuotes } from '../memory-replies.ts';
import { noteStored } from './shown-on-page.ts';

/** The namespace of the records that hold UI messages. */
const NAMESPACE = 'ai-sdk/ui-messages';

/**
 * Stores the UI messages of a turn, with parts and metadata that a stored turn cannot hold. They are erased with any
 * message of the turn.
 */
export async function putUITurn(
  memory: Memory,
  chatId: string,
  { turnId, messageIds }: Pick<RememberReceipt, 'turnId' | 'messageIds'>,
  messages: readonly UIMessage[],
): Promise<void> {
  const ties = { sessionId: chatId, messageIds };
  // A tool of the page may return values that JSON cannot represent, such as a date.
  const value = withoutQuotes(JSON.parse(JSON.stringify(messages)) as JsonValue);
  await memory.records(NAMESPACE).put(`${prefixOf(chatId)}${turnId}`, value, ties);
  noteStored(memory, chatId, messages);
}

/** Returns the stored UI messages of a chat by the ids of their turns, those of replaced turns included. */
export async function listUITurns<Message extends UIMessage>(
  memory: Memory,
  chatId: string,
  signal?: AbortSignal,
): Promise<Map<string, readonly Message[]>> {
  const turns = await listStoredUITurns<Message>(memory, chatId, signal);
  return new Map(turns.map(({ turnId, shown }) => [turnId, shown]));
}

/** The UI messages of a turn, with the ids of the stored messages that they show, in the order of the turn. */
export interface StoredUITurn<Message extends UIMessage = UIMessage> {
  readonly turnId: string;
  readonly shown: readonly Message[];
  readonly messageIds: readonly string[];
}

/** Returns the turns of a chat that a page has shown, including replaced turns; the turn stored last is last. */
export async function listStoredUITurns<Message extends UIMessage>(
  memory: Memory,
  chatId: string,
  signal?: AbortSignal,
): Promise<StoredUITurn<Message>[]> {
  const prefix = prefixOf(chatId);
  const rows = await memory.records(NAMESPACE).list({ prefix, ...(signal ? { signal } : {}) });
  return rows
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .map(({ key, value, messageIds }) => ({
      turnId: key.slice(prefix.length),
      shown: value as unknown as Message[],
      messageIds,
    }));
}

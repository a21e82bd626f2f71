import type { UIMessage } from 'ai';
import type { AppendReceipt, JsonValue, Memory } from '../../index.ts';
import { prefixOf } from '../record-key.ts';

/** The namespace of the records that hold UI messages. */
const NAMESPACE = 'ai-sdk/ui-messages';

/**
 * Stores the UI messages of a turn, with the parts and metadata that a stored turn has no place for. They are erased with
 * any of the turn's messages.
 */
export async function putUITurn(
  memory: Memory,
  chatId: string,
  { turnId, messageIds }: Pick<AppendReceipt, 'turnId' | 'messageIds'>,
  messages: readonly UIMessage[],
): Promise<void> {
  const ties = { sessionId: chatId, messageIds };
  // A tool that runs on the page may return what JSON does not have, such as a date.
  const value = JSON.parse(JSON.stringify(messages)) as JsonValue;
  await memory.records(NAMESPACE).put(`${prefixOf(chatId)}${turnId}`, value, ties);
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

/** Returns the turns of a chat that a page has shown, those of replaced turns included; the last one stored is last. */
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

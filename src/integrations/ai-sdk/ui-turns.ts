import type { UIMessage } from 'ai';
import type { AppendReceipt, JsonValue, Memory } from '../../index.ts';

/** A turn as a page shows it: the user message with the answers to it. */
export interface UITurn<Message extends UIMessage = UIMessage> {
  readonly turnId: string;
  readonly messages: readonly Message[];
}

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
  const value = { turnId, messages: messages as unknown as JsonValue };
  await memory
    .records(NAMESPACE)
    .put(keyOf(chatId, messages[0]?.id ?? turnId), value, { sessionId: chatId, messageIds });
}

/** Returns the stored UI messages of a chat by the ids of their turns. */
export async function listUITurns<Message extends UIMessage>(
  memory: Memory,
  chatId: string,
  signal?: AbortSignal,
): Promise<Map<string, UITurn<Message>>> {
  const options = { prefix: keyOf(chatId, ''), ...(signal ? { signal } : {}) };
  const rows = await memory.records(NAMESPACE).list(options);
  const turns = rows.map(({ value }) => value as unknown as UITurn<Message>);
  return new Map(turns.map((turn) => [turn.turnId, turn]));
}

/** Keys of a chat are adjacent, and no other chat's begin like them. */
function keyOf(chatId: string, messageId: string): string {
  return `${encodeURIComponent(chatId.toWellFormed())} ${messageId}`;
}

import type { ChatMessage } from '../../model/message.ts';
import type { ChatMemoryList } from './chat-memory-list.ts';

/** Makes the answer to a user message: what the model says, tool calls and results included. */
export type AnswerTurn = (messages: ChatMessage[]) => Promise<ChatMessage | readonly ChatMessage[]>;

/**
 * Runs one turn and stores it whole: nothing is written before the answer is there, so that a call that fails leaves
 * nothing behind and can be tried again.
 */
export async function runTurn(
  list: ChatMemoryList,
  userMessage: ChatMessage,
  answer: AnswerTurn,
  signal: AbortSignal | undefined,
): Promise<ChatMessage[]> {
  signal?.throwIfAborted();
  const answered = await answer(await list.messages([userMessage]));
  signal?.throwIfAborted();
  const added: readonly ChatMessage[] = Array.isArray(answered) ? answered : [answered as ChatMessage];
  await list.addAll([userMessage, ...added]);
  return list.messages();
}

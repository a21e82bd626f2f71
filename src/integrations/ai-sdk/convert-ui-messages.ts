import { convertToModelMessages, type UIMessage } from 'ai';
import type { ChatMessage } from '../../index.ts';
import { toChatMessages, type PromptMessage } from './prompt-messages.ts';

/** Converts UI messages to stored messages. Tool calls without a result are left out. */
export async function fromUIMessages(messages: readonly UIMessage[]): Promise<ChatMessage[]> {
  const converted = await convertToModelMessages([...messages], { ignoreIncompleteToolCalls: true });
  return toChatMessages(converted as readonly PromptMessage[]);
}

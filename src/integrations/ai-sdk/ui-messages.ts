import type { UIMessage } from 'ai';
import type { Memory } from '../../index.ts';
import { checkMemory } from '../../model/check-memory.ts';

/**
 * Returns the messages of a chat in the form that `useChat` accepts, oldest first; an empty list for an unknown chat.
 *
 * Messages stored by `memoryTransport` or `saveUIMessages` are returned with all their parts and metadata. Other turns
 * of the session, such as those of `remember`, are shown with their texts and tool calls. Replaced turns are left out.
 *
 * @param chatId id of the chat, which is the id of the session
 * @throws MnemoraError `invalid-input`, and the `storage-…` codes
 * @example
 * const messages = await loadUIMessages(memory, 'trip');
 * const chat = useChat({ id: 'trip', messages, transport });
 */
export async function loadUIMessages<Message extends UIMessage = UIMessage>(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal } = {},
): Promise<Message[]> {
  checkMemory(memory);
  const { loadChat } = await import('./chats/stored-ui-messages.ts');
  return (await loadChat(memory, chatId, options)) as Message[];
}

/**
 * Stores the messages of a chat, for a page that has its own transport: call it when an answer has ended. Turns that
 * are already stored are skipped; from the first turn that differs, the given turns replace the stored ones. Nothing is
 * deleted: messages that are missing at the end stay stored, and `forget` erases them.
 *
 * @param chatId id of the chat, which becomes the id of the session
 * @throws MnemoraError `invalid-message` if these are not UI messages, naming the first that is not one; `invalid-input`, and
 *   the `storage-…` codes. The chat is unchanged then, or ends after a whole turn
 * @example
 * const chat = useChat({ id: 'trip', transport, onFinish: ({ messages }) => saveUIMessages(memory, 'trip', messages) });
 */
export async function saveUIMessages(
  memory: Memory,
  chatId: string,
  messages: readonly UIMessage[],
): Promise<void> {
  checkMemory(memory);
  const { saveChat } = await import('./chats/stored-ui-messages.ts');
  return saveChat(memory, chatId, messages);
}

import { useChat } from '@ai-sdk/react';
import type { ChatInit, LanguageModel, UIMessage } from 'ai';
import type { ReactElement } from 'react';
import { createMemory } from 'mnemora';
import { loadUIMessages, memoryTransport } from 'mnemora/ai-sdk';

/** Opens a chat without a server, with all its earlier messages. Await it once, then render what it returns. */
export async function openChat(model: LanguageModel, id: string): Promise<ReactElement> {
  const memory = await createMemory({ assetsUrl: '/mnemora/' });
  const transport = memoryTransport(memory, { model });
  return <Chat id={id} transport={transport} messages={await loadUIMessages(memory, id)} />;
}

function Chat(chat: ChatInit<UIMessage>): ReactElement {
  const { messages, sendMessage, status, error } = useChat(chat);
  const isAnswering = status === 'submitted' || status === 'streaming';
  return (
    <form action={(form) => void sendMessage({ text: form.get('question') as string })}>
      {messages.map(({ id, parts }) => (
        <p key={id}>{parts.map((part) => (part.type === 'text' ? part.text : ''))}</p>
      ))}
      {error ? <p role="alert">{error.message}</p> : undefined}
      <input name="question" aria-label="Message" placeholder="Message" disabled={isAnswering} />
    </form>
  );
}

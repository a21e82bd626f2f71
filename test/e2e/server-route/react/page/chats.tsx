import { useChat } from '@ai-sdk/react';
import type { ChatTransport, UIMessage } from 'ai';
import type { Memory } from 'mnemora';
import { loadUIMessages } from 'mnemora/ai-sdk';
import { MemoryProvider, useSources } from 'mnemora/react';
import { useState, type ReactElement } from 'react';
import { lineOf } from '../../message-text.ts';

interface OpenChat {
  readonly id: string;
  readonly messages: UIMessage[];
}

interface ChatsProps {
  readonly memory: Memory;
  readonly transport: ChatTransport<UIMessage>;
  readonly first: OpenChat;
}

/** Shows one of two chats. */
export function Chats({ memory, transport, first }: ChatsProps): ReactElement {
  const [chat, setChat] = useState(first);
  const open = async (id: string): Promise<void> =>
    setChat({ id, messages: await loadUIMessages(memory, id) });
  return (
    <MemoryProvider memory={memory}>
      <select aria-label="Chat" value={chat.id} onChange={(event) => void open(event.target.value)}>
        <option>trip</option>
        <option>second</option>
      </select>
      <Chat {...chat} transport={transport} />
    </MemoryProvider>
  );
}

function Chat(init: OpenChat & { readonly transport: ChatTransport<UIMessage> }): ReactElement {
  const { messages, sendMessage, regenerate, stop, status, error } = useChat(init);
  const [edited, setEdited] = useState<string>();
  const send = (form: FormData): void => {
    const text = String(form.get('question'));
    setEdited(undefined);
    void sendMessage(edited === undefined ? { text } : { text, messageId: edited });
  };
  return (
    <>
      <ol aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id}>
            <p>{lineOf(message)}</p>
            {message.role === 'user' ? (
              <button onClick={() => setEdited(message.id)}>Edit</button>
            ) : (
              <Sources message={message} />
            )}
          </li>
        ))}
      </ol>
      <form action={send}>
        <input name="question" aria-label="Message" />
      </form>
      <button onClick={() => void regenerate()}>Regenerate</button>
      <button onClick={() => void stop()}>Stop</button>
      <p role="status">{status}</p>
      {error ? <p role="alert">{error.message}</p> : undefined}
    </>
  );
}

/** What an answer used, as far as its metadata says that it used something. */
function Sources({ message }: { readonly message: UIMessage }): ReactElement | undefined {
  const { data = [] } = useSources(message.id);
  const { mnemora } = Object(message.metadata) as { mnemora?: { sources: readonly object[] } };
  if (!mnemora) return undefined;
  return (
    <details open>
      <summary>{JSON.stringify(mnemora.sources)}</summary>
      <ul aria-label="Sources">
        {data.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

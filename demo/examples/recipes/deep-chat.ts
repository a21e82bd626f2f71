import type { DeepChat } from 'deep-chat';
import type { Signals } from 'deep-chat/dist/types/handler';
import { withMemory, type LLM, type Memory } from 'mnemora';

/** Shows the memory's session in a `<deep-chat>` element, and answers there with what memory recalls. */
export async function connectMemory(element: DeepChat, llm: LLM, memory: Memory): Promise<void> {
  const chat = withMemory(llm, memory);
  const shown = (await memory.history()).filter(({ role }) => role === 'user' || role === 'assistant');
  element.history = shown.flatMap(({ role, content }) =>
    typeof content === 'string' ? [{ role: role === 'user' ? 'user' : 'ai', text: content }] : [],
  );
  const answer = async (question: string, signals: Signals): Promise<void> => {
    const stop = new AbortController();
    signals.stopClicked.listener = () => stop.abort();
    signals.onOpen();
    try {
      for await (const text of chat.stream(question, stop)) await signals.onResponse({ text });
    } catch (error) {
      signals.onClose(); // deep-chat loses an error that is sent as a response before any text
      if (!stop.signal.aborted) element.addMessage({ error: String(error) });
    }
    signals.onClose();
  };
  element.connect = {
    stream: true,
    handler: ({ messages }, signals) => void answer(messages.at(-1).text, signals),
  };
}

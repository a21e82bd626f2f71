import { type ReactElement, useEffect, useState } from 'react';
import { type LLM, withMemory } from 'mnemora';
import { useMemory } from 'mnemora/react';

/** A chat that remembers, below a MemoryProvider. Create `llm` outside of your components. */
export function Chat({ llm }: { llm: LLM }): ReactElement {
  const { memory, error } = useMemory();
  const [ask, setAsk] = useState<(question: string) => AsyncIterable<string>>();
  const [lines, setLines] = useState<readonly string[]>([]);
  const [answer, setAnswer] = useState<string>(); // undefined while nothing is being answered

  useEffect(() => {
    if (!memory) return undefined;
    const mount = new AbortController();
    const { signal } = mount;
    const load = memory.history({ signal }).then((history) => {
      setLines(history.map(({ content }) => (typeof content === 'string' ? content : '')));
      setAsk(() => (question: string) => withMemory(llm, memory).stream(question, { signal }));
    });
    load.catch((cause: unknown) => signal.aborted || setLines([String(cause)]));
    return () => mount.abort();
  }, [llm, memory]);

  async function send(form: FormData): Promise<void> {
    const question = form.get('question');
    if (!ask || typeof question !== 'string') return;
    let text = '';
    setLines((before) => [...before, question]);
    setAnswer(text);
    try {
      for await (const piece of ask(question)) setAnswer((text += piece));
    } catch (failure) {
      text += String(failure);
    }
    setLines((before) => [...before, text]);
    setAnswer(undefined);
  }

  const shown = answer === undefined ? lines : [...lines, answer];
  return (
    <form action={(form) => void send(form)}>
      {error ? <p role="alert">{error.message}</p> : undefined}
      {shown.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      <input
        name="question"
        aria-label="Message"
        placeholder="Message"
        disabled={!ask || answer !== undefined}
      />
    </form>
  );
}

import { type ReactElement, useEffect, useState } from 'react';
import { createMemory, type LLM, withMemory } from '../../src/index.ts';

/** A chat that remembers. Create `llm` outside of your components: a new one opens the memory again. */
export function Chat({ llm }: { llm: LLM }): ReactElement {
  const [ask, setAsk] = useState<(question: string) => AsyncIterable<string>>();
  const [lines, setLines] = useState<readonly string[]>([]);
  const [answer, setAnswer] = useState<string>(); // undefined while nothing is being answered

  useEffect(() => {
    // StrictMode mounts twice, so each mount opens a memory of its own and closes it.
    const mount = new AbortController();
    const opening = createMemory({ sessionId: 'main', assetsUrl: '/mnemora/' });
    const load = opening.then(async (memory) => {
      const history = await memory.history();
      mount.signal.throwIfAborted();
      setLines(history.map(({ content }) => (typeof content === 'string' ? content : '')));
      setAsk(() => (question: string) => withMemory(llm, memory).stream(question, { signal: mount.signal }));
    });
    load.catch((error: unknown) => mount.signal.aborted || setLines([String(error)]));
    return () => {
      mount.abort();
      opening.then((memory) => memory.close()).catch(() => undefined);
    };
  }, [llm]);

  async function send(form: FormData): Promise<void> {
    const question = form.get('question');
    if (!ask || typeof question !== 'string') return;
    let text = '';
    setLines((before) => [...before, question]);
    setAnswer(text);
    try {
      for await (const piece of ask(question)) setAnswer((text += piece));
    } catch (error) {
      text += String(error);
    }
    setLines((before) => [...before, text]);
    setAnswer(undefined);
  }

  const shown = answer === undefined ? lines : [...lines, answer];
  return (
    <form action={(form) => void send(form)}>
      {shown.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      <input name="question" aria-label="Message" disabled={!ask || answer !== undefined} />
    </form>
  );
}

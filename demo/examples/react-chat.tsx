import { type ReactElement, useEffect, useState } from 'react';
import { type LLM, withMemory } from '../../src/index.ts';
import { MemoryProvider, useFacts, useMemory, useSearch } from '../../src/integrations/react.ts';

/** A chat that remembers, what it knows, and a search of all that was said. */
export function Chat({ llm }: { llm: LLM }): ReactElement {
  return (
    <MemoryProvider options={{ sessionId: 'main', assetsUrl: '/mnemora/' }}>
      <Conversation llm={llm} />
      <Facts />
      <Search />
    </MemoryProvider>
  );
}

function Facts(): ReactElement {
  const { data: facts = [] } = useFacts({ about: 'I' }); // read again after each change, in whatever tab
  return (
    <ul aria-label="Facts">
      {facts.map(({ id, predicate, object }) => (
        <li key={id}>{`${predicate} ${object}`}</li>
      ))}
    </ul>
  );
}

function Search(): ReactElement {
  const [query, setQuery] = useState('');
  const { data: found = [] } = useSearch(query, { role: 'user', limit: 5 });
  return (
    <search>
      <input aria-label="Search" value={query} onChange={({ target }) => setQuery(target.value)} />
      {found.map(({ id, content }) => (
        <p key={id}>{String(content)}</p>
      ))}
    </search>
  );
}

function Conversation({ llm }: { llm: LLM }): ReactElement {
  const { memory, error } = useMemory();
  const [ask, setAsk] = useState<(question: string) => AsyncIterable<string>>();
  const [lines, setLines] = useState<readonly string[]>([]);
  const [answer, setAnswer] = useState<string>(); // undefined while nothing is being answered

  useEffect(() => {
    const mount = new AbortController();
    const { signal } = mount;
    const show = (history: readonly { content: unknown }[]): void => {
      setLines(history.map(({ content }) => (typeof content === 'string' ? content : '')));
      setAsk(() => (question: string) => memory && withMemory(llm, memory).stream(question, { signal }));
    };
    memory?.history(undefined, { signal }).then(show, (cause: unknown) => signal.aborted || setLines([String(cause)]));
    return () => mount.abort(); // stops an answer that is under way
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
      <input name="question" aria-label="Message" disabled={!ask || answer !== undefined} />
    </form>
  );
}

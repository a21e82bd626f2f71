import { type ReactElement, useState } from 'react';
import type { LLM } from 'mnemora';
import { MemoryProvider, useFacts, useSearch } from 'mnemora/react';
import { Chat } from './react-chat.tsx';

/** A chat beside what it remembers. Facts and search results follow every change, in whatever tab. */
export function App({ llm }: { llm: LLM }): ReactElement {
  return (
    <MemoryProvider options={{ sessionId: 'main', assetsUrl: '/mnemora/' }}>
      <Chat llm={llm} />
      <Remembered />
    </MemoryProvider>
  );
}

function Remembered(): ReactElement {
  const [query, setQuery] = useState('');
  const { data: facts = [] } = useFacts({ about: 'I' });
  const { data: found = [] } = useSearch(query, { role: 'user' });
  const known = facts.map(({ id, predicate, object }) => <li key={id}>{`${predicate} ${object}`}</li>);
  const results = found.map(({ message, text }) => <li key={message.id}>{text}</li>);
  return (
    <aside>
      <ul>{known}</ul>
      <input
        aria-label="Search"
        placeholder="Search"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <ol>{results}</ol>
    </aside>
  );
}

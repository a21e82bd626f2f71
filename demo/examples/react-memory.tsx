import { type ReactElement, useState } from 'react';
import type { LLM } from '../../src/index.ts';
import { MemoryProvider, useFacts, useSearch } from '../../src/integrations/react.ts';
import { Chat } from './react-chat.tsx';

/** A chat beside what it remembers. The memory is opened when this is mounted, and closed when it is unmounted. */
export function App({ llm }: { llm: LLM }): ReactElement {
  return (
    <MemoryProvider options={{ sessionId: 'main', assetsUrl: '/mnemora/' }}>
      <Chat llm={llm} />
      <Remembered />
    </MemoryProvider>
  );
}

/** Facts about the user, and a search of what they have said. Both follow every change, in whatever tab. */
function Remembered(): ReactElement {
  const [query, setQuery] = useState('');
  const { data: facts = [] } = useFacts({ about: 'I' });
  const { data: found = [] } = useSearch(query, { role: 'user' });
  return (
    <aside>
      <ul>
        {facts.map(({ id, predicate, object }) => (
          <li key={id}>{`${predicate} ${object}`}</li>
        ))}
      </ul>
      <input aria-label="Search" value={query} onChange={({ target }) => setQuery(target.value)} />
      <ol>
        {found.map(({ id, content }) => (
          <li key={id}>{typeof content === 'string' && content}</li>
        ))}
      </ol>
    </aside>
  );
}

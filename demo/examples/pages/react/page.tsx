import { createRoot } from 'react-dom/client';
import '../page.css';
import type { LLM } from '../../../../src/index.ts';
import { App } from '../../react-memory.tsx';
import { scriptedAnswer } from '../scripted-answer.ts';

const llm: LLM = ({ messages, onToken }) => {
  const texts = messages.map(({ role, content }) =>
    role === 'user' && typeof content === 'string' ? content : undefined,
  );
  const text = scriptedAnswer(texts.filter((each) => each !== undefined));
  onToken?.(text);
  return Promise.resolve({ text });
};

createRoot(document.getElementById('root') ?? document.body).render(<App llm={llm} />);

import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { scriptedAIModel } from '../../../fakes/scripted-ai-model.ts';
import { dump } from '../../../fixtures/databases/raw-database.ts';
import { Chat } from './chat.tsx';
import { MemoryRuntime, openMemory } from './runtime.tsx';

declare global {
  interface Window {
    readonly threadsPage: {
      /** How often each word occurs in all object stores of all databases of this site. */
      wordsStored(words: readonly string[]): Promise<number[]>;
      /** The keys and values of the records of a namespace. */
      records(namespace: string): Promise<string[]>;
      /** Resolves when the work in the background is done. */
      settled(): Promise<void>;
      /** The texts that the memory finds. */
      search(query: string): Promise<string[]>;
      /** The texts of the last request to the model. */
      lastPrompt(): string;
    };
  }
}

const answers = Array.from({ length: 20 }, (_, index) => ({ say: `Answer ${index + 1}.` }));
const endless = { say: 'Answer without an end.', isEndless: true };
const { model, prompts } = scriptedAIModel(location.search === '?endless' ? [endless] : answers);
const memory = await openMemory();

const page = createElement(MemoryRuntime, { memory: memory as never, model, children: createElement(Chat) });
const root = createRoot(document.getElementById('root') ?? document.body);
root.render(createElement(StrictMode, undefined, page));

Object.assign(window, {
  threadsPage: {
    async wordsStored(words: readonly string[]) {
      const databases = await indexedDB.databases();
      const stored = await Promise.all(databases.map(({ name = '' }) => dump(name)));
      const text = JSON.stringify(stored);
      return words.map((word) => text.split(word).length - 1);
    },
    async records(namespace: string) {
      const rows = (await memory?.records(namespace).list()) ?? [];
      return rows.map(({ key, value }) => `${key} ${JSON.stringify(value)}`);
    },
    settled: async () => memory?.work.settled(),
    search: async (query: string) => ((await memory?.search(query)) ?? []).map(({ text }) => text),
    lastPrompt: () => JSON.stringify(prompts.at(-1)),
  },
});

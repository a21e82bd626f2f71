import { createMemory } from '../../../../src/index.ts';

declare global {
  interface Window {
    readonly first: {
      tell(text: string): Promise<void>;
      /** Returns what is recalled for a question. */
      ask(question: string): Promise<string>;
    };
  }
}

const memory = await createMemory({ assetsUrl: new URL('mnemora/', location.href).href });
Object.assign(window, {
  first: {
    async tell(text: string) {
      await memory.remember({ user: text, assistant: 'Noted.' }, { sessionId: 'before' });
      await memory.work.settled();
    },
    ask: async (question: string) => (await memory.recall(question)).text,
  },
});

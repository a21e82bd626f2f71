import { createMemory } from '../../../src/index.ts';

declare global {
  interface Window {
    readonly visit: Readonly<Record<'remember' | 'recall' | 'rest', () => Promise<unknown>>>;
  }
}

const memory = await createMemory({ assetsUrl: new URL('mnemora/', location.href).href });
Object.assign(window, {
  visit: {
    async remember() {
      await memory.remember({ user: 'My sister Hannah lives in Oslo.', assistant: 'Noted.' });
      await memory.work.settled();
    },
    recall: () => memory.recall('Where does my sister Hannah live?'),
    async rest() {
      await memory.search('Oslo');
      await memory.facts.list();
      await memory.backup.export();
      await memory.forget({ text: 'Hannah' });
    },
  },
});

import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { CORPORA } from '../../fixtures/other-languages.ts';

describe('search in other languages', () => {
  it.each(CORPORA.map((corpus) => [corpus.language, corpus] as const))(
    'SRCH-6: %s questions find their evidence first, by keywords alone',
    async (_language, { messages, questions }) => {
      const memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
      for (const [position, content] of messages.entries()) {
        const role = position % 2 === 0 ? 'user' : 'assistant';
        await memory.remember({ messages: [{ role, content }] }, { turnId: `t${position}` });
      }
      for (const [question, answer] of questions) {
        const hits = await memory.search(question, { limit: 3 });
        expect(hits[0]?.message.turnId, question).toBe(`t${answer}`);
      }
      await memory.close();
    },
  );
});

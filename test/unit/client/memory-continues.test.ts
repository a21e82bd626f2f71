import { expect, it, vi } from 'vitest';
import { createMemory, withMemory, type Memory } from '../../../src/index.ts';

const QUESTION = { role: 'user', content: 'Where is Zaphod?' } as const;
const ANSWER = { role: 'assistant', content: 'In Turin.' } as const;

function open(): Promise<Memory> {
  return createMemory({ storage: 'memory', embedder: false, sessionId: 's' });
}

it('MSG-27: a turn that has begun is continued', async () => {
  const memory = await open();
  await memory.remember({ messages: [QUESTION] }, { turnId: 't', state: 'pending' });
  const receipt = await memory.remember({ messages: [QUESTION, ANSWER] }, { turnId: 't', continues: true });
  expect(receipt).toMatchObject({ turnId: 't', duplicate: false });
  const again = await memory.remember({ messages: [QUESTION, ANSWER] }, { turnId: 't', continues: true });
  expect(again).toMatchObject({ turnId: 't', duplicate: true });
  expect(await memory.history()).toHaveLength(2);
});

it('MSG-27: a turn that was forgotten, or never began, is not continued, and nothing is stored', async () => {
  const memory = await open();
  await memory.remember({ messages: [QUESTION] }, { turnId: 't', state: 'pending' });
  await memory.forget({ turnId: 't' });
  for (const options of [{ turnId: 't' }, { turnId: 'other' }, {}]) {
    const continued = memory.remember({ messages: [QUESTION, ANSWER] }, { ...options, continues: true });
    await expect(continued).rejects.toMatchObject({ code: 'not-found' });
  }
  expect(await memory.sessions()).toEqual([]);
  expect(await (await memory.backup.export()).text()).not.toContain('Zaphod');
});

it('MSG-27: continues must be true or false', async () => {
  const memory = await open();
  const remembered = memory.remember({ messages: [QUESTION] }, { continues: 'yes' as never });
  await expect(remembered).rejects.toMatchObject({ code: 'invalid-option' });
  expect(await memory.sessions()).toEqual([]);
});

it.each([true, false])(
  'CHAT-13: a turn that is forgotten while it is answered is not stored again for a moment (answered: %s)',
  async (isAnswered) => {
    const memory = await open();
    const remember = vi.spyOn(memory, 'remember');
    const warned = vi.fn();
    memory.addEventListener('warning', warned);
    const chat = withMemory(async () => {
      await memory.forget({ sessionId: 's' });
      if (!isAnswered) throw new Error('no answer');
      return { text: ANSWER.content };
    }, memory);
    const [sent] = await Promise.allSettled([chat.send(QUESTION.content)]);
    expect(sent?.status).toBe(isAnswered ? 'fulfilled' : 'rejected');
    expect(remember.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled', 'rejected']);
    expect(await memory.sessions()).toEqual([]);
    expect(warned).not.toHaveBeenCalled();
  },
);

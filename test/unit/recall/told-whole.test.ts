import { describe, expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';
import type { RecalledContext } from '../../../src/recall/layout/context-item.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import { assemble, EMPTY, spoken } from '../../fixtures/context-input.ts';

/** Asks a memory in a new session after these turns, one a day. */
async function recalled(
  turns: readonly { readonly user: string; readonly assistant?: string }[],
  question: string,
  maxTokens: number,
): Promise<RecalledContext> {
  let now = Date.UTC(2026, 0, 5);
  const memory: Memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  for (const { user, assistant = 'Noted.' } of turns) {
    await memory.remember({ user, assistant }, { sessionId: 'earlier' });
    now += 86_400_000;
  }
  await memory.work.settled();
  const context = await memory.session('new').recall(question, { maxTokens });
  await memory.close();
  return context;
}

describe('whole turns', () => {
  it('REC-95: turns that search has not found are told whole where they fit, because of what the user states in them', async () => {
    const said = { user: 'what a week. I live in Odense with Oscar. boiler sings at night' };
    const recipes = Array.from({ length: 40 }, (_, n) => ({ user: `Give me ${n} recipes to cook tonight.` }));
    const { items } = await recalled([said, ...recipes], 'What should I cook for us tonight?', 400);
    const told = items.find(({ text }) => text.includes('boiler sings at night'));
    expect(told).toMatchObject({ kind: 'recalled', why: {} });
  });

  it('REC-96: a turn that does not fit is told without its answer, unless the question may be about the answer', async () => {
    const answer = `The river path is the best one. ${'It has lamps, benches and a bridge with a view. '.repeat(9)}`;
    const turns = [{ user: 'I run along the river every morning with Oscar.', assistant: answer }];
    const question = 'Where do I run with Oscar?';
    const small = await recalled(turns, question, 130);
    expect(small.text).toContain('I run along the river every morning with Oscar.');
    expect(small.text).not.toContain('lamps');
    const large = await recalled(turns, question, 600);
    expect(large.text).toContain('lamps');
  });

  it('REC-97: sentences with words of the question are told beside the claims of their message', async () => {
    const long = [
      'ok just off a night shift so bear with me.',
      "i'm a nurse on a cardiac ward in cork.",
      'patrick snores louder than the fridge does.',
      `is the kettle on, ${'honestly, '.repeat(40)}really?`,
    ].join(' ');
    const others = Array.from({ length: 3 }, (_, n) => ({ user: `Patrick sang song number ${n} today.` }));
    const { text } = await recalled([{ user: long }, ...others], 'Who is Patrick?', 260);
    expect(text).toContain('a nurse on a cardiac ward in cork');
    expect(text).toContain('patrick snores louder than the fridge does.');
    expect(text).not.toContain('kettle');
  });

  it('REC-107: of a message that is quoted in part, only what the quotation leaves out is told beside it', async () => {
    const long = [
      'ok just off a night shift so bear with me.',
      "i'm a nurse on a cardiac ward in cork.",
      'patrick snores louder than the fridge does.',
      `the kettle is the only thing that keeps me going, ${'honestly, '.repeat(40)}really.`,
    ].join(' ');
    const { text } = await recalled([{ user: long }], 'Who is Patrick?', 260);
    expect(text).toContain('the kettle is the only thing that keeps me going');
    for (const words of ['patrick snores', 'bear with me']) expect(text.split(words)).toHaveLength(2);
  });

  it('REC-97: what a message says later of the one who is asked about is told, and no words of others', async () => {
    const told = [
      "I'm a potter in Bristol and I rent a studio there.",
      'Oscar from the bakery built my kiln and said "I was a welder in a shipyard once, you know."',
      'The street was white and quiet for hours, with snow on each roof and on the old blue car.',
      'He is not a builder, he is our landlord.',
    ].join(' ');
    const { text } = await recalled([{ user: told }], 'Who is Oscar?', 115);
    expect(text).toContain('He is not a builder, he is our landlord.');
    expect(text).not.toMatch(/welder|quiet/u);
  });

  it('REC-12: a turn that is sent is not quoted again from another session, although a system message stands in it', () => {
    const said = spoken('My canoe is green.', 1);
    const { turnId } = said;
    const system: StoredMessage = { ...spoken('', 2), role: 'system', content: 'Be brief.', turnId };
    const again = { ...said, id: 'again', turnId: 'again', sessionId: 'earlier' };
    const { text } = assemble({
      ...EMPTY,
      raw: [[said, system]],
      recentTurns: 1,
      found: [{ messages: [again], score: 1, why: {} }],
    });
    expect(text).toBe('');
  });

  it('REC-98: a turn that takes the place of its own sentences is counted without them', () => {
    const said = {
      ...spoken('', 1),
      content: `I sing in a choir. ${'We meet in the old town hall. '.repeat(3)}`,
    };
    const found = [{ messages: [said], score: 1, why: {} }];
    const claims = [{ id: 'c', text: 'I sing in a choir.' }];
    const note = { text: 'I sing in a choir.', claims, sources: [said.id], turnId: said.turnId };
    const stated = [{ ...note, createdAt: said.createdAt, score: 1, why: {} }];
    const { tokens } = assemble({ ...EMPTY, found });
    const { text } = assemble({ ...EMPTY, found, stated, maxTokens: tokens });
    expect(text).toContain('old town hall');
  });
});

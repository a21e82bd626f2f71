import { beforeEach, describe, expect, it } from 'vitest';
import { answerWithoutModel } from '../../../demo/answers/answer-without-model.ts';
import { EXAMPLES } from '../../../demo/chat/empty-state.ts';
import { ContextLog } from '../../../demo/context/context-log.ts';
import { failureOf } from '../../../demo/memory/answer-metadata.ts';
import { answerSources } from '../../../demo/memory/answer-metadata.ts';
import type { Memory } from '../../../src/index.ts';
import { sessionStorageInRam } from '../../fixtures/session-storage.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const NEEDS_MODEL = 'Without a model I only know what you have told me. Connect a model to answer this.';
const UNKNOWN = 'I do not know that yet.';
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' }).format(Date.now());
const SAID_SO = `You said so on ${DAY}.`;

beforeEach(sessionStorageInRam);

/** Sends a message while no model is connected, and returns the answer of the page. */
async function say(memory: Memory, input: string): Promise<string> {
  let text = '';
  await answerWithoutModel({
    memory,
    input,
    contexts: new ContextLog('unit'),
    onContext: () => undefined,
    onToken: (piece) => (text += piece),
    signal: new AbortController().signal,
  });
  return text;
}

async function memoryAfter(...messages: string[]): Promise<Memory> {
  const memory = await memoryOf({ storage: 'memory', learning: { delayMs: 0 } });
  for (const message of messages) await say(memory, message);
  await memory.work.settled();
  return memory;
}

describe('an answer without a model', () => {
  it('DEMO-9: states the facts that answer the question, in the second person and with the day', async () => {
    const memory = await memoryAfter(
      'I live in Ghent',
      'my aunt Nora lives in Turin',
      'I work at Umicore',
      'we have a parrot called Kiwi',
    );
    expect(await say(memory, 'where do i live')).toBe(`You live in Ghent. ${SAID_SO}`);
    expect(await say(memory, 'Where does my aunt live?')).toBe(`Nora lives in Turin. ${SAID_SO}`);
    expect(await say(memory, 'where does Nora live now?')).toBe(`Nora lives in Turin. ${SAID_SO}`);
    expect(await say(memory, 'What is my job?')).toBe(`You work at Umicore. ${SAID_SO}`);
    expect(await say(memory, "what's my parrot called?")).toBe(`Your parrot is Kiwi. ${SAID_SO}`);
    expect(await say(memory, 'Who lives in Turin?')).toBe(`Nora lives in Turin. ${SAID_SO}`);
    expect(await say(memory, 'Where do I live? And where does Nora live?')).toBe(
      `You live in Ghent. ${SAID_SO}\n\nNora lives in Turin. ${SAID_SO}`,
    );
  });

  it('DEMO-9: quotes the sentence that answers, never a question, code or an earlier answer of the page', async () => {
    const memory = await memoryAfter(
      'where is the ladder',
      'fix this:\n```\nthe ladder is in the code\n```',
      'Long day. The ladder is behind the garage. I am off to bed.',
      'when does the chimney sweep come?',
    );
    const quoted = `You said on ${DAY}: “The ladder is behind the garage.”`;
    expect(await say(memory, 'Where is the ladder?')).toBe(quoted);
    expect(await say(memory.session('other'), 'where is my ladder')).toBe(quoted);
    expect(await say(memory, 'When does the chimney sweep come?')).not.toContain('“');
  });

  it('DEMO-9: does not quote other speakers or attachments', async () => {
    const memory = await memoryAfter();
    await memory.remember({
      messages: [{ role: 'user', name: 'Olga', content: 'The ladder is behind the church.' }],
    });
    const part = { type: 'text', text: 'The ladder is behind the school.', origin: 'document' } as const;
    await memory.remember({ messages: [{ role: 'user', content: [part] }] });
    expect(await say(memory, 'Where is my ladder?')).toBe(UNKNOWN);
  });

  it('DEMO-9: says what it does not know and what needs a model', async () => {
    const memory = await memoryAfter('I live in Ghent', 'my aunt Nora lives in Turin');
    expect(await say(memory, 'What is my blood type?')).toBe(UNKNOWN);
    expect(await say(memory, 'When is my birthday?')).toBe(UNKNOWN);
    expect(await say(memory, 'What does Nora do for a living?')).toBe(UNKNOWN);
    for (const text of [
      'What is the capital of Peru?',
      'write a limerick',
      'hello!',
      'Where do you live?',
      'capital of peru',
    ]) {
      expect(await say(memory, text)).toBe(NEEDS_MODEL);
    }
    expect(await say(memory, 'what is the capital of Peru')).toBe(NEEDS_MODEL);
    expect(await say(await memoryAfter(), 'Where do I live?')).toBe(UNKNOWN);
  });

  it('DEMO-9: the newest statement or correction wins, and facts that have ended are not stated', async () => {
    const memory = await memoryAfter(
      'I live in Ghent',
      'my girlfriend is Nora',
      'I live in Bruges now, not in Ghent',
      'Nora and I broke up',
    );
    expect(await say(memory, 'Where do I live?')).toBe(`You live in Bruges. ${SAID_SO}`);
    expect(await say(memory, 'Who is my girlfriend?')).toBe(UNKNOWN);
    const [home] = (await memory.facts.list({ about: 'me' })).filter(
      ({ predicate }) => predicate === 'lives in',
    );
    await memory.facts.correct(home?.id ?? '', { object: 'Ostend' });
    expect(await say(memory, 'Where do I live?')).toBe(`You live in Ostend. You entered this on ${DAY}.`);
    const [corrected] = (await memory.facts.list({ about: 'me' })).filter(
      ({ predicate }) => predicate === 'lives in',
    );
    await memory.forget({ factId: corrected?.id ?? '' });
    expect(await say(memory, 'Where do I live?')).not.toContain('Ostend');
  });

  it('DEMO-9: facts about other people do not answer questions about the user', async () => {
    const memory = await memoryAfter('my aunt Nora lives in Turin and likes opera');
    expect(await say(memory, 'where do I live?')).toBe(UNKNOWN);
    expect(await say(memory, 'what do I like?')).toBe(UNKNOWN);
  });

  it('DEMO-9: states everything known about the user if asked to', async () => {
    const memory = await memoryAfter('I live in Ghent', 'I am allergic to kiwis');
    expect(await say(memory, 'What do you know about me?')).toBe(
      `You are allergic to kiwis. You live in Ghent. ${SAID_SO}`,
    );
  });

  it('DEMO-8: acknowledges a statement with the facts that the rules understood, or with "Noted."', async () => {
    const memory = await memoryAfter();
    expect(await say(memory, 'I live in Ghent')).toBe('Noted: you live in Ghent.');
    expect(await say(memory, 'The ladder is behind the garage.')).toBe('Noted.');
    expect(await say(memory, '> I live in Rome\nfound this in a mail')).toBe('Noted.');
    expect(await say(memory, 'keep your answers short')).toBe('Noted.');
    expect(await say(memory, 'I work at Umicore. Where do I live?')).toBe(
      `Noted: you work at Umicore.\n\nYou live in Ghent. ${SAID_SO}`,
    );
  });

  it('DEMO-10: is a notice: in history with its sources, and not searched, recalled or learned from', async () => {
    const memory = await memoryAfter('I live in Ghent', 'Where do I live?');
    const history = await memory.history();
    const notices = history.filter(({ role }) => role === 'assistant');
    expect(notices.map((message) => ('origin' in message ? message.origin : ''))).toEqual([
      'notice',
      'notice',
    ]);
    expect(notices.map(answerSources)).toEqual([[history[0]?.id], [history[0]?.id]]);
    expect((await memory.search('Noted Ghent', { role: 'assistant' })).length).toBe(0);
    const { messages } = await memory.recall('Where do I live?');
    expect(JSON.stringify(messages)).not.toMatch(/Noted|You said so/u);
  });

  it('DEMO-10: is in no summary, and in no request after its turns have left the window', async () => {
    const memory = await memoryOf({
      storage: 'memory',
      embedder: false,
      learning: { delayMs: 0 },
      recentTurns: 1,
      maxTokens: 300,
    });
    for (const message of [
      'I live in Ghent, in a house by the water',
      'Where do I live?',
      'I am allergic to walnuts and to pollen in spring',
      'What am I allergic to?',
      'we have a parrot called Kiwi and a cat called Mo',
      'I work at Umicore since the spring of last year',
    ]) {
      await say(memory, message);
    }
    await memory.work.settled();
    const summary = await memory.summary();
    expect(summary?.text).toContain('walnuts');
    const { messages } = await memory.recall('Where do I live?');
    expect(summary?.text + JSON.stringify(messages)).not.toMatch(/Noted|You said|You live/u);
  });

  it('DEMO-10: leaves the turn cancelled and without an answer if it is aborted', async () => {
    const memory = await memoryAfter();
    const controller = new AbortController();
    const answering = answerWithoutModel({
      memory,
      input: 'Where do I live?',
      contexts: new ContextLog('unit'),
      onContext: () => controller.abort(),
      onToken: () => undefined,
      signal: controller.signal,
    });
    await expect(answering).rejects.toMatchObject({ name: 'AbortError' });
    expect(await memory.history()).toMatchObject([{ role: 'user', state: 'cancelled' }]);
  });

  it('DEMO-12: stores the reason with the turn if it fails, and the turn is not searched or learned from', async () => {
    const memory = await memoryAfter();
    const failing = answerWithoutModel({
      memory,
      input: 'I live in Ghent',
      contexts: new ContextLog('unit'),
      onContext: () => undefined,
      onToken: () => {
        throw new Error('The zebra could not be shown.');
      },
      signal: new AbortController().signal,
    });
    await expect(failing).rejects.toThrow('The zebra could not be shown.');
    await memory.work.settled();
    const history = await memory.history();
    expect(history.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(failureOf(history)).toBe('The zebra could not be shown.');
    expect(await memory.search('zebra')).toEqual([]);
  });

  it('DEMO-60: the suggestions of an empty chat, in their order, end in the sentence about the trip', async () => {
    const memory = await memoryAfter();
    const [trip, key, question] = EXAMPLES;
    expect(await say(memory, trip)).toBe(
      'Noted: your daughter is allergic to peanuts. Kept in your words: “we fly to Lisbon on the 3rd of May”.',
    );
    expect(await say(memory, key)).toBe(
      'Noted: your neighbor is Amira. Kept in your words: “the spare key is with our neighbor Amira”.',
    );
    const quoted = `You said on ${DAY}: “${trip}”`;
    expect(await say(memory, question)).toBe(quoted);
    expect(await say(memory.session('another'), question)).toBe(quoted);
    expect(await say(memory.session('another'), 'Where is the spare key?')).toContain(
      'with our neighbor Amira',
    );
  });

  it('DEMO-61: the newer of two statements about the same thing is the answer', async () => {
    const memory = await memoryAfter(
      'thinking of buying a cargo bike, its like 2300 euro',
      'wait no the bike is 2800 not 2300',
      'My name is Ines and I live in Porto with my cat Faro.',
      'i moved to braga last week',
    );
    const chat = memory.session('another');
    expect(await say(chat, 'how much is the cargo bike')).toContain('2800');
    expect(await say(chat, 'where do i live?')).toMatch(/braga/iu);
    expect(await say(chat, 'where do i live?')).not.toContain('Porto');
    expect(await say(chat, 'what is my name?')).toBe(`Your name is Ines. ${SAID_SO}`);
  });

  it('DEMO-62: no line of a pasted text or table is quoted as what the user said', async () => {
    const article = `CITY TRAMS TO RUN ALL NIGHT. ${'The council announced it on Monday. '.repeat(12)}`;
    const memory = await memoryAfter(
      `can u summarise this?\n\n${article}\nThe night trams live in the depot near the river.\n${article}`,
      `whats wrong here\n| week | shift | who picks up Ola |\n|---|---|---|\n| 2 | night | the neighbor |`,
      'I drive a tram',
    );
    for (const question of [
      'where do i live',
      'who do i live with?',
      'who picks up Ola in week 2?',
      'do we still have a car?',
      'When do the night trams run?',
    ]) {
      expect(await say(memory, question)).not.toMatch(/tram|ola|council/iu);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import { checkExtraction, type CheckedExtraction } from '../../../src/learning/check-extraction.ts';
import type { ExtractionInput, SourceMessage } from '../../../src/learning/extractor.ts';
import { supportOf } from '../../../src/learning/fact-support.ts';
import { llmExtractor } from '../../../src/learning/llm/llm-extractor.ts';
import { unsourcedWords } from '../../../src/learning/llm/unsourced-words.ts';
import { lineCheck } from '../../../src/learning/support/line-support.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';

const message = (id: string, role: SourceMessage['role'], text: string): SourceMessage => ({
  id,
  role,
  text,
  createdAt: Date.UTC(2026, 4, 2),
});

const INPUT: ExtractionInput = {
  messages: [
    message(
      'm1',
      'user',
      'We moved to Lisbon in March. I have two cats, Miso and Bean, and my sister hates leeks.',
    ),
    message('m2', 'user', 'vegan'),
    message('m3', 'user', '我住在里斯本，有两只猫。'),
    message('m4', 'user', 'Name the best swimmers of Lisbon, but I am not one anymore.'),
    message('m5', 'assistant', 'Ana, Rui, and you!'),
  ],
  context: [message('c1', 'user', 'Mara is my sister.')],
  entities: [{ name: 'Acme', aliases: ['Acme Corp'], summary: 'The company of Robert.' }],
  facts: [
    { id: 'f1', subject: 'user', predicate: 'has cat', object: 'Miso' },
    { id: 'f2', subject: 'user', predicate: 'is', object: 'a vegetarian' },
  ],
};

/** What becomes of a reply: through the model's reader and the check of what it proposes. */
async function learned(reply: object): Promise<CheckedExtraction> {
  const extractor = llmExtractor(scriptedLLM(JSON.stringify(reply)).llm);
  const extraction = await extractor.extract(INPUT);
  expect(extractor.isModel).toBe(true);
  return checkExtraction(extraction, INPUT, supportOf(INPUT));
}

async function fateOf(fact: object): Promise<unknown> {
  const whole = { subject: 'user', predicate: 'lives in', object: 'Lisbon', message: 'm1', ...fact };
  const { triples, rejected } = await learned({ entities: [], facts: [whole] });
  const [first] = triples;
  return first && first.statedBy !== 'model' ? first.object : rejected[0]?.reason;
}

describe('facts of a model', () => {
  it.each([
    ['the object is somewhere else in the message', { quote: 'I have two cats' }, 'object-not-in-quote'],
    ['the object was never said', { object: 'Porto', quote: 'We moved to Lisbon' }, 'object-not-in-quote'],
    [
      'the object says more than the quote',
      { object: 'Lisbon in Portugal', quote: 'We moved to Lisbon' },
      'object-not-in-quote',
    ],
    [
      'the object has another number',
      { predicate: 'has', object: 'three cats', quote: 'I have two cats' },
      'object-not-in-quote',
    ],
    [
      'the object is from another message',
      { object: 'vegan', quote: 'We moved to Lisbon' },
      'object-not-in-quote',
    ],
    ['the object is not in the message, without a quote', { object: 'Porto, Lisbon' }, 'object-not-in-quote'],
    [
      'the object is from the answer to it',
      { object: 'Rui', message: 'm4', quote: 'the best swimmers of Lisbon' },
      'object-not-in-quote',
    ],
    [
      'nothing denies what is known',
      { predicate: 'is not', object: 'a vegetarian', message: 'm5', quote: 'Ana, Rui, and you!' },
      'object-not-in-quote',
    ],
    [
      'a part of the quote says it of nobody',
      { subject: 'Mara', predicate: 'is sister of', object: 'I', quote: 'and my sister hates' },
      'predicate-not-in-quote',
    ],
    [
      'the quote says it of somebody else',
      { subject: 'Robert', predicate: 'hates', object: 'leeks', quote: 'my sister hates leeks' },
      'other-subject',
    ],
    ['the quote is put together', { quote: 'We moved to Lisbon I have two cats' }, 'quote-not-found'],
  ])('CHK-15: a fact waits for review: %s', async (_name, fact, reason) => {
    expect(await fateOf(fact)).toBe(reason);
  });

  it.each([
    ['the quote is one word', { quote: 'Lisbon' }, 'quote-too-short'],
    ['the quote is two words', { quote: 'to Lisbon' }, 'quote-too-short'],
  ])('CHK-16: a fact waits for review: %s', async (_name, fact, reason) => {
    expect(await fateOf(fact)).toBe(reason);
  });

  it.each([
    ['nobody named the subject', { subject: 'Marcus', quote: 'We moved to Lisbon' }, 'unknown-subject'],
    [
      'nobody named what is the user’s',
      { subject: "user's brother", quote: 'We moved to Lisbon' },
      'unknown-subject',
    ],
  ])('CHK-17: a fact waits for review: %s', async (_name, fact, reason) => {
    expect(await fateOf(fact)).toBe(reason);
  });

  it.each([
    ['the quote holds the object', { quote: 'We moved to Lisbon' }, 'Lisbon'],
    ['in another form', { predicate: 'has', object: 'Two cat', quote: 'I have two cats' }, 'Two cat'],
    ['the message stands for a quote', {}, 'Lisbon'],
    [
      'an answer of the assistant is about what was asked',
      { predicate: 'is', object: 'one of the best swimmers', message: 'm5', quote: 'Ana, Rui, and you!' },
      'one of the best swimmers',
    ],

    [
      'a whole message may be short',
      { predicate: 'is', object: 'vegan', message: 'm2', quote: 'Vegan' },
      'vegan',
    ],
    [
      'two words deny what is known',
      { predicate: 'is not', object: 'a vegetarian', message: 'm4', quote: 'am not' },
      'a vegetarian',
    ],
    [
      'characters count as words where words have no spaces',
      { predicate: '住在', object: '里斯本', message: 'm3', quote: '我住在里斯本' },
      '里斯本',
    ],
  ])('CHK-15: a fact is accepted: %s', async (_name, fact, object) => {
    expect(await fateOf(fact)).toBe(object);
  });

  it('CHK-15: facts of the rules are exempt, because they read "yes" as an answer', () => {
    const triple = {
      subject: 'user',
      predicate: 'lives in',
      object: 'Porto',
      messageId: 'm1',
      quote: 'We moved to Lisbon',
    };
    const extraction = { mentions: [], triples: [triple], unreadable: 0 };
    expect(checkExtraction(extraction, INPUT).triples).toHaveLength(1);
    expect(checkExtraction(extraction, INPUT, supportOf(INPUT)).triples).toMatchObject([
      { statedBy: 'model' },
    ]);
  });

  it('CHK-18: near-identical facts are stored as one, in the words already known', async () => {
    const quote = 'I have two cats, Miso and Bean';
    const fact = { subject: 'user', message: 'm1', quote };
    const { triples } = await learned({
      facts: [
        { ...fact, predicate: 'has', object: 'the cat Miso' },
        { ...fact, predicate: 'has a cat named', object: 'Miso' },
        { ...fact, predicate: 'has cats', object: 'Bean' },
        { ...fact, predicate: 'has', object: 'cat Bean' },
        { ...fact, predicate: 'does not have', object: 'cat Bean' },
      ],
    });
    expect(triples.map(({ predicate, object }) => `${predicate} ${object}`)).toEqual([
      'has cat Miso',
      'has cats Bean',
      'does not have cat Bean',
    ]);
  });
});

describe('notes of a model', () => {
  it('CHK-19: a note with a name or number that nobody said is replaced with what was said', async () => {
    const { mentions, rejected } = await learned({
      entities: [
        { name: 'Lisbon', message: 'm1', note: 'The user moved to Lisbon with Marcus.' },
        { name: 'Miso', message: 'm1', note: 'One of 3 cats.' },
        { name: 'Bean', message: 'm1', note: 'One of the 2 cats of the user, noted on 2026-05-02.' },
        { name: 'Mara', message: 'm1', note: 'Works with Gregor.' },
      ],
    });
    expect(mentions.map(({ name, note }) => [name, note])).toEqual([
      ['Lisbon', 'We moved to Lisbon in March.'],
      ['Miso', 'I have two cats, Miso and Bean, and my sister hates leeks.'],
      ['Bean', 'One of the 2 cats of the user, noted on 2026-05-02.'],
      ['Mara', undefined],
    ]);
    expect(rejected).toEqual([{ reason: 'unsupported-note', count: 3 }]);
  });
});

describe('names and numbers', () => {
  const SAID = `Human: i moved to lisbon w/ my sister mara, we have two cats and pay 1,500 a month. dinner is at 7pm on fri
AI: Enjoy Lisbon!`;

  it.each([
    ['The user lives in Lisbon with Marcus.', ['Marcus']],
    ['Marcus lives with the user.', ['Marcus']],
    ['They have cats. Marcus is the brother of the user.', ['Marcus']],
    ["Marcus's cats live in Lisbon.", ["Marcus's"]],
    ['- Name: Marcus', ['Marcus']],
    ['Anna Bell is visiting.', ['Anna', 'Bell']],
    ['The user has 3 cats.', ['3']],
    ['The user has three cats.', ['three']],
    ['The user pays 1,600 and has twenty-five cats.', ['1,600', 'twenty-five']],
    ['Dinner is at 8 on Monday.', ['Monday', '8']],
    ['Der Mensch lebt mit der Schwester in Lissabon und ist 40.', ['40']],
  ])('CHK-21: names and numbers are found in "%s"', (text, words) => {
    expect(unsourcedWords(text, [SAID]).toSorted()).toEqual(words.toSorted());
  });

  it.each([
    'The user (human) moved to LISBON with a sister, Mara. The AI wished them well.',
    'User and Mara have 2 cats. Rent: 1500. Dinner: 19:00 on Friday.',
    '1. Lives in Lisbon\n2. Has a sister\n3. Likes cats\n4. Dinner on Friday',
    'Moved to Lisbon. Shares a flat with Mara. “Enjoy Lisbon!” said the assistant.',
    'Der Mensch ist mit seiner Schwester nach Lisbon gezogen und hat eine Miete von 1.500.',
    '用户搬到了里斯本。',
    '',
  ])('CHK-21: no names or numbers are found in "%s"', (text) => {
    expect(unsourcedWords(text, [SAID])).toEqual([]);
  });
});

describe('summaries of a model', () => {
  async function summarizedAs(reply: string): Promise<{ text: string; warnings: Warning[] }> {
    const warnings: Warning[] = [];
    const memory = await createMemory({
      storage: 'memory',
      embedder: false,
      learning: {
        llm: async ({ messages }) => {
          const isSummary = JSON.stringify(messages).includes('running summary');
          return { text: isSummary ? reply : '{"entities":[],"facts":[]}' };
        },
        delayMs: 0,
      },
      recentTurns: 1,
      onWarning: (warning) => warnings.push(warning),
    });
    await memory.remember({ user: 'I moved to Lisbon with my sister Mara.', assistant: 'How nice!' });
    await memory.remember({ user: 'Thank you.', assistant: 'You are welcome.' });
    await memory.work.settled();
    const summary = await memory.summary();
    await memory.close();
    return { text: summary?.text ?? '', warnings };
  }

  it('CHK-20: a summary with a name or number that nobody said is made by rules instead', async () => {
    for (const reply of [
      'The user moved to Porto.',
      'The user and Mara moved to Lisbon in 2019.',
      'Marcus lives in Lisbon.',
    ]) {
      const { text, warnings } = await summarizedAs(reply);
      expect(text).not.toBe(reply);
      expect(text).toContain('Lisbon');
      expect(text).not.toMatch(/Porto|2019|Marcus/u);
      expect(warnings.map(({ code }) => code)).toEqual(['summary-refused']);
      expect(warnings[0]?.message).toContain('the conversation does not say so');
    }
  });

  it('CHK-20: a summary that adds no name or number is stored', async () => {
    const reply = 'The user moved to Lisbon with Mara, a sister.';
    expect(await summarizedAs(reply)).toEqual({ text: reply, warnings: [] });
  });
});

describe('sentences about what was said', () => {
  const supports = (said: string, sentence: string): boolean =>
    lineCheck([
      { speaker: 'user', text: said },
      { speaker: 'assistant', text: 'Okay.' },
    ])(sentence);

  it.each([
    ['I lent my brother Tom 200 euros.', 'Tom lent the user 200 euros.'],
    ['Our play has music and I do the lights. The lead is played by my niece Ana.', 'Ana does the lights.'],
    ['I am not allergic to nuts.', 'The user is allergic to nuts.'],
    ['I am allergic to nuts.', 'The user is not allergic to nuts.'],
    ['I might move to Oslo.', 'The user moves to Oslo.'],
    ['Should I move to Oslo?', 'The user moves to Oslo.'],
    ['My sister Mara likes tea.', 'The user likes tea.'],
    ['My sister Mara likes tea.', 'Mara, a convicted arsonist, likes tea.'],
    ['My sister Mara likes tea.', 'Mara hates tea.'],
    ['I am writing a story about a spy.', 'The user is a spy.'],
    ['I bake on Sundays.', 'The user runs a bakery.'],
  ])('CHK-27: "%s" does not support "%s"', (said, sentence) => {
    expect(supports(said, sentence)).toBe(false);
  });

  it.each([
    ['I lent my brother Tom 200 euros.', 'The user lent Tom 200 euros.'],
    ['I am not allergic to nuts.', 'The user is not allergic to nuts.'],
    ['I might move to Oslo.', 'The user is considering a move to Oslo.'],
    ['My sister Mara likes tea.', "The user's sister Mara likes tea."],
    ['My mum lives in Leeds.', "The user's mother lives in Leeds."],
  ])('CHK-27: "%s" supports "%s"', (said, sentence) => {
    expect(supports(said, sentence)).toBe(true);
  });
});

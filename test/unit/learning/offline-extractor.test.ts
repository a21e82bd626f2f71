import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExtractionInput, SourceMessage } from '../../../src/learning/extractor.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';

// Thousands of sentences are tagged here, next to other tests on the same cores.
vi.setConfig({ testTimeout: 60_000 });

const extractor = offlineExtractor();
const NOW = Date.UTC(2026, 0, 15);

/** `U: …` is the user's, `A: …` the assistant's, `T: …` a tool's. */
function messages(...lines: readonly string[]): SourceMessage[] {
  const roles = { U: 'user', A: 'assistant', T: 'tool' } as const;
  return lines.map((line, index) => ({
    id: `m${index}`,
    role: roles[line.charAt(0) as keyof typeof roles],
    text: line.slice(3),
    createdAt: NOW,
  }));
}

function input(...lines: readonly string[]): ExtractionInput {
  return { messages: messages(...lines), context: [], entities: [], facts: [] };
}

async function factsOf(...lines: readonly string[]): Promise<string[]> {
  const { triples } = await extractor.extract(input(...lines));
  return triples.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`);
}

const STATED: readonly (readonly [text: string, ...facts: string[]])[] = [
  ['I live in Paris.', 'user | lives in | Paris'],
  ['I moved to Rome last week.', 'user | lives in | Rome'],
  ['My dog is called Max.', 'user | has dog | Max'],
  ['My name is Jack.', 'user | is named | Jack'],
  ['I am Jack', 'user | is named | Jack'],
  ["i'm jack", 'user | is named | jack'],
  ["Hi, I'm Jack!", 'user | is named | Jack'],
  ['Call me Jack.', 'user | is named | Jack'],
  ['My favourite colour is red.', 'user | has favorite color | red'],
  ['Actually, my favorite color is blue, not red.', 'user | has favorite color | blue'],
  [
    'My favorite films are Inception and Memento.',
    'user | has among favorite films | Inception',
    'user | has among favorite films | Memento',
  ],
  ["I'm not handsome.", 'user | is not | handsome'],
  ['I moved to Rome.', 'user | lives in | Rome'],
  ['I moved from Paris to Rome.', 'user | lives in | Rome'],
  ["I've been living in Rome for years.", 'user | lives in | Rome'],
  ['I work at Acme.', 'user | works at | Acme'],
  ['I work for Siemens as an engineer.', 'user | works at | Siemens'],
  ['I got a new job at Google.', 'user | works at | Google'],
  ['I like tea and coffee.', 'user | likes | tea', 'user | likes | coffee'],
  ["I don't like tea or coffee.", 'user | does not like | tea', 'user | does not like | coffee'],
  ['I love hiking.', 'user | loves | hiking'],
  ['I hate Mondays.', 'user | hates | Mondays'],
  ['I own a Tesla.', 'user | owns | Tesla'],
  ['I have two kids.', 'user | has | two kids'],
  ["I've got a cat.", 'user | has | cat'],
  ['I have a dog named Max and a cat.', 'user | has dog | Max', 'user | has | cat'],
  ['I speak French and German.', 'user | speaks | French', 'user | speaks | German'],
  ['I play tennis every Sunday.', 'user | plays | tennis'],
  [
    "I'm allergic to peanuts and shellfish.",
    'user | is allergic to | peanuts',
    'user | is allergic to | shellfish',
  ],
  ['I was born on 5 July 1990 in Lima.', 'user | was born on | 5 July 1990', 'user | was born in | Lima'],
  ["I'm married to Anna.", 'user | is married to | Anna'],
  ["I'm no longer married to Anna.", 'user | is not married to | Anna'],
  ['I no longer live in Paris.', 'user | does not live in | Paris'],
  ["I don't work at Acme, I work at Globex.", 'user | does not work at | Acme', 'user | works at | Globex'],
  ['I live in Paris and work at Acme.', 'user | lives in | Paris', 'user | works at | Acme'],
  ["I'm vegetarian, what should I cook?", 'user | is | vegetarian'],
  ["I'm a nurse at St. Thomas Hospital.", 'user | is a | nurse', 'user | works at | St. Thomas Hospital'],
  ["I'm 34 years old.", 'user | has age | 34'],
  ['I am from Brazil.', 'user | is from | Brazil'],
  ['I never eat meat.', 'user | does not eat | meat'],
  ['My sister Emma lives in Oslo.', 'user | has sister | Emma', 'Emma | lives in | Oslo'],
  ['My mother, Rosa, lives in Lima.', 'user | has mother | Rosa', 'Rosa | lives in | Lima'],
  ["My brother's name is Tom.", 'user | has brother | Tom'],
  ['Emma is my sister.', 'user | has sister | Emma'],
  ['Sam is a friend of mine.', 'user | has friend | Sam'],
  ['My wife is a doctor.', "user's wife | is a | doctor"],
  ['My birthday is on May 5th.', 'user | has birthday | May 5th'],
  ['I told you that I live in Rome.', 'user | lives in | Rome'],
  ['Sarah lives in Berlin.', 'Sarah | lives in | Berlin'],
  ["Sam's favorite color is blue.", 'Sam | has favorite color | blue'],
  ['Elon Musk founded SpaceX in 2002.', 'Elon Musk | founded | SpaceX'],
  ['Inception was directed by Christopher Nolan.', 'Christopher Nolan | directed | Inception'],
  [
    'Sam and Deven are working on a hackathon project.',
    'Sam | is working on | hackathon project',
    'Deven | is working on | hackathon project',
  ],
  ['Paris is the capital of France.', 'France | has capital | Paris'],
  ['Acme, Inc. is based in Chicago.', 'Acme, Inc. | is based in | Chicago'],
  [
    'John is married to Mary and they live in Boston.',
    'John | is married to | Mary',
    'John | lives in | Boston',
    'Mary | lives in | Boston',
  ],
  [
    'My sister is called Emma. She lives in Oslo. Her husband is Lars. He works at Equinor.',
    'user | has sister | Emma',
    'Emma | lives in | Oslo',
    'Emma | has husband | Lars',
    'Lars | works at | Equinor',
  ],
];

const NOT_STATED: readonly string[] = [
  'Do I live in Paris?',
  'where do i live',
  'Is my name Jack?',
  'Would you live in Paris?',
  'I live in Paris, right?',
  'If I lived in Paris I would work at Acme.',
  'Maybe I live in Paris.',
  'I might move to Rome.',
  'I will move to Rome in May.',
  'I want to live in Rome.',
  "I'd like a coffee.",
  'I wish I lived in Rome.',
  "I'm going to move to Rome.",
  'I used to live in Paris.',
  'John said he lives in Paris.',
  'They say I live in Rome.',
  'I think Nolan directed Memento.',
  'Imagine I am a pirate.',
  'Pretend my name is Bob.',
  "I'm not sure whether I live in Paris.",
  '"I live in Rome" is a nice sentence.',
  'You live in Paris.',
  'He lives in Paris.',
  'I am tired.',
  'I have a question.',
  'I need help with my code.',
  'Thanks, that is great!',
  '我住在巴黎。',
];

describe('offlineExtractor', () => {
  it.each(STATED)('RULE-1: a statement becomes facts: %s', async (text, ...facts) => {
    expect(await factsOf(`U: ${text}`)).toEqual(facts);
  });

  it.each(NOT_STATED)('RULE-2: no fact is made of: %s', async (text) => {
    expect(await factsOf(`U: ${text}`)).toEqual([]);
  });

  it('RULE-3: the word "you" of an assistant is the user, and nothing is learned about the assistant', async () => {
    const said = 'A: You live in Paris. I live in the cloud. Your favorite color is red.';
    expect(await factsOf(said)).toEqual(['user | lives in | Paris', 'user | has favorite color | red']);
    expect(await factsOf('T: I live in Paris. You live in Rome.')).toEqual([]);
  });

  it('RULE-4: a pronoun refers to the last person mentioned', async () => {
    expect(await factsOf('U: sam is a friend', 'A: Nice!', 'U: her favorite color is red')).toEqual([
      'sam | is a | friend',
      'sam | has favorite color | red',
    ]);
    expect(await factsOf('U: Anna met Tom.', 'U: She lives in Oslo and he lives in Rome.')).toEqual([
      'Anna | met | Tom',
      'Anna | lives in | Oslo',
      'Tom | lives in | Rome',
    ]);
  });

  it('RULE-5: if two people fit a pronoun, it refers to neither', async () => {
    expect(await factsOf('U: Look at Tom and Peter.', 'U: He lives in Oslo.')).toEqual([]);
  });

  it('RULE-6: a pronoun can refer to somebody named before the messages', async () => {
    const { triples } = await extractor.extract({
      ...input('U: her favorite color is red'),
      context: messages('U: sam is a friend'),
    });
    expect(triples).toEqual([
      {
        subject: 'sam',
        predicate: 'has favorite color',
        object: 'red',
        messageId: 'm0',
        quote: 'her favorite color is red',
      },
    ]);
  });

  it('RULE-7: films by one director become facts about the director, stated, asked for or added', async () => {
    const story = [
      'U: Can you recommend films?',
      'A: You might consider "Interstellar" and "Inception", both sci-fi films directed by Christopher Nolan.',
      'U: What other films has he directed?',
      'A: "Memento" and "The Dark Knight".',
      'U: Thanks!',
      'A: He also directed **Dunkirk**.',
    ];
    expect(await factsOf(...story)).toEqual(
      ['Interstellar', 'Inception', 'Memento', 'The Dark Knight', 'Dunkirk'].map(
        (film) => `Christopher Nolan | directed | ${film}`,
      ),
    );
  });

  it('RULE-8: a short answer becomes a fact with its question', async () => {
    expect(await factsOf("A: What's your name?", 'U: Jack', 'A: Where do you live?', 'U: In Paris.')).toEqual(
      ['user | is named | Jack', 'user | lives in | Paris'],
    );
    expect(await factsOf('A: How old are you?', 'U: 34')).toEqual(['user | has age | 34']);
    expect(await factsOf("A: What's your name?", 'U: I would rather not say')).toEqual([]);
    expect(await factsOf('U: Who directed Jaws?', 'A: Steven Spielberg.')).toEqual([
      'Steven Spielberg | directed | Jaws',
    ]);
  });

  it('RULE-9: "I\'m not" denies what was just said about the user', async () => {
    const facts = await factsOf(
      'U: Name three of the most handsome men',
      'A: Daniel Wu, Andy Lau, and you!',
      "U: You're wrong; I'm not.",
    );
    expect(facts.slice(-2)).toEqual([
      'user | is one of | the most handsome men',
      'user | is not one of | the most handsome men',
    ]);
  });

  it('RULE-10: a fact holds since the time that is stated, if one is', async () => {
    const { triples } = await extractor.extract(
      input('U: I have lived in Berlin since 2019.', 'U: I live in Rome since May.', 'U: I work at Acme.'),
    );
    expect(triples.map(({ validFrom }) => validFrom)).toEqual([
      Date.UTC(2019, 0, 1),
      Date.UTC(2025, 4, 1),
      undefined,
    ]);
  });

  it('RULE-11: names, places, organizations and dates are mentioned, with the sentence about them', async () => {
    const said = 'Sarah Connor moved to Berlin on 3 March 2021.';
    const { mentions } = await extractor.extract(
      input(`U: ${said} Is Angela Merkel at Stanford University?`),
    );
    expect(mentions).toEqual([
      { name: 'Sarah Connor', messageId: 'm0', note: said },
      { name: 'Berlin', messageId: 'm0', note: said },
      { name: '3 March 2021', messageId: 'm0', note: said },
      { name: 'Angela Merkel', messageId: 'm0' },
      { name: 'Stanford University', messageId: 'm0' },
    ]);
  });

  it('RULE-12: any text is read without an error, quotes are part of it, and so are names', async () => {
    const word = fc.constantFrom(
      ...`I my you she her Sam's Emma Paris is am not live lives in at with "The Matrix" called , . ? and because that
      who since 2019 directed by don't It's have been 3 March`.split(/\s+/u),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const given = input(`A: ${first}`, `U: ${second}`);
        const { triples, mentions } = await extractor.extract(given);
        const all = plain(`${first}\n${second}`);
        for (const { messageId, quote, subject, object } of triples) {
          expect(given.messages.find(({ id }) => id === messageId)?.text).toContain(quote);
          for (const name of [subject, object]) expectKnown(name, all);
        }
        for (const { name } of mentions) expectKnown(name, all);
        expect(await extractor.extract(given)).toEqual({ triples, mentions, unreadable: 0 });
      }),
      { numRuns: 150 },
    );
  });

  it('RULE-13: only the first 20,000 characters of a message are read', async () => {
    const filler = 'Nothing to see here. '.repeat(1000);
    expect(await factsOf(`U: I live in Rome. ${filler}${filler} I work at Acme.`)).toEqual([
      'user | lives in | Rome',
    ]);
    for (const text of ['a', '"', 'Name, ', 'I am ', "b' "].map((part) =>
      part.repeat(1_000_000 / part.length),
    )) {
      await expect(extractor.extract(input(`U: ${text}`))).resolves.toMatchObject({ unreadable: 0 });
    }
  });

  it('RULE-14: a summary keeps facts about the user and what was said once through 200 turns about other things', async () => {
    let summary = await extractor.summarize({
      summary: '',
      newLines: 'Human: My name is Jack and I hate rain.\nAI: It is sunny and 25 degrees in Paris.',
    });
    for (let turn = 0; turn < 200; turn++) {
      const newLines = `Human: I'd like to visit Rome in ${turn} days. What about hotel number ${turn}?\nAI: The Grand Hotel ${turn} in Oslo costs ${turn} dollars, and tour ${turn} starts at noon.`;
      summary = await extractor.summarize({ summary, newLines, maxTokens: 100 });
      expect(summary.length).toBeLessThanOrEqual(400);
    }
    expect(summary).toContain('Human: My name is Jack and I hate rain.');
    expect(summary).toContain('AI: It is sunny and 25 degrees in Paris.');
  });

  it('RULE-15: a summary repeats nothing, is never empty, and is the same for the same input', async () => {
    const newLines = 'Human: I live in Paris.\nAI: Good.\nHuman: I live in Paris.';
    const summary = await extractor.summarize({ summary: 'Human: I live in Paris.', newLines });
    expect(summary.match(/Paris/gu)).toHaveLength(1);
    expect(await extractor.summarize({ summary: 'Human: I live in Paris.', newLines })).toBe(summary);
    expect(await extractor.summarize({ summary: '', newLines: '' })).not.toBe('');
  });

  it('RULE-18: an abort rejects with its reason', async () => {
    const signal = AbortSignal.abort();
    await expect(extractor.extract({ ...input('U: hi'), signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

const TYPED: readonly (readonly [text: string, ...facts: string[]])[] = [
  ['got 2 cats, miso and bean btw', 'user | has cat | miso', 'user | has cat | bean'],
  ['tbh im allergic to walnuts lol', 'user | is allergic to | walnuts'],
  ['ok so i just moved to Ghent', 'user | lives in | Ghent'],
  ['dad is a retired tram driver', "user's dad | is a retired | tram driver"],
  ["can't eat gluten", 'user | cannot eat | gluten'],
  ['my husband boris works from home', 'user | has husband | boris', 'boris | works | from home'],
  ['Vera (my aunt) is coming', 'user | has aunt | Vera'],
  ['my mum (Rosa, 79) lives in Lima', 'user | has mum | Rosa', 'Rosa | lives in | Lima'],
  ["im a barber in Atlanta, mondays i'm off", 'user | is a | barber', 'user | is based in | Atlanta'],
  ["I don't really like coffee, tea all the way", 'user | does not like | coffee'],
  ['As a nurse, I see this a lot', 'user | is a | nurse'],
];

const NOT_UNDERSTOOD: readonly string[] = [
  'I love the color of it',
  'I live in hope',
  'I moved to the next question',
  'I have a table called users',
  'I am in over my head',
  'I work hard for it',
  'I hate this',
  'My character lives in Rome',
  'Write a poem in which I live in Rome',
  'Summarize this for me:\nI am allergic to dogs and I live in Kisumu.',
  'My friend thinks I am a doctor',
  'I play to win',
];

describe('clauses', () => {
  it.each(TYPED)('RULE-20: casual typing is understood: %s', async (text, ...facts) => {
    expect(await factsOf(`U: ${text}`)).toEqual(facts);
  });

  it.each(NOT_UNDERSTOOD)(
    'RULE-21: a clause that is not understood completely gives no fact: %s',
    async (text) => {
      expect(await factsOf(`U: ${text}`)).toEqual([]);
    },
  );

  it('RULE-22: general knowledge from an assistant or a tool gives no fact, and its names are mentioned', async () => {
    const said = 'Burkina Faso has the capital Ouagadougou. Sarah Connor lives in Oslo.';
    for (const role of ['A', 'T']) {
      const { triples, mentions } = await extractor.extract(input(`${role}: ${said}`));
      expect(triples).toEqual([]);
      expect(mentions.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Ouagadougou', 'Sarah Connor', 'Oslo']),
      );
    }
  });

  const ENDED: readonly (readonly [known: string, said: string])[] = [
    ['has girlfriend | Marta', 'we broke up'],
    ['is dating | Marta', 'broke up with marta last week'],
    ['works at | Acme', 'i quit'],
    ['works at | Acme', 'Got fired yesterday.'],
    ['has | piano', 'we sold the piano'],
    ['has dog | Max', 'Max died'],
    ['smokes | cigars', 'I quit smoking cigars'],
    ['plays | tennis', 'I used to play tennis'],
    ['is married to | Ana', 'we got divorced'],
  ];

  it.each(ENDED)('RULE-23: "%s" is ended by "%s"', async (known, said) => {
    const [predicate = '', object = ''] = known.split(' | ');
    const fact = { id: 'f', subject: 'user', predicate, object };
    const other = { id: 'g', subject: 'user', predicate: 'has sister', object: 'Lena' };
    const { triples } = await extractor.extract({ ...input(`U: ${said}`), facts: [fact, other] });
    expect(triples.filter(({ validTo }) => validTo !== undefined)).toMatchObject([
      { subject: 'user', predicate, object, validTo: NOW, supersedes: ['f'] },
    ]);
  });

  it('RULE-24: what is retracted immediately gives no fact', async () => {
    expect(await factsOf('U: I live in Paris. Scratch that. I live in Rome.')).toEqual([
      'user | lives in | Rome',
    ]);
    const fact = { id: 'f', subject: 'user', predicate: 'lives in', object: 'Paris' };
    const { triples } = await extractor.extract({
      ...input('U: wait, scratch that'),
      context: messages('U: I live in Paris.'),
      facts: [fact],
    });
    expect(triples).toMatchObject([{ object: 'Paris', validTo: NOW, supersedes: ['f'] }]);
  });
});

describe('loading the rules', () => {
  afterEach(() => {
    vi.doUnmock('compromise/two');
    vi.resetModules();
  });

  it('RULE-19: rules that cannot be loaded reject the call, and the next one tries again', async () => {
    vi.resetModules();
    vi.doMock('compromise/two', () => {
      throw new Error('offline');
    });
    const fresh = (await import('../../../src/learning/rules/offline-extractor.ts')).offlineExtractor();
    await expect(fresh.extract(input('U: hi'))).rejects.toMatchObject({ code: 'model-unavailable' });
    vi.doUnmock('compromise/two');
    expect((await fresh.extract(input('U: I live in Paris'))).triples).toMatchObject([{ object: 'Paris' }]);
  });

  it.each([{ assetsUrl: '' }, { assetsUrl: 7 }, { signal: 'stop' }, { assetUrl: '/mnemora/' }])(
    'RULE-29: the option %j is rejected',
    (options) => {
      expect(() => offlineExtractor(options as object)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    },
  );

  it('RULE-25: the word classes are evaluated, used for the first time, and used for a text in three tasks', async () => {
    vi.resetModules();
    const pauses = vi.spyOn(globalThis, 'MessageChannel');
    const pausesAtUse: number[] = [];
    vi.doMock('compromise/two', () => ({
      default: () => {
        pausesAtUse.push(pauses.mock.calls.length);
        return { json: () => [] };
      },
    }));
    const { loadWordClasses } = await import('../../../src/language/tagging/word-classes.ts');
    const wordClasses = await loadWordClasses();
    wordClasses('I live in Paris.');
    vi.doUnmock('compromise/two');
    pauses.mockRestore();
    expect(pausesAtUse).toEqual([1, 2]);
  });
});

function expectKnown(name: string, all: string): void {
  if (name === 'user') return;
  const parts = plain(name.replace(/^user's /u, '')).split("'s ");
  for (const part of parts) expect(all).toContain(part);
}

/** As names are written: a comma stands at its word. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ').replaceAll(' ,', ',');
}

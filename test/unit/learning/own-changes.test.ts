import { expect, it, vi } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import type { KnownFact, SourceMessage } from '../../../src/learning/extractor.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';

vi.setConfig({ testTimeout: 60_000 });

const extractor = offlineExtractor();
const SAID_AT = Date.UTC(2026, 0, 15);

/** Returns what is known after the messages, one after the other, with the day on which it ends. */
async function knownAfter(...texts: readonly string[]): Promise<string[]> {
  const context: SourceMessage[] = [];
  let known: (KnownFact & { readonly validTo?: number })[] = [];
  for (const [index, text] of texts.entries()) {
    const message = { id: `m${index}`, role: 'user', text, createdAt: SAID_AT } as const;
    const facts = known;
    const { triples } = await extractor.extract({ messages: [message], context, entities: [], facts });
    const over = new Set(triples.flatMap(({ supersedes = [] }) => supersedes));
    const told = triples.flatMap(({ supersedes, ...triple }, at) =>
      supersedes ? [] : [{ ...triple, id: `f${index}.${at}` }],
    );
    known = [...known.filter(({ id }) => !over.has(id)), ...told];
    context.push(message);
  }
  return known.map(({ subject, predicate, object, validTo }) => {
    const end = validTo === undefined ? [] : [new Date(validTo).toISOString().slice(0, 10)];
    return [subject, predicate, object, ...end].join(' | ');
  });
}

const DEADLINE = 'deadline 20th each month';
const LIVES = 'I live in Bern.';

it.each([
  [
    ['I retired in 2014.', 'I wrote that I retired in 2014; it was in fact 2013.'],
    ['user | retired in | 2013'],
  ],
  [[LIVES, "I said I live in Bern but it's Basel"], ['user | lives in | Basel']],
  [[LIVES, 'I said I live in Bern, it was a joke'], []],
  [[LIVES, 'She said I live in Bern; it was Basel'], ['user | lives in | Bern']],
  [[LIVES, "it's not Bern, it's Basel"], ['user | lives in | Bern']],
  [[DEADLINE, 'deadline moved. 12th now'], ['user | has deadline on | 12th']],
  [[DEADLINE, 'Is the deadline moved?'], ['user | has deadline on | 20th']],
  [[DEADLINE, 'the deadline could be moved to the 12th'], ['user | has deadline on | 20th']],
  [[DEADLINE, 'my brother moved. 12th now'], ['user | has deadline on | 20th']],
  [['My boss is Ana Ruiz.', "boss changed, it's Dr Ivo Tell now"], ['user | has boss | Dr Ivo Tell']],
  [['My boss is Ana Ruiz.', "boss changed her mind, it's Basel now"], ['user | has boss | Ana Ruiz']],
  [['I charge 50 an hour.', 'I charge 60 an hour now'], ['user | charges | 60 an hour']],
  [['I charge 50 an hour.', "fee's going up: 60"], ['user | charges | 60']],
  [
    ['I charge 50 an hour.', 'I charge 300 a day now'],
    ['user | charges | 50 an hour', 'user | charges | 300 a day'],
  ],
  [['I charge 50 an hour.', 'my friend charges 60 an hour now'], ['user | charges | 50 an hour']],
  [['I work nights.', 'I got off nights!'], []],
])('RULE-82: %s', async ([first = '', then = ''], facts) => {
  const known = await knownAfter(first, then);
  expect([...new Set(known)]).toEqual(facts);
});

it.each([
  ['my exam is on 5 May', 'user | has exam on | 5 May | 2026-05-06'],
  ['I have a viva on 3 March 2027', 'user | has viva on | 3 March 2027 | 2027-03-04'],
  ['my wedding is in June', 'user | has wedding on | June | 2026-07-01'],
  ['my birthday is on 5 May', 'user | has birthday | 5 May'],
  ['deadline 20th each month', 'user | has deadline on | 20th'],
  ['my exam is on 5 May each year', 'user | has exam on | 5 May'],
])('RULE-83: %s', async (text, fact) => {
  expect(await knownAfter(text)).toEqual([fact]);
});

it.each([
  ['I quit my job at Acme', 'user | works at | Acme | 2026-01-15'],
  ['left my old job at the bank', 'user | works at | bank | 2026-01-15'],
  ['I quit the app', undefined],
  ['He said he quit Acme', undefined],
])('RULE-84: %s', async (text, fact) => {
  expect(await knownAfter(text)).toEqual(fact === undefined ? [] : [fact]);
});

it('RULE-85: somebody who is no name takes the pronoun', async () => {
  expect(await knownAfter('Ida came to see me.', 'and inspector says hi. She hates perfume.')).toEqual([]);
  expect(await knownAfter('My mum (Moira) is ill.', 'Mum thinks Ida is Jean. She loves jazz.')).toEqual([
    'user | has mum | Moira',
    'Moira | loves | jazz',
  ]);
});

it('RULE-86: rules know the facts of the user although a message says neither I nor we', async () => {
  await using memory = await createMemory({ storage: 'memory', embedder: false });
  for (const user of [`My ${DEADLINE}.`, 'deadline moved. 12th now'])
    await memory.remember({ user, assistant: 'OK.' });
  await memory.work.settled();
  const facts = await memory.facts.list();
  expect(facts.map(({ predicate, object }) => `${predicate} ${object}`)).toEqual(['has deadline on 12th']);
});

/** What is asked, wished, supposed, quoted, said by others or of others, or not meant. */
const NOT_THE_USERS = `
Do I live in Paris?
Should I move to Berlin?
If I lived in Rome I'd be happy
I wish I had a dog
What if I quit smoking?
I might be promoted to manager
Would you say I'm on the board?
I could do nights
I'd be doing nights if I could
I almost decided to get a dog
I never decided to leave Acme
Let's say I'm a Belarusian citizen
Imagine I'm in 11th grade
I'm on the fence
I'm in love
selling shoes is hard
taking stock of things
doing homework with my son
working on a Saturday?
been meaning to learn Korean
been wondering if I live in the right city
dropped the ball
gave up on it
switched off the light
applied pressure to the wound
The bill is due 5 May
When is the essay due, 5 May?
the deadline could be moved to 5 May
I was told the exam was moved to 5 May
if the wedding is called off we lose the deposit
the exchange rate is up 3
their fee is going up to 60
if my rate is 50 an hour, what is my income?
my resting rate is 60
now 91 kg?
no way please
members only please
in english only please
no thanks please
My new crush Ingrid
my fake wife Ana
my so-called friend Tom
my hero Tom
Husband material
Boss fight in a game
Colleague of mine is ill
Anyone here?
I live with it
I live with my choices
I don't do it
I don't do well
You don't drive
I don't fly tomorrow
I don't have a clue
I have no words
I have no choice
I'm the only person who cares
I'm in sales mode
I'm off to work
I'm starting over
planning a trip to the shops
my plan is called off
my cat is called a menace
my shop is in trouble
work is in full swing
I'm teaching tonight
I'm playing tennis tonight
I'm collecting my son
I'm coaching tomorrow
I'm a fan of yours
huge fan of that
I run errands
I left the gym early
I left the group chat
I code in my sleep
I'm in my second year of marriage
I grew up in a hurry
I moved from the chair
I'm from the future
my mom thinks I'm in Paris
Tom's working hours are long
translate: I live in Oslo and work at Acme`
  .trim()
  .split('\n');

it.each(NOT_THE_USERS)('RULE-2: %s', async (text) => {
  expect(await knownAfter(text)).toEqual([]);
});

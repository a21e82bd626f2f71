import { expect, it, vi } from 'vitest';
import { createMemory } from '../../../../src/client/create-memory.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { learned } from '../../../fixtures/retold.ts';

vi.setConfig({ testTimeout: 60_000 });

const DAY = 86_400_000;

/** Returns the facts that hold after messages of the user, three days apart. */
async function factsAfter(...texts: readonly string[]): Promise<Set<string>> {
  let now = Date.UTC(2026, 0, 15);
  await using memory = await createMemory({
    ...{ storage: 'memory', embedder: false, tokenizer: approximateTokenizer(), clock: () => now },
    learning: { extractor: offlineExtractor(), delayMs: 0 },
  });
  for (const user of texts) {
    now += 3 * DAY;
    await memory.remember({ user, assistant: 'OK.' }, { sessionId: 'told' });
    await learned(memory);
  }
  now += 3 * DAY;
  const facts = await memory.facts.list();
  return new Set(facts.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`));
}

type Case = readonly [texts: readonly string[], ...facts: string[]];

const OSLO = 'I live in Oslo.';
const HOME = 'user | lives in | Oslo';

it.each([
  [[OSLO, 'I work as a chef in Leeds now.'], HOME, 'user | works as | chef', 'user | is based in | Leeds'],
  [[OSLO, 'My office is in Leeds.'], HOME, 'user | is based in | Leeds'],
  [[OSLO, "I'm in Berlin."], HOME, 'user | is based in | Berlin'],
  [["I'm a nurse in Leeds", OSLO], HOME, 'user | is a | nurse', 'user | is based in | Leeds'],
  [[OSLO, "I'm based in Berlin."], 'user | lives in | Berlin'],
  [["I'm based in Berlin.", 'I moved to Oslo.'], HOME],
  [[OSLO, 'I sold my flat in Leeds.'], HOME],
])('RULE-91: where the user works or is ends no home: %s', async (...[texts, ...facts]: Case) => {
  expect(await factsAfter(...texts)).toEqual(new Set(facts));
});

it.each([
  [['I drink coffee.', "I don't drink coffee with milk."], 'user | drinks | coffee'],
  [["I don't like fish with bones."]],
  [["My daughter doesn't eat vegetables at school."]],
  [["I don't eat meat for ethical reasons."], 'user | does not eat | meat'],
  [["I can't eat gluten due to celiac disease."], 'user | cannot eat | gluten'],
  [['I drink coffee.', "I don't drink coffee at all."], 'user | does not drink | coffee'],
  [['I drink coffee.', "I don't drink coffee anymore."], 'user | does not drink | coffee'],
])(
  'RULE-92: a negation that a phrase limits denies nothing more, and a reason limits none: %s',
  async (...[texts, ...facts]: Case) => {
    expect(await factsAfter(...texts)).toEqual(new Set(facts));
  },
);

it.each([
  [["I've lived in Japan."]],
  [["I've worked for Google."]],
  [["I've owned a Tesla."]],
  [[OSLO, 'I have lived in Rome, Paris and Berlin.'], HOME],
  [["I've lived in Japan for two years."], 'user | lives in | Japan'],
  [[OSLO, 'I moved to Bergen when I was 18.'], HOME],
  [[OSLO, 'I moved to Bergen for my studies ten years ago.'], HOME],
  [['I moved to Bergen ten years ago.'], 'user | lives in | Bergen'],
  [[OSLO, 'I moved to Bergen at 18 and to Oslo at 25.'], HOME],
  [[OSLO, 'In 2010 I moved to Bergen.'], HOME],
  [[OSLO, "I've lived in Bergen since 2024."], 'user | lives in | Bergen'],
  [['I work at Acme.', "I've been working at Apex since 2024."], 'user | works at | Apex'],
])(
  'RULE-93: what has been is a fact of now only if it goes on, and then ends the one before: %s',
  async (...[texts, ...facts]: Case) => {
    expect(await factsAfter(...texts)).toEqual(new Set(facts));
  },
);

it.each([
  [
    ['I take warfarin.', 'I stopped taking warfarin for two days before my surgery.'],
    'user | takes | warfarin',
  ],
  [['I take warfarin.', 'I stopped taking warfarin.']],
  [['I work nights.', "I'm off nights this week."], 'user | works | nights'],
  [['I work nights.', "I'm off nights."]],
  [[OSLO, 'We left Oslo for the weekend.'], HOME],
  [[OSLO, 'We left Oslo last summer.']],
])('RULE-94: what is over for a while only goes on: %s', async (...[texts, ...facts]: Case) => {
  expect(await factsAfter(...texts)).toEqual(new Set(facts));
});

it.each([
  [
    ['I work at Acme.', 'I also work at a bar on weekends.'],
    'user | works at | Acme',
    'user | also works at | bar',
  ],
  [[OSLO, 'In summer I live in Spain.'], HOME, 'user | also lives in | Spain'],
  [['I work at Acme.', 'I work at Apex now.'], 'user | works at | Apex'],
  [[OSLO, 'Also, I moved to Bergen.'], 'user | lives in | Bergen'],
  [["I'm Leonard.", 'Call me Leo.'], 'user | is named | Leonard', 'user | goes by | Leo'],
  [['Call me Leo.'], 'user | is named | Leo'],
])(
  'RULE-95: a second job, a second home and a form of address end nothing: %s',
  async (...[texts, ...facts]: Case) => {
    expect(await factsAfter(...texts)).toEqual(new Set(facts));
  },
);

it.each([
  [[OSLO, 'No, I meant I live in Bergen.'], 'user | lives in | Bergen'],
  [['My email is a@b.com.', 'My email has changed to c@d.com.'], 'user | has email | c@d.com'],
  [['My favorite color is red.', 'My favorite color changed to blue.'], 'user | has favorite color | blue'],
  [['My favorite color is red.', 'My mood changed to blue.'], 'user | has favorite color | red'],
])('RULE-82: what the user says to have changed or to have meant: %s', async (...[texts, ...facts]: Case) => {
  expect(await factsAfter(...texts)).toEqual(new Set(facts));
});

it.each([
  [['I like jazz.', "I can't stand jazz."], 'user | cannot stand | jazz'],
  [['I like jazz.', "I can't stand opera."], 'user | likes | jazz', 'user | cannot stand | opera'],
  [['I am single.', 'I got married to Eva last week.'], 'user | is married to | Eva'],
  [['I am unemployed.', 'I work at Acme now.'], 'user | works at | Acme'],
  [['I am pregnant.', 'I gave birth to a boy.']],
  [['I take warfarin.', 'I was taken off warfarin.']],
  [['I take warfarin.', "I'm off to take warfarin."], 'user | takes | warfarin'],
  [['I have cancer.', "I'm cancer free!"]],
  [['I have cancer.', 'I am not cancer free.'], 'user | has | cancer'],
])('RULE-96: a fact ends when its opposite is stated: %s', async (...[texts, ...facts]: Case) => {
  expect(await factsAfter(...texts)).toEqual(new Set(facts));
});

it.each([
  [['I quit Facebook.']],
  [['I work at Bosch.', "I've retired!"]],
  [['I work at Bosch.', 'Bosch let me go.']],
  [['I work at Bosch.', 'Bosch did not let me go.'], 'user | works at | Bosch'],
  [["I'm a treasurer.", 'I stepped down as treasurer.']],
  [['I grow dahlias.', "I've stopped growing dahlias."]],
  [['I grow dahlias.', "I've stopped selling dahlias."], 'user | grows | dahlias'],
  [['My wife Maud passed away.']],
  [['We had to put our cat Luna down.']],
  [['My flatmate Ana moved out.']],
  [['My son Tom moved out.'], 'user | has son | Tom'],
])('RULE-97: what a clause says to be over is no fact of now: %s', async (...[texts, ...facts]: Case) => {
  expect(await factsAfter(...texts)).toEqual(new Set(facts));
});

it.each([
  [["Me and Jo adopted a dog, she's called Luna."], 'Jo | is named | Luna'],
  [['Anna visited. She brought her dog, she is called Bella.'], 'Anna | is named | Bella'],
])(
  'RULE-98: who has a name is given no other one by a pronoun: %s',
  async (...[texts, wrong]: readonly [readonly string[], string]) => {
    expect(await factsAfter(...texts)).not.toContain(wrong);
  },
);

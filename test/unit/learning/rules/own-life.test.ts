import { expect, it, vi } from 'vitest';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';

vi.setConfig({ testTimeout: 60_000 });

const extractor = offlineExtractor();

async function factsOf(text: string): Promise<string[]> {
  const message = { id: 'm', role: 'user', text, createdAt: Date.UTC(2026, 0, 15) } as const;
  const { triples } = await extractor.extract({
    messages: [message],
    context: [],
    entities: [],
    facts: [],
  });
  return triples.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`);
}

/** A rule, a text, and its facts. */
const TOLD: readonly (readonly [rule: string, text: string, ...facts: string[]])[] = [
  ['RULE-70', 'Our choir club in Port Louis is old.', 'user | is based in | Port Louis'],
  ['RULE-70', 'I moved into a small house in Ghent all by myself', 'user | lives in | Ghent'],
  ['RULE-70', 'We came from Lima to Turin last year.', 'user | lives in | Turin', 'user | is from | Lima'],
  ['RULE-70', 'my uncle in Boston would laugh', "user's uncle | lives in | Boston"],
  ['RULE-70', 'I am from Chile, now living in Bern.', 'user | is from | Chile', 'user | lives in | Bern'],
  ['RULE-70', 'my old flat in Oslo was loud'],
  ['RULE-70', "my parents' flat in Oslo is loud"],
  [
    'RULE-71',
    "I'm Dana, 45, a prison officer, from Leeds",
    'user | is named | Dana',
    'user | has age | 45',
    'user | is a | prison officer',
    'user | is from | Leeds',
  ],
  ['RULE-71', "I'm 64, ex-notary", 'user | has age | 64', 'user | was a | notary'],
  ['RULE-71', "I'm married to Ana, a teacher", 'user | is married to | Ana'],
  [
    'RULE-71',
    'Hi, I’m Dana, vegan, 45',
    'user | is named | Dana',
    'user | is | vegan',
    'user | has age | 45',
  ],
  [
    'RULE-71',
    "I'm a cook in Ghent, 29",
    'user | is a | cook',
    'user | is based in | Ghent',
    'user | has age | 29',
  ],
  ['RULE-71', 'originally from Ghana', 'user | is from | Ghana'],
  ['RULE-71', 'Ukrainian here, in Vilnius', 'user | is | Ukrainian', 'user | is based in | Vilnius'],
  ['RULE-71', 'French here is spoken by all'],
  ['RULE-71', 'I like my boss, a teacher'],
  ['RULE-72', 'In Chile I was a pharmacist.', 'user | was a | pharmacist'],
  ['RULE-72', 'On Mondays I play chess.', 'user | plays | chess'],
  ['RULE-72', 'In my novel I live in Rome.'],
  ['RULE-72', 'In the game I play a wizard.'],
  ['RULE-73', 'im a nurse i work nights', 'user | is a | nurse', 'user | works | nights'],
  ['RULE-73', 'i play chess n i have two cats', 'user | plays | chess', 'user | has | two cats'],
  ['RULE-73', "I'd take him, we live in Bern", 'user | lives in | Bern'],
  ['RULE-73', "mum says he's a doctor he works at Acme"],
  ['RULE-73', "Imagine I'm a chef, I live in Rome, I have two cats"],
  ['RULE-73', 'I would live in Rome, work at Acme and have two cats'],
  ['RULE-74', 'my sons Tom and Ben are here', 'user | has son | Tom', 'user | has son | Ben'],
  ['RULE-74', 'my kids (Ida 5, Jonas 8) are fine', 'user | has child | Ida', 'user | has child | Jonas'],
  ['RULE-74', 'Cats: Miso and Bean', 'user | has cat | Miso', 'user | has cat | Bean'],
  ['RULE-74', 'Agenda: Miso and Bean'],
  ['RULE-75', 'on metformin now', 'user | takes | metformin'],
  ['RULE-75', 'nurse on nights', 'user | is a | nurse', 'user | works | nights'],
  ['RULE-75', 'no car either', 'user | does not have | car'],
  ['RULE-75', 'no car insurance for me'],
  ['RULE-75', 'on it now'],
  ['RULE-76', 'Race is Sunday 18 October', 'user | has race on | Sunday 18 October'],
  ['RULE-76', 'Our wedding is in June.', 'user | has wedding on | June'],
  ['RULE-76', "Tom's wedding is on 5 June.", 'Tom | has wedding on | 5 June'],
  ['RULE-76', 'my thesis is due in May', 'user | has thesis due on | May'],
  ['RULE-76', 'rent is due 5 May'],
  ['RULE-76', 'My rate is 50 an hour.', 'user | charges | 50 an hour'],
  ['RULE-76', 'my heart rate is 60'],
  ['RULE-76', 'the interest rate is now 5'],
  ['RULE-76', 'weight now 91 btw', 'user | has weight | 91'],
  ['RULE-76', 'age now 50 million years'],
  ['RULE-76', 'My boat is called Sea Star.', 'user | has boat called | Sea Star'],
  ['RULE-76', 'My office is in Bern.', 'user | is based in | Bern'],
  ['RULE-76', 'My work is in progress.'],
  ['RULE-76', 'Is the exam on 5 June?'],
  ['RULE-76', 'Budget is 600 euros', 'user | has budget | 600 euros'],
  ['RULE-76', 'What if the budget is 600 euros?'],
  ['RULE-76', 'milk makes me sick', 'user | gets sick from | milk'],
  ['RULE-76', 'it makes me sick'],
  ['RULE-76', 'my knee was operated on in March', 'user | had surgery on | knee'],
  ['RULE-77', "I'm vegan, is honey ok?", 'user | is | vegan'],
  ['RULE-77', 'im licensed in Ohio so that code?', 'user | is licensed in | Ohio'],
  ['RULE-77', "I'm vegan, isn't it?"],
  ['RULE-77', 'I live in Paris, is it?'],
  ['RULE-78', 'I retired in 2014.', 'user | retired in | 2014'],
  ['RULE-78', 'I was born on 5 July 1990.', 'user | was born on | 5 July 1990'],
  [
    'RULE-78',
    'I work as a cook at a small hotel in Bern.',
    'user | works as | cook',
    'user | works at | small hotel',
    'user | is based in | Bern',
  ],
  ['RULE-78', 'I do payroll for a living.', 'user | does | payroll'],
  ['RULE-78', 'I volunteer at a bird refuge.', 'user | volunteers at | bird refuge'],
  ['RULE-78', 'I work at a fast pace.'],
  ['RULE-78', 'I was elected chairman.', 'user | is a | chairman'],
  ['RULE-78', "I'm her carer now", 'user | is a | carer'],
  ['RULE-78', 'I got sober in 2024.', 'user | is | sober'],
  ['RULE-78', 'I got angry.'],
  ['RULE-78', "I'm lactose intolerant", 'user | is intolerant to | lactose'],
  ['RULE-78', 'I go to church on Sundays.', 'user | goes to | church'],
  ['RULE-78', 'I go to bed at ten.'],
  ['RULE-78', "We're getting married in September.", 'user | is getting married in | September'],
  ['RULE-78', 'we live in a caravan', 'user | lives in | caravan'],
  ['RULE-78', "I'm going to lunch"],
  ['RULE-78', 'I do firmware for a living', 'user | does | firmware'],
  ['RULE-78', 'I teach maths in Bern & need a poem', 'user | teaches | maths', 'user | is based in | Bern'],
  ['RULE-78', 'promoted to purser!', 'user | is a | purser'],
  ['RULE-78', 'promoted to the front page'],
  ['RULE-78', 'been doing nights since May', 'user | works | nights'],
  ['RULE-78', 'been thinking about moving to Rome'],
  ['RULE-78', "I'm the only vet at this place", 'user | is a | vet'],
  ['RULE-78', "I'm the only person here"],
  ['RULE-78', "I'm the keeper of a secret"],
  ['RULE-78', "I'm an Italian citizen", 'user | has nationality | Italian'],
  ['RULE-78', "I'm in 11th grade", 'user | studies in | 11th grade'],
  ['RULE-78', "I'm in a mood"],
  ['RULE-78', "I'm doing my PhD in Berlin", 'user | is based in | Berlin'],
  ['RULE-78', 'i got 2nd place at the fair', 'user | won | 2nd place'],
  ['RULE-78', "We've decided to get a dog", 'user | plans to | get a dog'],
  ['RULE-78', "I haven't decided to get a dog"],
  ['RULE-78', "I'm off to Tasmania in May", 'user | is going to | Tasmania'],
  ['RULE-78', "I'm off to bed"],
  ['RULE-78', "I'm starting nursing school soon", 'user | is starting | nursing school'],
  ['RULE-78', "I'm starting dinner"],
  ['RULE-78', 'doing rock climbing instead', 'user | does | rock climbing'],
  ['RULE-78', 'doing the right thing'],
  ['RULE-78', 'doing some thinking'],
  ['RULE-78', 'We switched to oat milk', 'user | switched to | oat milk'],
  ['RULE-78', 'I switched to my left hand'],
  ['RULE-78', 'quit smoking', 'user | quit | smoking'],
  ['RULE-78', 'I stopped laughing'],
  ['RULE-78', 'I live with my parents', 'user | lives with | parents'],
  ['RULE-78', 'I live with the consequences'],
  ['RULE-78', "I'm studying to be a nurse", 'user | is studying to be | nurse'],
  ['RULE-78', 'I’m married with two kids', 'user | has marital status | married', 'user | has | two kids'],
  ['RULE-78', 'We have two kids with nut allergies'],
  ['RULE-78', 'Ana is marrying a man called Otis.', 'Ana | is marrying | Otis'],
  ['RULE-78', 'my lodger is Mrs Tran', 'user | has lodger | Mrs Tran'],
  ['RULE-78', "Wren's allergic to kiwi", 'Wren | is allergic to | kiwi'],
  ['RULE-78', "my brother's allergic reaction was bad"],
  ['RULE-78', 'I like rock & roll', 'user | likes | rock', 'user | likes | roll'],
  ['RULE-79', 'My gym buddy Ida is a nurse', 'user | has gym buddy | Ida', 'Ida | is a | nurse'],
  [
    'RULE-79',
    'my small brother Tom is allergic to egg',
    'user | has brother | Tom',
    'Tom | is allergic to | egg',
  ],
  ['RULE-79', 'My business partner Leo is late', 'user | has business partner | Leo'],
  ['RULE-79', 'my imaginary friend Bob likes tea'],
  ['RULE-79', 'my previous boss Tom is a nurse'],
  ['RULE-79', 'my dream boyfriend Tom'],
  ['RULE-79', 'my gym thinks Ida is a nurse'],
  ['RULE-80', "I don't drive", 'user | does not | drive'],
  ['RULE-80', "I don't do apps", 'user | does not do | apps'],
  ['RULE-80', 'I have no appendix', 'user | does not have | appendix'],
  ['RULE-80', "we don't have an oven", 'user | does not have | oven'],
  ['RULE-80', "I don't sell tulips", 'user | does not sell | tulips'],
  ['RULE-80', 'I drive'],
  ['RULE-80', 'I do apps'],
  ['RULE-80', "I don't cook tonight"],
  ['RULE-80', "I don't drink coffee after noon"],
  ['RULE-80', "I don't do that"],
  ['RULE-80', 'I have no idea'],
  ['RULE-80', 'I have no time'],
  ['RULE-80', "I don't have a good feeling"],
  ['RULE-81', 'metric only please', 'user | prefers | metric'],
  ['RULE-81', 'no emojis please', 'user | does not want | emojis'],
  ['RULE-81', 'also british spelling', 'user | prefers | british spelling'],
  ['RULE-81', 'cash only please'],
  ['RULE-81', 'no rush please'],
  ['RULE-81', 'no more questions please'],
  ['RULE-81', 'what is british spelling of color?'],
  [
    'RULE-90',
    'My daughter Emma plays violin and squeaks through the house.',
    'user | has daughter | Emma',
    'Emma | plays | violin',
  ],
  [
    'RULE-90',
    'My aunt Ruth speaks French and lives in Lyon.',
    'user | has aunt | Ruth',
    'Ruth | speaks | French',
    'Ruth | lives in | Lyon',
  ],
  ['RULE-90', 'My cat Mimi likes tuna and purrs all night.', 'user | has cat | Mimi', 'Mimi | likes | tuna'],
  ['RULE-90', 'My son Leo plays guitar and sings.', 'user | has son | Leo', 'Leo | plays | guitar'],
  [
    'RULE-90',
    'My son Leo plays guitar and drums.',
    'user | has son | Leo',
    'Leo | plays | guitar',
    'Leo | plays | drums',
  ],
  [
    'RULE-90',
    'My son Leo loves cars and trucks with big wheels.',
    'user | has son | Leo',
    'Leo | loves | cars',
    'Leo | loves | trucks',
  ],
];

function toldBy(rule: string): [text: string, ...facts: string[]][] {
  return TOLD.flatMap(([each, text, ...facts]) => (each === rule ? [[text, ...facts]] : []));
}

async function expectFacts(text: string, facts: readonly string[]): Promise<void> {
  expect(await factsOf(text)).toEqual(facts);
}

it.each(toldBy('RULE-70'))('RULE-70: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-71'))('RULE-71: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-72'))('RULE-72: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-73'))('RULE-73: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-74'))('RULE-74: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-75'))('RULE-75: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-76'))('RULE-76: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-77'))('RULE-77: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-78'))('RULE-78: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-79'))('RULE-79: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-80'))('RULE-80: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-81'))('RULE-81: %s', (text, ...facts) => expectFacts(text, facts));
it.each(toldBy('RULE-90'))('RULE-90: %s', (text, ...facts) => expectFacts(text, facts));

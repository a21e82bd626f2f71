import { expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import {
  ConversationBufferMemory,
  createMemory,
  memoryRetriever,
  MessageWindowChatMemory,
  openDatabase,
  VectorStoreRetrieverMemory,
  type ChatMemory,
  type CreateMemoryOptions,
  type LLM,
  type MemoryFact,
} from '../../src/index.ts';
import { hashEmbedder } from '../fakes/hash-embedder.ts';
import { openRaw, settled } from '../fixtures/raw-database.ts';
import { seeFacts, seeMemory, seeSearches } from '../fixtures/seen-of-memory.ts';

const NAME = 'made-by-0.1.0';
const DAY = 86_400_000;
let now = Date.UTC(2024, 0, 8, 9);

/** Days since the turn before, session, what the user and the assistant said. */
type Told = readonly [days: number, session: string, user: string, assistant: string];

const WINTER: readonly Told[] = [
  [0, 'new-year', 'Hello! My name is Peter and I live in Hamburg.', 'Hello Peter, nice to meet you.'],
  [0.01, 'new-year', 'I work at Globex as an engineer.', 'That sounds interesting. What do you build there?'],
  [0.01, 'new-year', 'Mostly small pumps. My boss is called Igor.', 'I see. I will remember that.'],
  [
    0.02,
    'new-year',
    'Can you help me plan my new year resolutions?',
    'Of course. A good start is three goals that can be measured.',
  ],
  [
    0.01,
    'new-year',
    'I want to read more novels and run twice a week.',
    'Then put both into your calendar: running on Tuesday and Saturday.',
  ],
  [0.01, 'new-year', 'I am allergic to peanuts, so no snacks with them please.', 'Noted: no peanuts.'],
  [
    0.01,
    'new-year',
    'My sister Nadia is a doctor. She lives in Berlin.',
    'How nice to have a doctor in the family.',
  ],
  [1, 'new-year', 'Nadia has a dog called Momo.', 'Momo is a lovely name for a dog.'],
  [
    0.02,
    'new-year',
    'What could I give Nadia for her birthday?',
    'Perhaps a weekend by the sea, or a good lamp for reading.',
  ],
  [0.03, 'new-year', "Nadia's birthday is on March 12.", 'I will keep March 12 in mind.'],
  [2, 'new-year', 'I love black coffee, but I do not like tea.', 'Black coffee it is.'],
  [0.01, 'new-year', 'My favorite film is Metropolis.', 'A classic of 1927.'],
  [
    0.02,
    'new-year',
    'How do I get coffee stains out of a shirt?',
    'Rinse it with cold water, then use a little vinegar.',
  ],
  [4, 'move', 'I am thinking about moving to another city.', 'What are you looking for in a new city?'],
  [
    0.01,
    'move',
    'Somewhere near the mountains. My friend Sam lives in Innsbruck.',
    'Innsbruck would be close to the mountains indeed.',
  ],
  [0.01, 'move', 'Sam works at a bicycle shop and plays the cello.', 'A musician among the mountains.'],
  [
    0.02,
    'move',
    'How expensive are flats in Innsbruck?',
    'About 20 euros for each square meter, which is a lot.',
  ],
  [3, 'move', 'I visited Sam last weekend and saw three flats.', 'Did you like one of them?'],
  [
    0.01,
    'move',
    'The one by the river was the best. It has a balcony and two rooms.',
    'A balcony by the river sounds lovely.',
  ],
  [5, 'move', 'I signed the lease! I moved to Innsbruck on February 1.', 'Congratulations on the new flat!'],
  [
    0.02,
    'move',
    'Please make a checklist for the move.',
    'Boxes, a van, the new address for the post, and someone who helps to carry.',
  ],
  [0.02, 'move', 'Boris and Anna will help me to carry the boxes.', 'It is good to have friends.'],
  [0.01, 'move', 'Boris is married to Anna.', 'Then they carry well together.'],
  [
    0.03,
    'move',
    'The password of the wifi is on the kitchen table.',
    'I will not write that down anywhere else.',
  ],
  [
    4,
    'move',
    'The washing machine does not fit into the bathroom.',
    'Measure the kitchen: many fit under a counter.',
  ],
  [0.02, 'move', 'It fits under the counter, thank you.', 'Very good.'],
  [6, 'work', 'I quit my job at Globex. I work at Initech now.', 'A new city and a new job. How is it?'],
  [
    0.02,
    'work',
    'Good so far. The team builds weather stations.',
    'Weather stations in the mountains make sense.',
  ],
  [
    0.01,
    'work',
    'My colleague Clara sits next to me. Clara speaks Spanish.',
    'Perhaps she teaches you some.',
  ],
  [
    1,
    'work',
    'How do I calibrate a humidity sensor?',
    'Use salt solutions with known humidity, for instance 75 percent over table salt.',
  ],
  [
    0.03,
    'work',
    'The sensor shows 71 percent over table salt.',
    'Then it reads four percent low; add an offset.',
  ],
  [3, 'work', 'Clara is the project lead of the glacier station.', 'A demanding project.'],
  [0.01, 'work', 'The deadline of the glacier station is on May 30.', 'I will remember May 30.'],
  [
    0.02,
    'work',
    'Write a short status report for the glacier station, please.',
    'The sensors are calibrated, the mast is ordered, and the radio link is being tested.',
  ],
  [2, 'work', 'Igor called me. Igor moved to Oslo in 2023.', 'Your former boss has gone north.'],
  [0.01, 'work', 'I speak German and English.', 'And soon some Spanish.'],
  [7, 'work', 'I bought a red bicycle from the shop where Sam works.', 'Enjoy the ride.'],
  [
    0.02,
    'work',
    'What is a good route along the Inn?',
    'From Innsbruck to Hall and back, mostly flat, about 25 kilometers.',
  ],
  [1, 'work', 'Sam likes long walks and hates crowds.', 'Then early mornings are best.'],
  [2, 'move', "My neighbor's cat is called Tiger. She sleeps on my balcony.", 'Tiger has good taste.'],
  [0.02, 'move', 'Anna and Boris are divorced now. That was sudden.', 'I am sorry to hear that.'],
  [0.01, 'move', 'Anna lives in Vienna now.', 'A big step for her.'],
  [3, 'new-year', 'I finished two novels in February.', 'That is a good pace.'],
  [0.01, 'new-year', 'I like running along the river more than I thought.', 'Twice a week, as planned?'],
  [0.02, 'new-year', 'Three times, in fact. My favorite song is Moon River.', 'It fits the river.'],
];

/** Told while a model learns: see MODEL. */
const SPRING: readonly Told[] = [
  [6, 'travel', 'In April Nadia and I will travel to Lisbon.', 'Lisbon in April is mild and green.'],
  [0.02, 'travel', 'Everyone calls Nadia Nadi, by the way.', 'Then I will know who Nadi is.'],
  [
    0.01,
    'travel',
    'Nadi booked a hotel in the Alfama quarter.',
    'The Alfama is the oldest part of the city.',
  ],
  [
    0.02,
    'travel',
    'What should we see in Lisbon?',
    'The castle, the tile museum, and the ferry across the Tagus.',
  ],
  [9, 'travel', 'We are back. Nadi lives in Hamburg again since this month.', 'Back to the north for her.'],
  [0.01, 'travel', 'The tile museum was the best part of the trip.', 'I am glad that it was worth it.'],
  [0.03, 'travel', 'Clara runs the Lisbon office of Initech from now on.', 'A step up for Clara.'],
  [4, 'travel', 'I plan to learn Portuguese until the autumn.', 'Half an hour a day goes a long way.'],
  [0.02, 'travel', 'The trip cost 1,240 euros for both of us.', 'That is reasonable for a week.'],
  [
    1,
    'spring',
    'Good morning. Tell me what the week looks like.',
    'Two meetings at Initech, running on Tuesday and Saturday.',
  ],
  [
    0.01,
    'spring',
    'The glacier station is online since Monday.',
    'Congratulations to the team, ahead of the deadline.',
  ],
  [0.02, 'spring', 'Sam opened a shop of his own, called Freewheel.', 'Good for Sam.'],
  [2, 'spring', 'I take cello lessons now, from Sam.', 'So the cello has found another player.'],
  [
    0.02,
    'spring',
    'Remind me why the first cello lesson was so hard.',
    'Holding the bow is what most people struggle with at first.',
  ],
  [3, 'spring', 'The model cannot digest this sentence.', 'Never mind.'],
];

interface Reading {
  readonly entities?: readonly { name: string; aliases?: string[]; note?: string }[];
  readonly facts?: readonly { subject: string; predicate: string; object: string; replaces?: string }[];
}

/** What the scripted model finds in a message that has these words. */
const MODEL: readonly (readonly [words: string, Reading])[] = [
  [
    'travel to Lisbon',
    {
      entities: [{ name: 'Lisbon', note: 'Peter and Nadia travel there in April.' }],
      facts: [
        { subject: 'user', predicate: 'travels to', object: 'Lisbon' },
        { subject: 'Nadia', predicate: 'travels to', object: 'Lisbon' },
      ],
    },
  ],
  [
    'calls Nadia Nadi',
    { entities: [{ name: 'Nadia', aliases: ['Nadi'], note: 'Everyone calls her Nadi.' }] },
  ],
  ['booked a hotel', { facts: [{ subject: 'Nadi', predicate: 'booked a hotel in', object: 'Alfama' }] }],
  [
    'Nadi lives in Hamburg',
    { facts: [{ subject: 'Nadi', predicate: 'lives in', object: 'Hamburg', replaces: 'Berlin' }] },
  ],
  ['tile museum was', { facts: [{ subject: 'user', predicate: 'likes', object: 'tile museum' }] }],
  [
    'Clara runs',
    {
      entities: [{ name: 'Clara', note: 'Clara runs the Lisbon office of Initech.' }],
      facts: [{ subject: 'Clara', predicate: 'runs', object: 'Lisbon office', replaces: 'project lead' }],
    },
  ],
  ['learn Portuguese', { facts: [{ subject: 'user', predicate: 'learns', object: 'Portuguese' }] }],
  [
    'called Freewheel',
    {
      entities: [{ name: 'Freewheel', note: 'A bicycle shop of Sam.' }],
      facts: [{ subject: 'Sam', predicate: 'owns', object: 'Freewheel' }],
    },
  ],
  ['cello lessons', { facts: [{ subject: 'user', predicate: 'takes cello lessons from', object: 'Sam' }] }],
];

const llm: LLM = async ({ messages, responseFormat }) => {
  const prompt = messages.map(({ content }) => String(content)).join('\n');
  if (responseFormat !== 'json') {
    const lines = [...prompt.matchAll(/^Human: (.*?[.?!])(?: |$)/gm)].map(([, line]) => line);
    return { text: `Peter and the assistant talked about this: ${lines.join(' ')}`.slice(0, 700) };
  }
  if (prompt.includes('cannot digest')) throw new Error('The model broke down.');
  const lines = [...prompt.matchAll(/^\{.*\}$/gm)].map(
    ([line]) => JSON.parse(line) as Record<string, string>,
  );
  const known = lines.filter(({ id }) => /^f\d+$/.test(id ?? ''));
  const entities: object[] = [];
  const facts: object[] = [];
  for (const { id: message, text = '' } of lines.filter(({ id }) => /^m\d+$/.test(id ?? ''))) {
    for (const [words, reading] of MODEL) {
      if (!text.includes(words)) continue;
      for (const entity of reading.entities ?? []) entities.push({ ...entity, message });
      for (const { replaces, ...fact } of reading.facts ?? []) {
        const replaced = known.filter(
          (each) => replaces !== undefined && JSON.stringify(each).includes(replaces),
        );
        facts.push({ ...fact, message, quote: words, replaces: replaced.map(({ id }) => id) });
      }
    }
  }
  return { text: JSON.stringify({ entities, facts }) };
};

const QUERIES = [
  'Where do I live?',
  'Where does Nadia live?',
  'Where does Nadi live now?',
  'What is the name of the dog of my sister?',
  'When is the birthday of Nadia?',
  'What am I allergic to?',
  'peanuts',
  'Which film do I like best?',
  'What do I like to drink?',
  'coffee stains',
  'Who is my boss?',
  'Where do I work?',
  'What does Initech build?',
  'Who is Clara?',
  'Which languages does Clara speak?',
  'humidity sensor calibration',
  'When is the deadline of the glacier station?',
  'status report',
  'Where did Igor move to?',
  'What did I buy from Sam?',
  'a route for cycling along the Inn',
  'What does Sam like?',
  'Where does Sam work?',
  'Who plays the cello?',
  'How much is the rent in Innsbruck?',
  'the flat by the river',
  'washing machine',
  'Who helps me to carry the boxes?',
  'Is Anna married?',
  'Where does Anna live?',
  "the neighbor's cat",
  'novels in February',
  'What do I run for?',
  'my resolutions for the new year',
  'What did we see in Lisbon?',
  'How much did the trip cost?',
  'Which hotel was booked?',
  'What did I say in January?',
  'What did we talk about last month?',
  'weather in the mountains',
  'zzz nothing fits this',
];

async function tell(memory: ChatMemory, turns: readonly Told[]): Promise<void> {
  for (const [days, sessionId, user, assistant] of turns) {
    now += Math.round(days * DAY);
    await memory.remember({ user, assistant }, { sessionId });
    now += 60_000;
  }
}

async function factOf(memory: ChatMemory, words: string): Promise<MemoryFact> {
  const facts = await memory.facts({ includeHistory: true });
  const fact = facts.find(({ subject, predicate, object }) => `${subject} ${predicate} ${object}` === words);
  if (!fact)
    throw new Error(
      `There is no fact "${words}": ${facts.map((each) => `${each.subject} ${each.predicate} ${each.object}`).join('\n')}`,
    );
  return fact;
}

it('D202: makes the database', async () => {
  const options = (): CreateMemoryOptions => ({
    name: NAME,
    sessionId: 'spring',
    clock: () => now,
    embedder: hashEmbedder({ dimensions: 24 }),
    recentTurns: 4,
    maxTokens: 1200,
  });
  const byRules = await createMemory(options());
  for (let at = 0; at < WINTER.length; at += 5) {
    await tell(byRules, WINTER.slice(at, at + 5));
    await byRules.settled();
  }
  now += DAY;
  await byRules.remember(
    {
      messages: [
        { role: 'user', content: 'What is the temperature at the glacier station?', name: 'Peter' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'station', arguments: '{"id":"glacier"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"temperature":-4.5,"humidity":71}' },
        { role: 'assistant', content: 'It is 4.5 degrees below zero, with 71 percent humidity.' },
      ],
    },
    { sessionId: 'work', metadata: { client: 'phone', tags: ['tools', 1] } },
  );
  await byRules.remember(
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'This is the view from my balcony. Tiger is in it.' },
            { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } },
          ],
        },
        { role: 'assistant', content: 'A fine view.' },
      ],
    },
    { sessionId: 'move' },
  );
  await byRules.remember(
    { user: 'Never mind, stop.', assistant: 'I was about' },
    { sessionId: 'move', state: 'cancelled' },
  );
  await byRules.settled();
  await byRules.close();

  const byModel = await createMemory({ ...options(), llm, enrichmentDelayMs: 0 });
  for (let at = 0; at < SPRING.length; at += 3) {
    await tell(byModel, SPRING.slice(at, at + 3));
    await byModel.settled();
  }
  now += DAY;
  // What the user makes of it.
  const corrected = await byModel.correct((await factOf(byModel, 'user has favorite film Metropolis')).id, {
    object: 'Stalker',
  });
  await byModel.correct((await factOf(byModel, 'Sam lives in Innsbruck')).id, { object: 'Hall' });
  await byModel.pin((await factOf(byModel, 'user is allergic to peanuts')).id);
  await byModel.pin(corrected.id);
  const history = await byModel.history('move');
  const wifi = history.find(({ content }) => String(content).includes('wifi'));
  await byModel.forget({ turnId: wifi?.turnId ?? '' });
  const stain = (await byModel.history('new-year')).find(({ content }) =>
    String(content).includes('vinegar'),
  );
  await byModel.forget({ messageId: stain?.id ?? '' });
  await byModel.forget({ entity: 'Momo' });
  await byModel.forget({ factId: (await factOf(byModel, 'user speaks English')).id });
  await byModel.settled();
  await byModel.close();

  // What else lives in a database.
  const database = await openDatabase({ name: NAME, clock: () => now });
  const documents = new VectorStoreRetrieverMemory({
    retriever: memoryRetriever({ embedder: hashEmbedder({ dimensions: 24 }), database, sessionId: 'travel' }),
    metadata: { kind: 'exchange', when: new Date(now) },
  });
  await documents.saveContext({ input: 'Where is the spare key?' }, { output: 'Under the blue flower pot.' });
  await documents.saveContext(
    { input: 'What is the code of the bicycle lock?' },
    { output: 'It is the year of the moon landing.' },
    { turnId: 'lock' },
  );
  const notes = memoryRetriever({ embedder: false, database, sessionId: 'work', collection: 'notes' });
  await notes.add([
    { text: 'The mast of the glacier station is 6 meters high.', createdAt: now },
    { text: 'Ask Clara about the radio link.' },
  ]);
  const list = new MessageWindowChatMemory({
    id: 'window',
    maxMessages: 6,
    store: database.chatMemoryStore(),
  });
  await list.add({ role: 'system', content: 'You are a helpful assistant.' });
  for (let n = 1; n <= 4; n++) {
    await list.addAll([
      { role: 'user', content: `Question ${n}` },
      { role: 'assistant', content: `Answer ${n}` },
    ]);
  }
  const component = new ConversationBufferMemory({ chatHistory: database.chatHistory('component') });
  await component.saveContext(
    { input: 'My cousin Felix collects clocks.' },
    { output: 'How many does he have?' },
  );
  await component.saveContext({ input: 'Felix has forty clocks.' }, { output: 'That must be loud at noon.' });
  database.close();

  // Work that waits, and a question without an answer.
  const waiting = await createMemory({ ...options(), enrichmentDelayMs: 3_600_000 });
  await tell(waiting, [
    [2, 'spring', 'My cousin Felix lives in Graz. Felix likes chess.', 'I will remember Felix.'],
    [0.01, 'spring', 'I own two clocks, one of them from Felix.', 'A good present.'],
  ]);
  await waiting.remember(
    { messages: [{ role: 'user', content: 'Which of the clocks is the older one?' }] },
    { sessionId: 'spring', turnId: 'asked', state: 'pending' },
  );
  await waiting.search('clocks');
  const jobs = await waiting.jobs();
  const backup = await (await waiting.export()).text();
  await waiting.close();
  console.log(JSON.stringify(jobs.map(({ kind, state, turnIds }) => [kind, state, turnIds.length])));

  const rows = await entriesOf(NAME);
  now += DAY;
  const seen = async (name: string, given: CreateMemoryOptions): Promise<ChatMemory> => {
    const memory = await createMemory({ name, sessionId: 'spring', clock: () => now, ...given });
    await memory.settled();
    return memory;
  };
  const copy = async (name: string): Promise<string> => {
    indexedDB.deleteDatabase(name);
    await copyOf(NAME, name);
    return name;
  };
  const stored = await seen(await copy('copy-1'), {
    embedder: hashEmbedder({ dimensions: 24 }),
    extractor: false,
  });
  const keywords = await seen(await copy('copy-2'), { embedder: false, extractor: false });
  const learning = await seen(await copy('copy-3'), { embedder: false });
  const learned = await seeFacts(learning);
  await learning.rebuild();
  indexedDB.deleteDatabase('copy-4');
  const imported = await seen('copy-4', { embedder: hashEmbedder({ dimensions: 24 }) });
  await imported.import(new Blob([backup]));
  await imported.settled();
  const expected = {
    now,
    queries: QUERIES,
    stored: await seeMemory(stored, QUERIES),
    storedTimes: (await stored.facts({ includeHistory: true })).map(({ id, recordedAt, retractedAt }) => [
      id,
      recordedAt,
      retractedAt ?? null,
    ]),
    byKeywords: await seeSearches(keywords, QUERIES),
    learned,
    rebuilt: await seeFacts(learning),
    imported: await seeMemory(imported, QUERIES),
  };
  for (const memory of [stored, keywords, learning, imported]) await memory.close();
  const storesText = Object.entries(rows).map(
    ([store, entries]) =>
      `${JSON.stringify(store)}: [\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`,
  );
  const expectedText = Object.entries(expected).map(([name, value]) => {
    const lines = Array.isArray(value)
      ? `[\n${value.map((each) => JSON.stringify(each)).join(',\n')}\n]`
      : JSON.stringify(value);
    return `${JSON.stringify(name)}: ${lines}`;
  });
  const text = `{"rows": {\n${storesText.join(',\n')}\n},\n"expected": {\n${expectedText.join(',\n')}\n}}\n`;
  JSON.parse(text);
  await commands.writeFile('test/fixtures/database-0.1.0.json', text);
  await commands.writeFile('test/fixtures/backup-0.1.0.txt', backup);
  console.log(
    Object.entries(rows)
      .map(([store, entries]) => `${store} ${entries.length}`)
      .join(', '),
  );
  expect(rows['postings']?.length).toBeGreaterThan(0);
}, 300_000);

interface Entry {
  key?: IDBValidKey;
  value: unknown;
}

async function entriesOf(name: string): Promise<Record<string, Entry[]>> {
  const database = await openRaw(name);
  const rows: Record<string, Entry[]> = {};
  const transaction = database.transaction([...database.objectStoreNames]);
  for (const storeName of database.objectStoreNames) {
    const store = transaction.objectStore(storeName);
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    rows[storeName] = values.map((value, at) => ({
      ...(store.keyPath === null ? { key: keys[at] as IDBValidKey } : {}),
      value: encode(value),
    }));
  }
  database.close();
  return rows;
}

async function copyOf(from: string, to: string): Promise<void> {
  (await openDatabase({ name: to })).close();
  const [source, target] = [await openRaw(from), await openRaw(to)];
  for (const storeName of source.objectStoreNames) {
    const store = source.transaction(storeName).objectStore(storeName);
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    const transaction = target.transaction(storeName, 'readwrite');
    const into = transaction.objectStore(storeName);
    for (const [at, value] of values.entries()) into.put(value, into.keyPath === null ? keys[at] : undefined);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  }
  source.close();
  target.close();
}

function encode(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('JSON has no such number.');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Date) return { $date: value.getTime() };
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return {
      $array: value.constructor.name,
      base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
    };
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('What kind of object is that?');
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, encode(each)]));
}

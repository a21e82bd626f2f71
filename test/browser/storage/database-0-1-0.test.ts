import { afterEach, expect, it } from 'vitest';
import {
  ConversationBufferMemory,
  memoryRetriever,
  VectorStoreRetrieverMemory,
} from '../../../src/langchain.ts';
import { MessageWindowChatMemory } from '../../../src/langchain4j.ts';
import { offlineExtractor } from '../../../src/extract.ts';
import { openDatabase, type CreateMemoryOptions } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import {
  BACKUP_010,
  embedder010,
  expected010,
  makeDatabase010,
  messages010,
} from '../../fixtures/databases/database-0-1-0.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import {
  seeFacts,
  seeMemory,
  seeSearches,
  type SeenFact,
  type SeenSearch,
} from '../../fixtures/seen-of-memory.ts';

const expected = expected010();
const names: string[] = [];

/** The name of a new copy of the database. */
async function copied(): Promise<string> {
  const name = newId();
  names.push(name);
  await makeDatabase010(name);
  return name;
}

function options(name: string): CreateMemoryOptions {
  return { name, sessionId: 'spring', clock: () => expected.now };
}

afterEach(() => {
  for (const name of names.splice(0)) indexedDB.deleteDatabase(name);
});

/** Expects that each query finds something that it found before; how it ranks has changed since. */
function expectFound(seen: readonly SeenSearch[], wanted: readonly SeenSearch[]): void {
  for (const [at, { query, hits }] of wanted.entries()) {
    const before = new Set(hits.map(([id]) => id));
    const again = seen[at]?.hits.filter(([id]) => before.has(id)) ?? [];
    expect([query, again.length > 0]).toEqual([query, hits.length > 0]);
  }
}

it('UPG-11: a database of version 0.1.0 opens, and everything in it reads as before', async () => {
  const memory = await memoryOf({
    ...options(await copied()),
    embedder: embedder010(),
    learning: false,
  });
  await memory.work.settled();
  const { searches, ...rest } = await seeMemory(memory, expected.queries);
  const { searches: wanted, ...wantedRest } = expected.stored;
  expect(rest).toEqual(wantedRest);
  expectFound(searches, wanted);
  const facts = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true });
  expect(facts.map(({ id, recordedAt, retractedAt }) => [id, recordedAt, retractedAt ?? null])).toEqual(
    expected.storedTimes,
  );
});

it('UPG-11: a database of version 0.1.0 keeps every message', async () => {
  const memory = await memoryOf({ ...options(await copied()), learning: false });
  const messages = messages010();
  for (const sessionId of new Set(messages.map((message) => message['sessionId']))) {
    const history = await memory.history({ sessionId: String(sessionId) });
    // A turn that nobody answers any more may be ended when the database is opened.
    const ended = ({ state, ...rest }: Record<string, unknown>): object =>
      state === 'pending' ? rest : { ...rest, state };
    const ofSession = messages.filter((message) => message['sessionId'] === sessionId);
    const wanted = ofSession.map(({ scope: _scope, ...message }) => ended(message));
    for (const [at, message] of wanted.entries()) expect(history[at]).toMatchObject(message);
    expect(history).toHaveLength(wanted.length);
  }
});

it('UPG-11: components find what they stored in a database of version 0.1.0', async () => {
  const name = await copied();
  const database = await openDatabase({ name });
  const list = new MessageWindowChatMemory({
    id: 'window',
    maxMessages: 6,
    store: database.chatMemoryStore(),
  });
  expect((await list.messages()).map(({ content }) => content)).toEqual([
    'You are a helpful assistant.',
    'Question 3',
    'Answer 3',
    'Question 4',
    'Answer 4',
  ]);
  const buffer = new ConversationBufferMemory({ chatHistory: database.chatHistory('component') });
  expect(await buffer.loadMemoryVariables({})).toEqual({
    history:
      'Human: My cousin Felix collects clocks.\nAI: How many does he have?\nHuman: Felix has forty clocks.\nAI: That must be loud at noon.',
  });
  const retriever = memoryRetriever({ embedder: embedder010(), database, topK: 1 });
  const documents = new VectorStoreRetrieverMemory({ retriever });
  expect(await documents.loadMemoryVariables({ input: 'Where is the spare key?' })).toEqual({
    history: 'input: Where is the spare key?\noutput: Under the blue flower pot.',
  });
  const notes = memoryRetriever({ embedder: false, database, collection: 'notes' });
  expect((await notes.search('radio link')).map(({ document }) => document.text)).toEqual([
    'Ask Clara about the radio link.',
  ]);
  database.close();
});

it('UPG-11: keywords find in a database of version 0.1.0 what they found before', async () => {
  const memory = await memoryOf({ ...options(await copied()), learning: false });
  expectFound(await seeSearches(memory, expected.queries), expected.byKeywords);
});

it('UPG-12: facts of version 0.1.0 are made again by the current rules, and corrections and pins are kept', async () => {
  const memory = await memoryOf(options(await copied()));
  await memory.work.settled();
  const upgraded = await seeFacts(memory);
  const before = expected.stored.facts;
  expect(upgraded.filter(isUsers)).toEqual(before.filter(isUsers));
  expect(upgraded.filter(isPinned).map(wordsOf)).toEqual(before.filter(isPinned).map(wordsOf));
  // What a correction took the place of stays, as its history.
  const corrections = new Set(before.filter(isUsers).map(wordsOf));
  const remade = upgraded.filter(
    (fact) => !isUsers(fact) && !fact.isPinned && !corrections.has(fact.supersededBy?.join(' ') ?? ''),
  );
  expect(new Set(remade.map(({ attributes }) => attributes['madeBy']))).toEqual(
    new Set([offlineExtractor().id]),
  );
  await memory.backup.rebuild();
  expect(held(await seeFacts(memory))).toEqual(held(upgraded));
});

const isUsers = ({ source }: SeenFact): boolean => source === 'user';
const isPinned = (fact: SeenFact): boolean => fact.isPinned;
const wordsOf = ({ words }: SeenFact): string => words.join(' ');

function held(facts: readonly SeenFact[]): string[] {
  return facts
    .filter(({ holds }) => holds)
    .map(wordsOf)
    .toSorted();
}

it('UPG-13: a backup of version 0.1.0 gives the messages as before and the facts of an upgrade', async () => {
  const upgraded = await memoryOf({ ...options(await copied()), embedder: embedder010() });
  await upgraded.work.settled();
  const memory = await memoryOf({ ...options(newId()), embedder: embedder010() });
  await memory.backup.import(new Blob([BACKUP_010]));
  await memory.work.settled();
  const { searches, sessions, facts } = await seeMemory(memory, expected.queries);
  expect(sessions).toEqual(expected.imported.sessions);
  expectFound(searches, expected.imported.searches);
  expect(held(facts)).toEqual(held(await seeFacts(upgraded)));
});

import { afterEach, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import { createMemory, openDatabase, type Memory, type MemoryDatabase } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { DATABASE_VERSION } from '../../../src/storage/migrations.ts';
import {
  FROZEN_VERSIONS,
  freeze,
  frozenDatabase,
  makeFrozenDatabase,
} from '../../fixtures/databases/frozen-database.ts';
import { dump, shape } from '../../fixtures/databases/raw-database.ts';
import { textIn } from '../../fixtures/databases/copied-database.ts';
import { seeFacts } from '../../fixtures/seen-of-memory.ts';
import {
  CORRECTED,
  embedder,
  FORGOTTEN,
  foundIn,
  PENDING,
  READING,
  REJECTED,
  seeDatabase,
  writeDatabase,
} from '../../fixtures/databases/written-database.ts';

/** Writes the fixture of the present version instead of testing. See CONTRIBUTING.md. */
const IS_RECORDING = import.meta.env['VITE_MNEMORA_RECORD'] === '1';

interface Opened {
  readonly name: string;
  readonly memory: Memory;
  readonly database: MemoryDatabase;
}

const opened: Opened[] = [];

/** @param learns whether work is done that waits, and derived rows are renewed */
async function openCopy(name: string, learns: boolean): Promise<Opened> {
  const database = await openDatabase({ name });
  const learning = learns ? {} : ({ learning: false } as const);
  const memory = await createMemory({ ...READING, ...learning, database, embedder: embedder() });
  const copy = { name, memory, database };
  opened.push(copy);
  return copy;
}

async function copied(version: number, learns: boolean): Promise<Opened> {
  const name = newId();
  await makeFrozenDatabase(version, name);
  return openCopy(name, learns);
}

afterEach(async () => {
  for (const { name, memory, database } of opened.splice(0)) {
    await memory.close();
    database.close();
    indexedDB.deleteDatabase(name);
  }
});

const statesOf = async (memory: Memory): Promise<Record<string, string>> =>
  Object.fromEntries((await memory.history()).map(({ turnId, state }) => [turnId, state]));

const words = async (memory: Memory): Promise<string[]> =>
  (await seeFacts(memory)).filter(({ holds }) => holds).map((fact) => fact.words.join(' '));

async function expectForgotten({ memory, name }: Opened): Promise<void> {
  const stored = textIn([await dump(name), await (await memory.backup.export()).text()]);
  expect(FORGOTTEN.filter((word) => stored.includes(word))).toEqual([]);
}

it.runIf(IS_RECORDING)('UPG-15: the fixture of the present version is written', async () => {
  const name = newId();
  (await writeDatabase(name)).close();
  const frozen = await freeze(name);
  const { memory, database } = await openCopy(name, false);
  const backup = await (await memory.backup.export()).text();
  const seen = await seeDatabase(memory, database);
  const file = { ...frozen, backup, seen, found: await foundIn(memory, database) };
  const path = `test/fixtures/data/database-v${DATABASE_VERSION}.json`;
  await commands.writeFile(path, `${JSON.stringify(file, undefined, 1)}\n`);
});

it('UPG-15: the newest version has a fixture', () => {
  expect(FROZEN_VERSIONS.at(-1)).toBe(DATABASE_VERSION);
});

it.for(FROZEN_VERSIONS)('UPG-15: a database of version %i reads as it was written', async (version) => {
  const { memory, database } = await copied(version, false);
  const { seen, found } = frozenDatabase(version);
  expect(await seeDatabase(memory, database)).toEqual(seen);
  expect(await foundIn(memory, database)).toEqual(found);
});

it.for(FROZEN_VERSIONS)('UPG-16: a database of version %i continues where it was', async (version) => {
  const copy = await copied(version, true);
  const { memory } = copy;
  await memory.work.settled();
  expect(await memory.work.list()).toEqual([]);
  expect((await memory.search('Vera Genoa')).map(({ message }) => message.turnId)).toContain('waits');
  expect(textIn(await words(memory))).toContain('vera lives in genoa');
  const before = await memory.history();
  const [question] = before.filter(({ turnId }) => turnId === PENDING.turnId);
  await memory.remember({ user: PENDING.question, assistant: 'Crumb.' }, { turnId: PENDING.turnId });
  const after = await memory.history();
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(after.slice(before.length - 1)).toMatchObject([
    { id: question?.id, seq: question?.seq, state: 'complete', content: PENDING.question },
    { seq: (question?.seq ?? 0) + 1, content: 'Crumb.' },
  ]);
  expect(await memory.forget({ turnId: 't1' })).toMatchObject({ turns: 1, messages: 2, summaries: 1 });
  expect((await words(memory)).filter((fact) => fact.includes('Rome'))).toEqual([]);
  expect(await memory.forget({ sessionId: 'spring' })).toMatchObject({ sessions: 1, records: 2 });
  expect(await memory.forget({ everything: true })).toMatchObject({ sessions: 2, documents: 2 });
  expect(await memory.sessions()).toEqual([]);
  await expectForgotten(copy);
});

it.for(FROZEN_VERSIONS)(
  'UPG-17: rebuilding a database of version %i keeps what the user decided',
  async (version) => {
    const copy = await copied(version, true);
    const { memory } = copy;
    await memory.work.settled();
    const before = await seeFacts(memory);
    const states = await statesOf(memory);
    await memory.backup.rebuild();
    const after = await seeFacts(memory);
    const decided = ({ source, isPinned }: (typeof after)[number]): boolean => source === 'user' || isPinned;
    expect(after.filter(decided)).toEqual(before.filter(decided));
    expect(after.filter(decided).length).toBeGreaterThan(1);
    expect(await words(memory)).toContain(CORRECTED);
    expect(textIn([await words(memory), await memory.review.list()])).not.toContain(REJECTED.toLowerCase());
    expect(await statesOf(memory)).toEqual(states);
    await expectForgotten(copy);
  },
);

it.for(FROZEN_VERSIONS)('UPG-18: a backup of version %i reads as it was written', async (version) => {
  const copy = await openCopy(newId(), false);
  const { backup, seen } = frozenDatabase(version);
  await copy.memory.backup.import(new Blob([backup]));
  // Of this scope. What is kept of sentences is found again in the messages.
  const ofElsewhere = { work: [], list: [], profile: expect.any(Array) as unknown };
  expect(await seeDatabase(copy.memory, copy.database)).toEqual({ ...(seen as object), ...ofElsewhere });
  await expectForgotten(copy);
});

it('UPG-4: an upgraded database has the same stores and indexes as a new one', async () => {
  const fresh = newId();
  (await openDatabase({ name: fresh })).close();
  for (const version of FROZEN_VERSIONS) {
    const { name } = await copied(version, false);
    expect(await shape(name)).toEqual(await shape(fresh));
  }
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import { createMemory, openDatabase, type Memory } from '../../../src/index.ts';
import { memoryRetriever } from '../../../src/langchain.ts';
import {
  digest,
  play,
  type Place,
  type PlayedList,
  type RecordedWorld,
} from '../../contracts/recorded-operations.ts';
import { countIds } from '../../fakes/counted-ids.ts';
import { operationList } from '../../fixtures/operation-lists.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import {
  changedLines,
  readableSteps,
  recordingOf,
  withPlayed,
  type RecordedLists,
  type Recording,
} from '../../fixtures/recording.ts';
import recordedText from '../../fixtures/data/recorded-operations.json?raw';

/** The seeds from one number up to another: `VITE_MNEMORA_LISTS=0-2000` plays all. */
const [FIRST = 0, LAST = 0] = String(import.meta.env['VITE_MNEMORA_LISTS'] ?? '0-20')
  .split('-')
  .map(Number);
/** Writes down what the lists give, instead of comparing it. To be done only when it is known why they give something else. */
const IS_RECORDING = import.meta.env['VITE_MNEMORA_RECORD'] === '1';
/** A list mostly waits for the browser. */
const AT_ONCE = 24;
const LONGEST_LIST_MS = 120_000;

let stopCounting = (): void => undefined;
beforeAll(() => {
  stopCounting = countIds();
});
afterAll(() => stopCounting());

it('UPG-10: recorded operations give the recorded results', async () => {
  const recorded = JSON.parse(recordedText) as RecordedLists;
  const recording = new Map<number, Recording>();
  const differences: string[] = [];
  const seeds = Array.from({ length: LAST - FIRST }, (_, index) => FIRST + index);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        if (seeds.length > 0 && seeds.length % 100 === 0) console.info(`${seeds.length} lists are left`);
        const played = await playInBrowser(seed);
        if (IS_RECORDING) recording.set(seed, { ...(await digestsOf(played)), steps: readableSteps(played) });
        else {
          const difference = await firstDifference(seed, played, recordingOf(recorded, seed));
          if (difference !== undefined) differences.push(difference);
        }
      }
    }),
  );
  if (IS_RECORDING) {
    await commands.writeFile('test/fixtures/data/recorded-operations.json', withPlayed(recorded, recording));
  }
  expect(differences).toEqual([]);
}, 3_600_000);

async function playInBrowser(seed: number): Promise<PlayedList> {
  const name = `recorded-${seed}`;
  const open = new Map<Place, Memory>();
  const names = new Set([name]);
  const world: RecordedWorld = {
    open: async (place, options) => {
      const database = typeof place === 'number' ? name : `${name}-${place}-${names.size}`;
      names.add(database);
      const memory = await createMemory({ ...options, name: database });
      open.set(place, memory);
      return memory;
    },
    close: async (place) => open.get(place)?.close(),
    addDocument: async (sessionId, text) => {
      const database = await openDatabase({ name });
      await memoryRetriever({ embedder: false, database, sessionId }).add([{ text }]);
      database.close();
    },
    rows: () => dump(name),
  };
  try {
    return await inTime(play(operationList(seed), world));
  } catch (error) {
    throw new Error(`The list ${seed} could not be played.`, { cause: error });
  } finally {
    for (const database of names) indexedDB.deleteDatabase(database);
  }
}

/** So that a list that never ends is named, instead of holding up the test without a word. */
function inTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It took too long.')), LONGEST_LIST_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function digestsOf({ operations, rows }: PlayedList): Promise<{ operations: string[]; rows: string }> {
  return {
    operations: await Promise.all(operations.map(({ result, state }) => digest([...result, '', ...state]))),
    rows: await digest(rows),
  };
}

/** Says which operation was the first to give something else, and what it gave. */
async function firstDifference(
  seed: number,
  played: PlayedList,
  recorded: Recording | undefined,
): Promise<string | undefined> {
  if (!recorded) return `seed ${seed}: there is no recording`;
  const { operations, rows } = await digestsOf(played);
  const at = operations.findIndex((given, index) => given !== recorded.operations[index]);
  if (at < 0 && rows === recorded.rows) return undefined;
  const place = at < 0 ? operations.length : at;
  const where = at < 0 ? 'the rows' : `operation ${at} ${JSON.stringify(operationList(seed).operations[at])}`;
  const given = readableSteps(played)[place] ?? [];
  // Of most lists only digests are recorded.
  const shown = recorded.steps ? changedLines(recorded.steps[place] ?? [], given) : given;
  return `seed ${seed}: ${where}\n${shown.join('\n')}`;
}

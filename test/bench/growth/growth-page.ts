import { newId } from '../../../src/model/id.ts';
import { createMemory, openDatabase, type ChatMessage, type Memory } from '../../../src/index.ts';
import { seededRandom } from '../recall/seeded-random.ts';
import { cloneBackup } from './clone-backup.ts';
import { countStorage, takeCounts } from './count-storage.ts';
import { InventedChat } from './invented-chat.ts';
import type { GrowthSample, Operation } from './operations.ts';

declare global {
  interface Window {
    growth: {
      /** Fills a new memory with turns that nothing was learned from yet. */
      fill(turns: number, assetsUrl: string): Promise<void>;
      /** Learns from all turns, and adds copies of them until the memory has this many times as many. */
      multiply(times: number): Promise<void>;
      /** Goes on in a page that was loaded again, with a memory that was filled with this many turns, and opens nothing. */
      goOn(turns: number, assetsUrl: string): void;
      /** Brings about what an operation needs and does not measure. */
      prepare(operation: Operation): Promise<void>;
      run(operation: Operation): Promise<GrowthSample>;
    };
  }
}

/** How often the short calls are repeated; what is told is the mean. */
const ROUNDS = 10;
const SESSIONS = 20;

countStorage();
const chat = new InventedChat(seededRandom(11));
const name = 'bench-growth';
let options: Parameters<typeof createMemory>[0] = {};
let memory: Memory;
let file: Blob | undefined;
/** The turn or the name that is forgotten next. */
let forgotten = '';

async function fill(turns: number, assetsUrl: string): Promise<void> {
  const database = await openDatabase({ name });
  await database.delete();
  const filled = await openDatabase({ name });
  for (let session = 0; session < SESSIONS; session += 1) {
    const messages = Array.from({ length: Math.ceil(turns / SESSIONS) }, (): ChatMessage[] => {
      const { user, assistant } = chat.turn();
      return [
        { role: 'user', content: user },
        { role: 'assistant', content: assistant },
      ];
    });
    await filled.chatHistory(newId()).addMessages(messages.flat());
  }
  filled.close();
  options = optionsFor(assetsUrl);
  memory = await createMemory(options);
}

function optionsFor(assetsUrl: string): typeof options {
  return { name, assetsUrl, embedder: false, sessionId: 'bench' };
}

async function multiply(times: number): Promise<void> {
  await memory.backup.rebuild();
  await memory.work.settled();
  const own = await memory.backup.export();
  for (let copy = 1; copy < times; copy += 1) {
    await memory.backup.import(await cloneBackup(own, copy, chat.rareWords()));
  }
  await memory.work.settled();
}

function goOn(turns: number, assetsUrl: string): void {
  options = optionsFor(assetsUrl);
  for (let turn = 0; turn < turns; turn += 1) chat.turn(); // says what comes next
}

const repeated = async (call: () => Promise<unknown>): Promise<number> => {
  for (let round = 0; round < ROUNDS; round += 1) await call();
  return ROUNDS;
};

const once = (call: () => Promise<unknown>) => async (): Promise<number> => {
  await call();
  return 1;
};

/** Each returns how often it has done what it is named for. */
const CALLS: Readonly<Record<Operation, () => Promise<number>>> = {
  rebuild: async () => {
    await memory.backup.rebuild();
    await memory.work.settled();
    return 1;
  },
  open: async () => {
    memory = await createMemory(options);
    return 1;
  },
  'first recall': once(() => memory.recall('Where do I live?')),
  'remember to settled': () => repeated(tellTurn),
  'recall after a turn': once(() => memory.recall(chat.question())),
  'recall again': () => repeated(() => memory.recall(chat.question())),
  search: () => repeated(() => memory.search(chat.question())),
  profile: () => repeated(() => memory.profile()),
  'facts.list': () => repeated(() => memory.facts.list()),
  'forget a turn': once(() => memory.forget({ turnId: forgotten })),
  'forget a name': once(() => memory.forget({ entity: forgotten })),
  verify: async () => {
    await memory.backup.verify();
    return 1;
  },
  export: async () => {
    file = await memory.backup.export();
    return 1;
  },
  import: async () => {
    const other = await createMemory({ ...options, name: `${name}-copy`, learning: false });
    takeCounts();
    await other.backup.import(file ?? new Blob());
    await other.close();
    return 1;
  },
};

async function tellTurn(): Promise<void> {
  await memory.remember(chat.turn());
  await memory.work.settled();
}

async function nameToForget(): Promise<string> {
  const entities = await memory.facts.entities();
  return entities.find(({ name: each }) => each !== 'user')?.name ?? '';
}

async function prepare(operation: Operation): Promise<void> {
  if (operation === 'open') return;
  if (operation === 'recall after a turn') await tellTurn();
  if (operation === 'forget a turn') forgotten = (await memory.search('live'))[0]?.message.turnId ?? '';
  if (operation === 'forget a name') forgotten = await nameToForget();
  await memory.work.settled(); // what the call before has caused is not part of this one
}

async function run(operation: Operation): Promise<GrowthSample> {
  takeCounts();
  const start = performance.now();
  const times = await CALLS[operation]();
  const ms = performance.now() - start;
  const { rows, reads, writes } = takeCounts();
  return { times, ms: ms / times, rows: rows / times, reads: reads / times, writes: writes / times };
}

window.growth = { fill, multiply, goOn, prepare, run };

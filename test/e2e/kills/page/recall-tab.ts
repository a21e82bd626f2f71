import { createMemory, type Memory } from '../../../../src/index.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { hashEmbedder } from '../../../fakes/hash-embedder.ts';
import { copyDatabase, copyTruth, textIn } from '../../../fixtures/databases/copied-database.ts';
import { dump } from '../../../fixtures/databases/raw-database.ts';

/** A memory whose indexes fill more than one group of parts, and what is done to it. */
export interface RecallTab {
  /** A database whose next save merges parts, and whose vectors are another embedder's. */
  prepare(name: string): Promise<void>;
  /** Opens a database that is prepared as that one. */
  begin(prepared: string, name: string): Promise<void>;
  /** Saves and merges parts of the index, embeds everything again, drops the other vectors, and forgets a lot. */
  work(): Promise<void>;
  /** Opens the memory again. Returns what is wrong with it as it was left, and when all is done. */
  finish(name: string): Promise<string[]>;
}

/** Messages of a turn: as many as are worth a part of the index. */
const MESSAGES = 128;
const TURNS = 18;
const FORGOTTEN_TURNS = 9;
const QUESTIONS = ['boat 3 zq00x', 'What was said of boats 5 and 7?', 'noted in turn 12'];

export function recallTab(restart: () => void): RecallTab {
  let memory: Memory;
  const open = async (name: string, embedder: 'old' | 'new' | false): Promise<Memory> =>
    createMemory({
      name,
      sessionId: 's',
      learning: false,
      tokenizer: approximateTokenizer(),
      embedder: embedder && hashEmbedder({ id: embedder, dimensions: embedder === 'old' ? 8 : 12 }),
    });
  const remember = async (turn: number): Promise<void> => {
    await memory.remember({ messages: messagesOf(turn) }, { turnId: `t${turn}`, createdAt: 1000 + turn });
    await memory.search('boat');
    await memory.work.settled();
  };
  const work = async (): Promise<void> => {
    await remember(TURNS - 1);
    await remember(TURNS);
    await memory.forget({ before: 1000 + FORGOTTEN_TURNS });
    await memory.work.settled();
  };
  /** What is there besides the truth and does not follow from it. */
  const leftOver = async (name: string): Promise<string[]> => {
    const found = (await memory.backup.verify()).problems.map(({ store, problem }) => `${store}: ${problem}`);
    const { messages = [], ...rest } = await dump(name);
    const alive = new Set(textIn(messages).match(/zq\d\dx/g));
    const left = new Set(textIn(rest).match(/zq\d\dx/g));
    for (const word of left) if (!alive.has(word)) found.push(`${word} is left`);
    if (messages.length % MESSAGES !== 0) found.push(`there are ${messages.length} messages`);
    return found;
  };
  /** Whether it answers as a memory that has nothing but the truth to make its indexes from. */
  const answersAsAnew = async (name: string): Promise<boolean> => {
    const copy = `${name}-copy`;
    await copyTruth(name, copy);
    const fresh = await open(copy, 'new');
    await fresh.work.settled();
    const [answers, expected] = [await answersOf(memory), await answersOf(fresh)];
    await fresh.close();
    indexedDB.deleteDatabase(copy);
    return answers === expected;
  };
  return {
    async prepare(name) {
      memory = await open(name, false);
      for (let turn = 1; turn < TURNS - 1; turn++) await remember(turn);
      await memory.close();
      memory = await open(name, 'old');
      await memory.work.settled();
      await memory.close();
    },
    async begin(prepared, name) {
      await copyDatabase(prepared, name);
      restart();
      memory = await open(name, 'new');
    },
    work,
    async finish(name) {
      memory = await open(name, 'new');
      await memory.work.settled();
      const problems = await leftOver(name);
      if (!(await answersAsAnew(name))) problems.push('it answers otherwise than made anew');
      await work();
      problems.push(...(await leftOver(name)));
      await memory.close();
      return problems;
    },
  };
}

function messagesOf(turn: number): { role: 'user' | 'assistant'; content: string }[] {
  return Array.from({ length: MESSAGES }, (_, at) =>
    at % 2 === 0
      ? { role: 'user', content: `Boat ${at % 23} zq${String(turn).padStart(2, '0')}x is blue.` }
      : { role: 'assistant', content: `Noted in turn ${turn}.` },
  );
}

async function answersOf(memory: Memory): Promise<string> {
  const answers: unknown[] = [];
  for (const question of QUESTIONS) {
    answers.push(
      (await memory.search(question, { limit: 100 })).map(({ message, score, why }) => [
        message.id,
        score,
        why,
      ]),
    );
  }
  return JSON.stringify(answers);
}

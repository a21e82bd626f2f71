import { createMemory, type Memory } from '../../../../src/index.ts';
import { llmExtractor } from '../../../../src/learning/llm/llm-extractor.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { takeCommands } from '../../../engines/puppet-page.ts';
import { type MemoryState, readState } from '../../kills/page/memory-state.ts';
import { scriptedModel } from '../../kills/page/scripted-model.ts';
import { claimTab } from './claim-tab.ts';
import { turnOf } from './turn-text.ts';

/** What the tests reach a tab through. */
interface RoundTab {
  /** Opens the memory of this tab, closing the one before. */
  open(options: { readonly name: string; readonly extractor: 'rules' | 'model' }): Promise<void>;
  /** Starts to write turns, one after the other, until `stop`. The server gets a note of each that was acknowledged. */
  write(writer: string): void;
  /** Resolves when the turn that is being written is acknowledged. */
  stop(): Promise<void>;
  /** Writes the turn with this number twice. */
  resend(turn: { readonly writer: string; readonly n: number }): Promise<void>;
  /** What the memory knows when all jobs have ended. */
  settledState(): Promise<MemoryState>;
  rebuild(): Promise<void>;
  /** Writes rows without Mnemora until the page ends, and notes how many were acknowledged. */
  writeRows(name: string): Promise<void>;
  /** Number of rows that {@link writeRows} left: none if the power cut damaged the database. */
  countRows(name: string): Promise<number>;
  /** Errors that calls rejected with since the last `open`. */
  errors: string[];
}

declare global {
  interface Window {
    roundTab: RoundTab;
  }
}

/** Of this many turns, a writer forgets one. */
const FORGETS_EVERY = 8;

let memory: Memory;
let stopping = new AbortController();
let writing: Promise<void> = Promise.resolve();

window.roundTab = {
  errors: [],
  async open({ name, extractor }) {
    await (memory as Memory | undefined)?.close();
    this.errors = [];
    memory = await createMemory({
      name,
      embedder: false,
      tokenizer: approximateTokenizer(),
      recentTurns: 3,
      learning: {
        delayMs: 20,
        extractor: extractor === 'rules' ? offlineExtractor() : llmExtractor(scriptedModel()),
      },
    });
  },
  write(writer) {
    stopping = new AbortController();
    writing = writeTurns(writer, stopping.signal);
  },
  async stop() {
    stopping.abort();
    await writing;
  },
  async resend({ writer, n }) {
    await remember(writer, n);
    await remember(writer, n);
  },
  async settledState() {
    await memory.work.settled();
    return readState(memory, await sessionIds());
  },
  async rebuild() {
    await memory.backup.rebuild();
  },
  async writeRows(name) {
    const database = await openRows(name);
    void (async () => {
      for (let n = 1; ; n += 1) {
        await commitRow(database, n);
        await note(`row ${name} ${n}`);
      }
    })();
  },
  async countRows(name) {
    try {
      const rows = (await openRows(name)).transaction('rows').objectStore('rows');
      return await answerTo(rows.count());
    } catch {
      return 0;
    }
  },
};

function commitRow(database: IDBDatabase, key: number): Promise<void> {
  const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' });
  transaction.objectStore('rows').put(key, key);
  return new Promise((resolve) => transaction.addEventListener('complete', () => resolve()));
}

async function openRows(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore('rows'));
  return answerTo(request);
}

function answerTo<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no reason was given')));
  });
}

async function writeTurns(writer: string, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    // Every third turn is stored before it is answered, as a chat does.
    if (n % 3 === 0) await untilDone(() => rememberQuestion(writer, n));
    await untilDone(() => remember(writer, n));
    await note(`kept ${turnOf(writer, n).turnId}`);
    if (n % FORGETS_EVERY !== FORGETS_EVERY - 1) continue;
    const { turnId } = turnOf(writer, n - 4);
    await note(`forgetting ${turnId}`);
    await untilDone(async () => void (await memory.forget({ turnId })));
    await note(`forgotten ${turnId}`);
  }
}

async function remember(writer: string, n: number): Promise<void> {
  const { user, assistant, turnId, sessionId } = turnOf(writer, n);
  await memory.remember({ user, assistant }, { turnId, sessionId });
}

async function rememberQuestion(writer: string, n: number): Promise<void> {
  const { user, turnId, sessionId } = turnOf(writer, n);
  const messages = [{ role: 'user' as const, content: user }];
  await memory.remember({ messages }, { turnId, sessionId, state: 'pending' });
}

/** Calls again what rejects, as a page does whose storage is lost for a moment. */
async function untilDone(action: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      window.roundTab.errors.push(String((error as { code?: unknown }).code ?? error));
      await pause();
    }
  }
}

/** Resolves when the server has the note; sent again where the browser's network process was killed. */
async function note(text: string): Promise<void> {
  const address = `/puppet/note${location.search}`;
  while (!(await fetch(address, { method: 'POST', body: text }).catch(() => undefined))) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

async function sessionIds(): Promise<string[]> {
  return (await memory.sessions()).map(({ id }) => id).toSorted();
}

window.claimTab = claimTab;
takeCommands();

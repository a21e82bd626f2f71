import { createMemory, type Memory, type LLM } from '../../../../src/index.ts';
import { llmExtractor } from '../../../../src/learning/llm/llm-extractor.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { readState } from './memory-state.ts';
import { recallTab, type RecallTab } from './recall-tab.ts';
import { scriptedModel } from './scripted-model.ts';
import {
  watchTransactions,
  type Moment,
  type NumberedKind,
  type WrittenTransaction,
} from './watch-transactions.ts';

/** Who extracts and summarizes: rules, or a scripted model. */
export type Worker = 'rules' | 'model';

/** Where a tab stops for good. */
export interface StopPoint {
  moment: Moment;
  which: NumberedKind;
}

/** What the tests reach a tab through. */
export interface KillTab {
  /** Opens a memory over the database of that name. */
  open(name: string, worker: Worker): Promise<void>;
  /** Twelve turns in two sessions, which no work is done on yet. Those that are there already stay as they are. */
  remember(): Promise<void>;
  /** All that there is to do in the background, and all of it again. */
  work(): Promise<void>;
  settled(): Promise<void>;
  /** Has the work begun, and waits for nothing. */
  begin(): Promise<void>;
  /** All that the memory knows, ids and recording times apart. */
  state(): Promise<unknown>;
  close(): Promise<void>;
  /** Of another memory: its indexes. */
  recall: RecallTab;
  /** The tab stands still there, in the middle of what it does, until the server's answer, which may never come. */
  stopAt(point: StopPoint | undefined): void;
  /** Each call of the model waits for the server's answer. */
  waitInCalls: boolean;
  /** Of this tab, counted from when it last opened a memory: all but those that store turns. */
  written(): WrittenTransaction[];
  /** Queues that this tab has begun to lead, once for each term. */
  terms(): string[];
  /** Kinds of the transactions of this tab that stored a result. */
  effects(): string[];
  /** Resolves when every call of the model has been answered. */
  answered(): Promise<void>;
}

declare global {
  interface Window {
    killTab: KillTab;
  }
}

const SESSIONS = ['a', 'b'] as const;
const TURNS = 12;

/** Turns are stored by transactions that write to this store first. */
const REMEMBERING = ': put sessions';

let memory: Memory;
let stop: StopPoint | undefined;

const watch = watchTransactions((moment, { kind, nth }) => {
  if (stop?.moment !== moment || stop.which.kind !== kind || stop.which.nth !== nth) return;
  stop = undefined;
  standStill();
});

const answers: Promise<unknown>[] = [];

const model: LLM = scriptedModel(async () => {
  if (!window.killTab.waitInCalls) return;
  // Of two requests for one address that might be cached, the second waits for the first.
  const answer = fetch(`/stop?${location.search.slice(1)}`, { cache: 'no-store' });
  answers.push(answer);
  await answer;
});

window.killTab = {
  waitInCalls: false,
  async open(name, worker) {
    watch.restart();
    memory = await createMemory({
      name,
      sessionId: 'a',
      embedder: false,
      tokenizer: approximateTokenizer(),
      recentTurns: 3,
      learning: {
        // Turns wait until `settled` is called, so that the work is the same each time.
        delayMs: 600_000,
        // Several transactions for the turns of a session.
        extractor: { ...(worker === 'model' ? llmExtractor(model) : offlineExtractor()), batchTurns: 4 },
      },
    });
  },
  async remember() {
    for (let n = 1; n <= TURNS; n += 1) {
      const turn = {
        user: `I live in City${Math.ceil(n / 4)}. Topic${n} was founded by Ann${n} Miller in ${1900 + n}.`,
        assistant: `Good to know: Topic${n} has a garden in Town${n}.`,
      };
      await memory.remember(turn, {
        sessionId: n % 3 === 0 ? SESSIONS[1] : SESSIONS[0],
        turnId: `t${n}`,
        createdAt: Date.UTC(2026, 0, n),
      });
    }
  },
  async work() {
    await memory.work.settled();
    await memory.backup.rebuild();
  },
  settled: () => memory.work.settled(),
  async begin() {
    for (const { id } of await memory.work.list()) await memory.work.retry(id);
  },
  state: () => readState(memory, SESSIONS),
  close: () => memory.close(),
  recall: recallTab(() => watch.restart()),
  stopAt(point) {
    stop = point;
  },
  written: () => watch.transactions.filter(({ written }) => written.kind !== REMEMBERING),
  terms: () => kinds().filter((kind) => kind.endsWith(': put meta')),
  effects: () => kinds().filter((kind) => /(triples|entities|summaries)$/.test(kind)),
  async answered() {
    await Promise.all(answers);
    // What comes of the last one is not waited for by anybody.
    await new Promise((resolve) => setTimeout(resolve, 100));
  },
};

function kinds(): string[] {
  return watch.transactions.map(({ written }) => written.kind);
}

/** Returns when the server answers; the page does nothing at all meanwhile. */
function standStill(): void {
  const request = new XMLHttpRequest();
  request.open('GET', `/stop?${location.search.slice(1)}`, false);
  request.send();
}

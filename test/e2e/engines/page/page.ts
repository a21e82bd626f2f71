import { createMemory, type Memory } from '../../../../src/index.ts';
import { yieldToEventLoop } from '../../../../src/model/event-loop.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { takeCommands } from '../../../engines/puppet-page.ts';
import { DemoWindow } from './demo-window.ts';
import { SteadyWriter } from './steady-writer.ts';

declare global {
  interface Window {
    engineTab: EngineTab;
  }
}

/** What the tests reach a tab through. */
interface EngineTab {
  /** Returns the memory of this tab, which is opened on the first call. */
  open(): Promise<Memory>;
  /** Ids of the user messages that this tab has learned from, each as often as it did. */
  learned: string[];
  /** Errors that nobody handled. */
  uncaught: string[];
  /** Whether this page came back from the back/forward cache. */
  wasCached: boolean;
  demo: DemoWindow;
  writer: SteadyWriter;
  /** What background work waits for between its steps. */
  yieldToEventLoop(): Promise<void>;
}

let memory: Promise<Memory> | undefined;
const learned: string[] = [];
const uncaught: string[] = [];
addEventListener('error', ({ message }) => uncaught.push(message));
addEventListener('unhandledrejection', ({ reason }) => uncaught.push(String(reason)));

window.engineTab = {
  learned,
  uncaught,
  wasCached: false,
  demo: new DemoWindow(),
  writer: new SteadyWriter(),
  yieldToEventLoop,
  open() {
    const rules = offlineExtractor();
    memory ??= createMemory({
      name: 'engines',
      sessionId: 'shared',
      embedder: false,
      tokenizer: approximateTokenizer(),
      learning: {
        extractor: {
          ...rules,
          extract(input) {
            learned.push(...input.messages.filter(({ role }) => role === 'user').map(({ id }) => id));
            return rules.extract(input);
          },
        },
      },
    });
    return memory;
  },
};

addEventListener('pageshow', ({ persisted }) => {
  window.engineTab.wasCached = persisted;
});
takeCommands();

import type { HandleOptions, JobHandler } from '../jobs/job-handler.ts';
import type { Extractor } from '../learning/extractor.ts';
import type { LLM } from '../llm/llm.ts';
import { MnemoraError } from '../model/error.ts';
import { loadAhead } from '../model/loading.ts';
import { Engine, type Enrichment } from './engine.ts';
import { MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import { openStores } from './stores.ts';

/** Opens the database and starts background work. @throws MnemoraError the `storage-…` codes */
export async function openEngine(settings: MemorySettings): Promise<Engine> {
  const events = new MemoryEvents(settings.onWarning);
  const ofModel = settings.llm && (await modelExtractor(settings.llm));
  const stores = await openStores(settings, events.warn);
  try {
    const engine = new Engine(settings, events, stores);
    const extractor = settings.extractor ?? ofModel ?? engine.rules;
    if (extractor) engine.enrichment = beginEnrichment(engine, extractor);
    engine.begin();
    return engine;
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function modelExtractor(llm: LLM): Promise<Extractor> {
  const { llmExtractor } = await import('../learning/llm/llm-extractor.ts');
  return llmExtractor(llm);
}

/** Code that works in the background, which a page can be used without. */
const LATER = {
  learn: () => import('./learn-job.ts'),
  summarize: () => import('./summary-job.ts'),
  rebuild: () => import('./rebuild.ts'),
};

/** Serves the queues of the memory as long as the runner is open. */
function beginEnrichment(engine: Engine, extractor: Extractor): Enrichment {
  const { scope, enrichmentDelayMs: delayMs, pauseWhenHidden, pauseWhenOffline } = engine.settings;
  const { queues } = engine.stores;
  const serve = (queue: string, make: () => Promise<JobHandler>, rest: HandleOptions = {}): void => {
    const handler: JobHandler = async (...job) => (await make().catch(notLoaded))(...job);
    engine.runner.handle(queue, handler, { pauseWhenHidden, pauseWhenOffline, ...rest });
  };
  serve(queues.learn, async () => (await LATER.learn()).learnHandler(engine, extractor), {
    // The previous leader may have crashed while a turn was being answered.
    onLead: () => engine.endAbandonedTurnsAgain(),
  });
  serve(queues.summarize, async () => (await LATER.summarize()).summaryHandler(engine, extractor));
  serve(queues.rebuild, async () => (await LATER.rebuild()).rebuildHandler(engine));
  serve(queues.restate, async () => (await LATER.rebuild()).restateHandler(engine));
  loadAhead(Object.values(LATER));
  return {
    renew: async () => (await LATER.rebuild()).renewDerived(engine, extractor),
    restate: async () =>
      engine.stores.jobs.enqueue([{ queue: queues.restate }], [{ scope, sessionId: '', turnIds: [] }]),
    jobs: [
      { queue: queues.learn, delayMs },
      { queue: queues.summarize, delayMs },
    ],
  };
}

/** The job is tried again later. */
function notLoaded(cause: unknown): never {
  throw new MnemoraError(
    'model-unavailable',
    'The part of the library that works in the background could not be loaded. Check that the page’s scripts can be reached.',
    { cause },
  );
}

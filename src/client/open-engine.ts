import type { HandleOptions, JobHandler } from '../jobs/job-handler.ts';
import { MnemoraError } from '../model/error.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import { Engine, type Enrichment } from './engine.ts';
import { MemoryEvents } from './memory-events.ts';
import type { MemorySettings } from './options.ts';
import { openStores } from './stores.ts';

/** Opens the database and starts background work. @throws MnemoraError the `storage-…` codes */
export async function openEngine(settings: MemorySettings): Promise<Engine> {
  const events = new MemoryEvents(settings.onWarning);
  const stores = await openStores(settings, events.warn);
  try {
    const engine = new Engine(settings, events, stores);
    if (settings.extractor !== false) engine.enrichment = beginEnrichment(engine);
    engine.begin();
    return engine;
  } catch (error) {
    stores.close();
    throw error;
  }
}

/** Code that works in the background, which a page can be used without. */
const LATER = {
  learn: () => import('./learn-job.ts'),
  summarize: () => import('./summary-job.ts'),
  rebuild: () => import('./rebuild.ts'),
};

/** Serves the queues of the memory as long as the runner is open. */
function beginEnrichment(engine: Engine): Enrichment {
  const extractor = memoizeAsync(async () => (await import('./choose-extractor.ts')).chooseExtractor(engine));
  const { scope, enrichmentDelayMs: delayMs, pauseWhenHidden, pauseWhenOffline } = engine.settings;
  const { queues } = engine.stores;
  const serve = (queue: string, make: () => Promise<JobHandler>, rest: HandleOptions = {}): void => {
    const handler: JobHandler = async (...job) => (await make().catch(notLoaded))(...job);
    engine.runner.handle(queue, handler, { pauseWhenHidden, pauseWhenOffline, ...rest });
  };
  serve(queues.learn, async () => (await LATER.learn()).learnHandler(engine, await extractor()), {
    // The previous leader may have crashed while a turn was being answered.
    onLead: () => engine.endAbandonedTurnsAgain(),
  });
  serve(queues.summarize, async () => (await LATER.summarize()).summaryHandler(engine, await extractor()));
  serve(queues.rebuild, async () => (await LATER.rebuild()).rebuildHandler(engine));
  serve(queues.restate, async () => (await LATER.rebuild()).restateHandler(engine));
  loadAhead([...Object.values(LATER), extractor]);
  return {
    renew: async () => (await LATER.rebuild()).renewDerived(engine, await extractor()),
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

import type { HandleOptions, JobHandler } from '../jobs/job-handler.ts';
import { MnemoraError } from '../model/error.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import { Engine, type Learning } from './engine.ts';
import { MemoryEvents } from './memory-events.ts';
import type { LearningSettings, MemorySettings } from './options.ts';
import { openStores } from './stores.ts';

/** Opens the database and starts background work. @throws MnemoraError the `storage-…` codes */
export async function openEngine(settings: MemorySettings): Promise<Engine> {
  const events = new MemoryEvents(settings.onWarning);
  const stores = await openStores(settings, events.warn);
  try {
    const engine = new Engine(settings, events, stores);
    const { learning } = settings;
    if (learning) engine.learning = beginLearning(engine, learning);
    engine.begin();
    return engine;
  } catch (error) {
    stores.close();
    throw error;
  }
}

/** Code for background work, which is loaded later because the page can be used without it. */
const LATER = {
  learn: () => import('./learn-job.ts'),
  summarize: () => import('./summary-job.ts'),
  rebuild: () => import('./rebuild.ts'),
};

/** Serves the queues of the memory as long as the runner is open. */
function beginLearning(engine: Engine, learning: LearningSettings): Learning {
  const extractor = memoizeAsync(async () =>
    (await import('./choose-extractor.ts')).chooseExtractor(engine, learning),
  );
  const { scope } = engine.settings;
  const { delayMs, pauseWhenHidden, pauseWhenOffline } = learning;
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

/** Throws an error after which the job is retried later. */
function notLoaded(cause: unknown): never {
  throw new MnemoraError(
    'model-unavailable',
    'The code for background work could not be loaded. Check that the page’s scripts can be reached.',
    { cause },
  );
}

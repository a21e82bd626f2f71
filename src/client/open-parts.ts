import type { HandleOptions, JobHandler } from '../jobs/job-handler.ts';
import type { Extractor } from '../learning/extractor.ts';
import type { Extractors, RecalledBy } from '../learning/learn-job.ts';
import { MnemoraError } from '../model/error.ts';
import { loadAhead, memoizeAsync } from '../model/loading.ts';
import { openStores } from '../sessions/memory-stores.ts';
import { MemoryEvents } from './memory-events.ts';
import { MemoryParts, type BackgroundLearning } from './memory-parts.ts';
import type { LearningOptions, MemorySettings } from './options.ts';

/** Opens the database and starts background work. @throws MnemoraError the `storage-…` codes */
export async function openParts(settings: MemorySettings): Promise<MemoryParts> {
  const events = new MemoryEvents(settings.onWarning);
  const stores = await openStores(settings, events.warn);
  try {
    const parts = new MemoryParts(settings, events, stores);
    const { learning } = settings;
    if (learning) parts.learning = beginLearning(parts, learning);
    parts.begin();
    return parts;
  } catch (error) {
    stores.close();
    throw error;
  }
}

/** Code for background work, which is loaded later because the page can be used without it. */
const LATER = {
  learn: () => import('../learning/learn-job.ts'),
  summarize: () => import('../learning/summary/summary-job.ts'),
  rebuild: () => import('../learning/rebuild/rebuild.ts'),
  restate: () => import('../learning/rebuild/restate.ts'),
  earlier: () => import('../recall/earlier-texts.ts'),
  rules: () => import('../learning/rules/offline-extractor.ts'),
};

/** Serves the queues of the memory as long as the runner is open. */
function beginLearning(parts: MemoryParts, learning: LearningOptions): BackgroundLearning {
  const { assetsUrl } = parts.settings;
  // Their worker ends with the memory.
  const rules = memoizeAsync(async () => {
    const { offlineExtractor } = await LATER.rules();
    return offlineExtractor({ signal: parts.closing, ...(assetsUrl === undefined ? {} : { assetsUrl }) });
  });
  const extractors = memoizeAsync(() => chooseExtractors(learning, rules));
  const extractor = async (): Promise<Extractor> => (await extractors()).extractor;
  const { delayMs = 1500, pauseWhenHidden = false, pauseWhenOffline = false } = learning;
  const { queues } = parts.stores;
  const serve = (queue: string, make: () => Promise<JobHandler>, rest: HandleOptions = {}): void => {
    const handler: JobHandler = async (...job) => (await make().catch(notLoaded))(...job);
    parts.handleJobs(queue, handler, { pauseWhenHidden, pauseWhenOffline, ...rest });
  };
  const recalledBy: RecalledBy = async (turns, signal) => {
    const { earlierTexts } = await LATER.earlier();
    return earlierTexts(parts, turns, signal);
  };
  const learnLater = async (): Promise<JobHandler> =>
    (await LATER.learn()).learnHandler(parts, await extractors(), recalledBy);
  serve(queues.learn, learnLater, {
    // The previous leader may have crashed while a turn was being answered.
    onLead: () => parts.endAbandonedTurnsAgain(),
  });
  serve(queues.summarize, async () =>
    (await LATER.summarize()).summaryHandler(parts, await extractor(), await rules()),
  );
  serve(queues.rebuild, async () =>
    (await LATER.rebuild()).rebuildHandler(parts, await extractors(), recalledBy),
  );
  serve(queues.restate, async () => (await LATER.restate()).restateHandler(parts));
  loadAhead([...Object.values(LATER), extractors]);
  return {
    renew: async () => (await LATER.restate()).renewDerived(parts, await extractor()),
    jobs: [{ queue: queues.learn, delayMs }],
  };
}

/** Returns what a memory learns with: the caller's own extractor, rules and then a model, or rules alone. */
async function chooseExtractors(
  { llm, extractor }: LearningOptions,
  rules: () => Promise<Extractor>,
): Promise<Extractors> {
  if (extractor) return { extractor };
  if (!llm) return { extractor: await rules() };
  const { llmExtractor } = await import('../learning/llm/llm-extractor.ts');
  return { extractor: llmExtractor(llm), rules: await rules() };
}

/** Throws an error after which the job is retried later. */
function notLoaded(cause: unknown): never {
  throw new MnemoraError(
    'model-unavailable',
    'The code for background work could not be loaded. Check that the page’s scripts can be reached.',
    { cause },
  );
}

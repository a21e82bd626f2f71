import { assetsFolder, startWorker } from '../../embedding/start-worker.ts';
import type { TaggerOptions } from '../../language/tagging/tagger.ts';
import { abortable } from '../../model/abortable.ts';
import { checkName, checkOptions, objectWith, type OptionChecks } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { memoizeAsync } from '../../model/loading.ts';
import type { Extractor } from '../extractor.ts';
import type { OfflineRules } from './learn-by-rules.ts';

/** Settings of `offlineExtractor`. */
export interface OfflineExtractorOptions {
  /** URL of the folder with the worker. @default the folder of this library's script */
  assetsUrl?: string;
  /**
   * Terminates the worker when it aborts; later calls reject with its reason. @default the worker lives as long as the
   * page
   */
  signal?: AbortSignal;
}

const CHECKS: OptionChecks<OfflineExtractorOptions> = {
  assetsUrl: checkName,
  signal: objectWith('throwIfAborted', 'addEventListener'),
};

/**
 * Returns an extractor that uses rules instead of a model. It finds names, dates, facts, and the end of facts, and makes
 * summaries of the most informative sentences. It works offline and is deterministic, but finds far less than a model.
 *
 * A clause yields a fact only if all of it matches one of the known shapes (`I live in Paris`, `got 2 cats, miso and
 * bean`, `my husband Boris works at Acme`). Of German, French, Spanish, Italian and Portuguese it knows plain shapes about
 * the user and their people: name, age, home, work, family, pets, birthdays, diet, allergies, likes. Questions,
 * hypotheticals, reported speech, pasted text and other languages yield no facts. `we broke up`, `i quit` and `not vegan
 * anymore` end known facts. From an assistant's messages, only answers, statements about the user, and works with their
 * makers are extracted. Only the first 20,000 characters of a message are read.
 *
 * Rules and word classes (the latter 106 kB) are loaded on first use; part-of-speech tagging runs in a worker. If no worker is available, or
 * `assetsUrl` is wrong, tagging is loaded on the page, which blocks the page once for about 200 ms. Methods reject with
 * MnemoraError `model-unavailable` if the rules cannot be loaded.
 *
 * @example const memory = await createMemory({ learning: { extractor: offlineExtractor() } });
 * @throws MnemoraError `invalid-option`
 */
export function offlineExtractor(options: OfflineExtractorOptions = {}): Extractor {
  checkOptions('offlineExtractor', options, CHECKS);
  const rules = memoizeAsync(async () =>
    (await importRules()).offlineRules({
      ...options,
      startWorker: () => startWorker(assetsFolder(options.assetsUrl), 'tagging-worker.js'),
    }),
  );
  const load = async (signal: AbortSignal | undefined): Promise<OfflineRules> => {
    signal?.throwIfAborted();
    return abortable(rules(), signal);
  };
  return {
    id: 'offline/4',
    batchTurns: 1, // calls are cheap, and a turn's results must not depend on the batch
    summarize: async (input) => (await load(input.signal)).summarize(input),
    extract: async (input) => (await load(input.signal)).extract(input),
  };
}

/** Whether an extractor is any version of {@link offlineExtractor}. */
export function isByRules({ id }: Pick<Extractor, 'id'>): boolean {
  return id.startsWith('offline/');
}

async function importRules(): Promise<{ offlineRules(options: TaggerOptions): OfflineRules }> {
  try {
    return await import('./learn-by-rules.ts');
  } catch (cause) {
    throw new MnemoraError(
      'model-unavailable',
      'The rules of offlineExtractor could not be loaded. Check that the page’s scripts can be reached, or use llmExtractor.',
      { cause },
    );
  }
}

import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Extractor } from '../extractor.ts';
import type { OfflineRules } from './offline-rules.ts';

/**
 * Returns an extractor that uses rules for English instead of a model. It finds names, dates, facts, and the end of
 * facts, and makes summaries of the most informative sentences. It works offline and is deterministic, but finds much
 * less than a model.
 *
 * A clause yields a fact only if all of it matches one of the known shapes (`I live in Paris`, `got 2 cats, miso and
 * bean`, `my husband Boris works at Acme`). Questions, hypotheticals, reported speech, pasted text and other
 * languages yield none. `we broke up`, `i quit` and `not vegan anymore` end known facts. From an assistant's messages
 * it takes only answers, statements about the user, and works with their makers. It reads the first 20,000 characters
 * of a message.
 *
 * The rules (110 kB) are loaded on first use. Methods reject with MnemoraError `model-unavailable` if that fails.
 *
 * @example
 * const memory = await createMemory({ extractor: offlineExtractor() });
 */
export function offlineExtractor(): Extractor {
  const load = async (signal: AbortSignal | undefined): Promise<OfflineRules> => {
    signal?.throwIfAborted();
    const rules = await abortable(importRules(), signal);
    return abortable(rules.loadRules(), signal);
  };
  return {
    id: 'offline/2',
    batchTurns: 1, // calls are cheap, and a turn's results must not depend on the batch
    summarize: async (input) => (await load(input.signal)).summarize(input),
    findEntities: async (input) => (await load(input.signal)).findEntities(input),
    updateEntity: async (input) => (await load(input.signal)).updateEntity(input),
    updateEntities: async (input) => (await load(input.signal)).updateEntities(input),
    extractTriples: async (input) => (await load(input.signal)).extractTriples(input),
    extract: async (input) => (await load(input.signal)).extract(input),
  };
}

/** Whether an extractor is any version of {@link offlineExtractor}. */
export function isByRules({ id }: Pick<Extractor, 'id'>): boolean {
  return id.startsWith('offline/');
}

async function importRules(): Promise<{ loadRules(): Promise<OfflineRules> }> {
  try {
    return await import('./offline-rules.ts');
  } catch (cause) {
    throw new MnemoraError(
      'model-unavailable',
      'The rules of offlineExtractor could not be loaded. Check that the page’s scripts can be reached, or use llmExtractor.',
      { cause },
    );
  }
}

import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Extractor } from '../extractor.ts';
import type { OfflineRules } from './offline-rules.ts';

/**
 * An extractor that works without any model, by rules for plain English: names, dates, simple facts (`I live in Paris`,
 * `Sam's dog is called Rex`, `films directed by Christopher Nolan`), and summaries made of the sentences that tell most.
 * It is no match for a model: it keeps to what is said plainly, and leaves out what is asked, supposed, reported or in
 * other languages. Of a message it reads the first 20,000 characters. The same input gives the same result.
 *
 * Its rules (110 kB) are loaded at the first use. Methods reject with MnemoraError `model-unavailable` where they cannot be.
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
    batchTurns: 1, // a call costs nothing, and what a turn gives is to be the same whenever it is read
    summarize: async (input) => (await load(input.signal)).summarize(input),
    findEntities: async (input) => (await load(input.signal)).findEntities(input),
    updateEntity: async (input) => (await load(input.signal)).updateEntity(input),
    updateEntities: async (input) => (await load(input.signal)).updateEntities(input),
    extractTriples: async (input) => (await load(input.signal)).extractTriples(input),
    extract: async (input) => (await load(input.signal)).extract(input),
  };
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

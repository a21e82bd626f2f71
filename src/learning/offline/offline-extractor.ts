import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Extractor } from '../extractor.ts';
import type { OfflineRules } from './offline-rules.ts';

/**
 * An extractor that works without any model, by rules for English: names, dates, facts, what ends a fact, and summaries
 * made of the sentences that tell most. A fact is made only where a clause is understood to its end, by a table of
 * shapes (`I live in Paris`, `got 2 cats, miso and bean`, `my husband Boris works at Acme`); what is asked, supposed,
 * reported, pasted or in other languages gives none. `we broke up`, `i quit` and `not vegan anymore` end what was known.
 * Of an assistant's words only answers, statements about the user, and works named with who made them become facts.
 * It is no match for a model. Of a message it reads the first 20,000 characters. The same input gives the same result.
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

/** Whether facts and summaries are made by the rules of {@link offlineExtractor}, of whatever version. */
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

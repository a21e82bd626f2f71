import type { Extractor } from '../learning/extractor.ts';
import { offlineExtractor } from '../learning/offline/offline-extractor.ts';
import type { Engine } from './engine.ts';
import type { LearningOptions } from './options.ts';

/** Returns the extractor of a memory: the caller's own, a model with the default prompts, or rules. */
export async function chooseExtractor(
  engine: Engine,
  { llm, extractor }: LearningOptions,
): Promise<Extractor> {
  if (extractor) return extractor;
  if (!llm) return rulesOf(engine);
  const { llmExtractor } = await import('../learning/llm/llm-extractor.ts');
  return llmExtractor(llm);
}

/** Returns an extractor by rules, whose worker ends with the memory. */
export function rulesOf({ settings: { assetsUrl }, closing: signal }: Engine): Extractor {
  return offlineExtractor(assetsUrl === undefined ? { signal } : { signal, assetsUrl });
}

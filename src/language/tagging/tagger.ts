import { abortable } from '../../model/abortable.ts';
import { yieldBetween } from '../../model/event-loop.ts';
import type { TaggingAnswer } from './tagging-protocol.ts';
import { loadWordClasses, type TaggedTerm } from './word-classes.ts';
import { WorkerTagger } from './worker-tagger.ts';

/** Returns the tagged words of each of the English sentences. */
export type Tagger = (sentences: readonly string[], signal?: AbortSignal) => Promise<TaggingAnswer['words']>;

export interface TaggerOptions {
  /** Starts the worker. @throws MnemoraError `model-unavailable` */
  readonly startWorker: () => Worker;
  /** Ends the worker when it aborts. @default the worker lives as long as the page */
  readonly signal?: AbortSignal;
  /** Milliseconds without an answer after which the worker is given up. @default 30000 */
  readonly timeoutMs?: number;
}

/**
 * Returns a tagger with a worker of its own, which its first call starts. Where the worker cannot be started, fails or
 * is silent, the page itself loads the word classes, which takes one long task, and tags the sentences.
 *
 * Calls reject with MnemoraError `model-unavailable` if the page cannot load them either.
 */
export function openTagger({ startWorker, signal: life, timeoutMs = 30_000 }: TaggerOptions): Tagger {
  let worker: WorkerTagger | undefined;
  let isWorking = true;
  const tagInWorker = (sentences: readonly string[]): Promise<TaggingAnswer['words']> => {
    if (!worker) {
      const started = new WorkerTagger(startWorker(), timeoutMs);
      life?.addEventListener('abort', () => started.end(life.reason), { once: true });
      worker = started;
    }
    return worker.tag(sentences);
  };
  return async (sentences, signal) => {
    life?.throwIfAborted();
    if (sentences.length === 0) return [];
    if (isWorking) {
      try {
        return await abortable(tagInWorker(sentences), signal);
      } catch (error) {
        if (signal?.aborted || life?.aborted) throw error;
        isWorking = false;
      }
    }
    return tagOnPage(sentences, signal);
  };
}

async function tagOnPage(
  sentences: readonly string[],
  signal: AbortSignal | undefined,
): Promise<TaggingAnswer['words']> {
  const wordClasses = await abortable(loadWordClasses(), signal);
  const words: (readonly TaggedTerm[])[] = [];
  for await (const sentence of yieldBetween(sentences, signal)) words.push(wordClasses(sentence));
  return words;
}

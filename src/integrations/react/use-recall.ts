import type { RecalledContext, RecallOptions } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import { useMemory } from './memory-context.ts';
import type { MemoryRead } from '../../model/live/memory-read.ts';
import { useLiveRead } from './use-live-read.ts';

type Options = Omit<RecallOptions, 'signal'>;

const reads = new LiveReads((memory, [input, options]: readonly [string, Options], signal) =>
  memory.recall(input, { ...options, signal }),
);
const DEFAULTS: Options = {};

/**
 * Returns the result of `memory.recall(input, options)`, updated after each change in this tab or another. Use it to
 * show what a model would receive; to send a question, call the memory's `recall` when the user submits it.
 *
 * @param options options without `signal`: the read is aborted when no component uses it
 * @throws MnemoraError `invalid-option` outside of a provider. Errors of the read are in `error`.
 *
 * @example
 * const { data: context } = useRecall(draft);
 * return <small>{context?.tokens ?? 0} tokens</small>;
 */
export function useRecall(
  input: string,
  options: Omit<RecallOptions, 'signal'> = DEFAULTS,
): MemoryRead<RecalledContext> {
  const { memory } = useMemory();
  const sessionId = options?.sessionId ?? memory?.sessionId;
  return useLiveRead(reads, [input, sessionId === undefined ? options : { ...options, sessionId }]);
}

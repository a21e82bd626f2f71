import type { AnswerSource } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import type { MemoryRead } from '../../model/live/memory-read.ts';
import { useLiveRead } from './use-live-read.ts';

const reads = new LiveReads((memory, [messageId]: readonly [string], signal) =>
  memory.sources(messageId, { signal }),
);

/**
 * Returns what an answer was given from, as `memory.sources(messageId)` does, updated after each change in this tab or
 * another: what is forgotten disappears.
 *
 * @param messageId id of the answer, such as that of a message of `useChat`
 * @throws MnemoraError `invalid-option` outside of a provider. Errors of the read are in `error`.
 *
 * @example
 * const { data: sources = [] } = useSources(message.id);
 * return <details><summary>This answer used</summary>{sources.map(({ text }, index) => <p key={index}>{text}</p>)}</details>;
 */
export function useSources(messageId: string): MemoryRead<AnswerSource[]> {
  return useLiveRead(reads, [messageId]);
}

import type { SessionInfo } from '../../index.ts';
import { LiveReads } from './live-reads.ts';
import type { MemoryRead } from '../../model/live/memory-read.ts';
import { useLiveRead } from './use-live-read.ts';

const reads = new LiveReads((memory, _args: readonly [], signal) => memory.sessions({ signal }));
const NONE = [] as const;

/**
 * Returns the result of `memory.sessions()`, updated after each change in this tab or another.
 *
 * @throws MnemoraError `invalid-option` outside of a provider. Errors of the read are in `error`.
 */
export function useSessions(): MemoryRead<SessionInfo[]> {
  return useLiveRead(reads, NONE);
}

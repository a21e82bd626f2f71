import type { SignalOption } from '../call-options.ts';
import type { MemoryJob } from '../memory-events.ts';

/** The background work of a memory: learning from turns and summarizing them. */
export interface MemoryWork {
  /** Returns the jobs that are waiting, running, paused or dead, oldest first. */
  list(options?: SignalOption): Promise<MemoryJob[]>;
  /**
   * Retries a job now, whether it is waiting, paused or dead.
   *
   * @throws MnemoraError `not-found`
   */
  retry(id: number, options?: SignalOption): Promise<void>;
  /**
   * Resolves when no background work is left, or when all remaining work has failed, in which case a warning was
   * raised.
   */
  settled(options?: SignalOption): Promise<void>;
}

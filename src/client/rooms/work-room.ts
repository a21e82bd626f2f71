import { abortable } from '../../model/abortable.ts';
import { signalOf, type SignalOption } from '../../model/call-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { toMemoryJob, type MemoryJob } from '../memory-events.ts';
import type { MemoryParts } from '../memory-parts.ts';

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
   * Resolves when no background work is left that could be done now. What `list` then still returns has failed, waits
   * for a network or another model, or has stored nothing for ten minutes (`work-stalled`). A warning was raised in each
   * of these cases.
   */
  settled(options?: SignalOption): Promise<void>;
}

/** Returns the `work` methods of a memory. */
export function openWork(parts: MemoryParts): MemoryWork {
  const { runner, settings } = parts;
  return {
    async list(options = {}) {
      const signal = signalOf('work.list', options);
      const jobs = (await abortable(runner.jobs(), signal)).filter((job) => job.scope === settings.scope);
      if (jobs.length === 0) return [];
      const running = await abortable(runner.running(), signal);
      return jobs.map((job) => toMemoryJob(job, running.has(job.id)));
    },
    async retry(id, options = {}) {
      signalOf('work.retry', options);
      if (await runner.retry(id)) return;
      throw new MnemoraError('not-found', `There is no job ${String(id)}; it may be finished.`);
    },
    async settled(options = {}) {
      await abortable(parts.settled(), signalOf('work.settled', options));
    },
  };
}

import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import { signalOf } from '../call-options.ts';
import type { Engine } from '../engine.ts';
import { toMemoryJob } from '../memory-events.ts';
import type { MemoryWork } from './memory-work.ts';

/** Returns the `work` methods of a memory. */
export function openWork(engine: Engine): MemoryWork {
  const { runner, settings } = engine;
  return {
    async list(options = {}) {
      const jobs = await abortable(runner.jobs(), signalOf('work.list', options));
      return jobs.filter((job) => job.scope === settings.scope).map(toMemoryJob);
    },
    async retry(id, options = {}) {
      signalOf('work.retry', options);
      if (await runner.retry(id)) return;
      throw new MnemoraError('not-found', `There is no job ${String(id)}; it may be finished.`);
    },
    settled: async (options = {}) => abortable(engine.settled(), signalOf('work.settled', options)),
  };
}

import type { Memory, MemoryJob } from '../../src/index.ts';

/**
 * Resolves when what was said before has been learned from, so that the newest word counts; after a while also where that
 * takes longer, as with a tab that is frozen.
 */
export async function waitForLearning(memory: Memory, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  for (;;) {
    const changed = nextChange(memory, until); // before looking, so that nothing falls between
    const jobs = await memory.jobs();
    if (until.aborted || !jobs.some(isUnderWay)) return;
    await changed;
  }
}

const PATIENCE_MS = 3000;

/** Work that failed before may take any time. */
function isUnderWay({ kind, state, attempts }: MemoryJob): boolean {
  return kind === 'learn' && (state === 'running' || (state === 'waiting' && attempts === 0));
}

function nextChange(memory: Memory, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const happened = (): void => {
      memory.removeEventListener('job', happened);
      memory.removeEventListener('change', happened);
      until.removeEventListener('abort', happened);
      resolve();
    };
    memory.addEventListener('job', happened);
    memory.addEventListener('change', happened);
    until.addEventListener('abort', happened);
  });
}

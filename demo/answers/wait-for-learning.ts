import type { Memory, MemoryJob } from '../../src/index.ts';

/**
 * Resolves when the memory has learned from all earlier turns, so that an answer uses the newest facts. Gives up waiting
 * after three seconds, because a frozen tab may hold the work.
 */
export async function waitForLearning(memory: Memory, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  for (;;) {
    const changed = nextChange(memory, until); // listens before it reads, so that no change is missed
    const jobs = await memory.work.list();
    if (until.aborted || !jobs.some(isInProgress)) return;
    await changed;
  }
}

const TIMEOUT_MS = 3000;

/** Jobs that failed before are retried later and are not waited for. */
function isInProgress({ kind, state, attempts }: MemoryJob): boolean {
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

import type { JobStore } from '../storage/jobs/job-store.ts';
import { holdInUse, namesInUse } from '../tabs/presence.ts';

/**
 * Shows all tabs that this one is doing a job, until the signal aborts. By a lock, which the browser releases if the tab
 * dies: nothing is written to begin a job.
 */
export function showRunning(store: Pick<JobStore, 'name'>, jobId: number, signal: AbortSignal): void {
  void holdInUse(`${prefixOf(store)}${jobId}`, signal);
}

/** Returns the ids of the jobs that tabs are doing. None are known where there are no Web Locks. */
export async function runningJobs(store: Pick<JobStore, 'name'>): Promise<readonly number[]> {
  return Array.from((await namesInUse(prefixOf(store))) ?? [], Number);
}

function prefixOf({ name }: Pick<JobStore, 'name'>): string {
  return `mnemora:job:${name}:`;
}

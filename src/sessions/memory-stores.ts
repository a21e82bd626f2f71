import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import { restateQueue } from '../storage/forgetting/read-again.ts';
import { jobsOf, type JobStore } from '../storage/jobs/job-store.ts';
import { Knowledge, type KnowledgeStore } from '../storage/knowledge-store.ts';
import { SearchRows } from '../storage/search-rows.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { SummaryStore } from '../storage/summary-store.ts';
import { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import { engineOf, type MemoryDatabase } from './memory-database.ts';
import { openDatabase } from './open-database.ts';

/** Id of the summaries that `createMemory` makes, among those of other memories of the same session. */
export const SUMMARY_ID = 'memory';

/** The stores of a memory. */
export interface MemoryStores {
  readonly engine: StorageEngine;
  readonly records: MemoryDatabase['records'];
  readonly transcript: TranscriptStore;
  readonly search: SearchRows;
  readonly summaries: SummaryStore;
  readonly knowledge: KnowledgeStore;
  readonly jobs: JobStore;
  /** Queues of the memory's scope in `jobs`. `restate` marks all claims again. */
  readonly queues: Readonly<Record<'learn' | 'summarize' | 'rebuild' | 'restate', string>>;
  /** Closes the database, unless it is the caller's own. */
  close(): void;
}

interface StoreSettings {
  readonly name: string;
  readonly clock: Clock;
  readonly storage: 'indexeddb' | 'memory';
  /** The caller's own database. */
  readonly database?: MemoryDatabase | undefined;
  readonly scope: string;
}

/** @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
export async function openStores(
  { name, clock, storage, database, scope }: StoreSettings,
  onWarning: WarningListener,
): Promise<MemoryStores> {
  const opened = database ?? (await openDatabase({ name, clock, storage, onWarning }));
  const engine = engineOf(opened);
  const stopWarnings = database && engine.losses?.tell(onWarning);
  const close = (): void => {
    stopWarnings?.();
    if (!database) opened.close();
  };
  const transcript = new TranscriptStore(engine);
  try {
    await transcript.secret(); // read now, so that no question has to
  } catch (error) {
    close();
    throw error;
  }
  return {
    engine,
    records: opened.records,
    transcript,
    search: new SearchRows(engine),
    summaries: new SummaryStore(engine),
    knowledge: new Knowledge(engine),
    jobs: jobsOf(engine),
    queues: {
      learn: `learn/${scope}`,
      summarize: `summarize/${scope}`,
      rebuild: `rebuild/${scope}`,
      restate: restateQueue(scope),
    },
    close,
  };
}

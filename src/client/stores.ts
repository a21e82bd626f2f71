import type { WarningListener } from '../model/warning.ts';
import { engineOf } from '../sessions/memory-database.ts';
import { openDatabase } from '../sessions/open-database.ts';
import { jobsOf } from '../storage/jobs/jobs.ts';
import type { JobStore } from '../storage/jobs/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import { Knowledge } from '../storage/knowledge.ts';
import { SearchRows } from '../storage/search-rows.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { Summaries } from '../storage/summaries.ts';
import type { SummaryStore } from '../storage/summary-store.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import { Transcript } from '../storage/transcript/transcript.ts';
import type { MemorySettings } from './options.ts';

/** Where a memory keeps everything. */
export interface MemoryStores {
  readonly engine: StorageEngine;
  readonly transcript: TranscriptStore;
  readonly search: SearchRows;
  readonly summaries: SummaryStore;
  readonly knowledge: KnowledgeStore;
  readonly jobs: JobStore;
  /** Closes the database, unless it is the caller's own. */
  close(): void;
}

/** @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
export async function openStores(
  { name, clock, history, database }: MemorySettings,
  onWarning: WarningListener,
): Promise<MemoryStores> {
  const opened = database ?? (await openDatabase({ name, clock, history, onWarning }));
  const engine = engineOf(opened);
  const transcript = new Transcript(engine);
  await transcript.secret(); // read now, so that no question has to
  return {
    engine,
    transcript,
    search: new SearchRows(engine),
    summaries: new Summaries(engine),
    knowledge: new Knowledge(engine),
    jobs: jobsOf(engine),
    close: () => {
      if (!database) opened.close();
    },
  };
}

import { openDatabase } from '../sessions/open-database.ts';
import type { WarningListener } from '../model/warning.ts';
import type { Connection } from '../storage/connection.ts';
import { InMemoryTranscript } from '../storage/in-memory-transcript.ts';
import type { JobStore } from '../storage/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import type { SummaryStore } from '../storage/summary-store.ts';
import type { TranscriptStore } from '../storage/transcript-store.ts';
import type { MemorySettings } from './options.ts';

/** Where a memory keeps everything. */
export interface MemoryStores {
  readonly transcript: TranscriptStore;
  readonly summaries: SummaryStore;
  readonly knowledge: KnowledgeStore;
  readonly jobs: JobStore;
  /** Absent in RAM. */
  readonly connection?: Connection;
  close(): void;
}

/** @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
export async function openStores(
  settings: MemorySettings,
  onWarning: WarningListener,
): Promise<MemoryStores> {
  const { name, clock, history } = settings;
  if (history === 'indexeddb') return openDatabase({ name, clock, onWarning });
  const transcript = new InMemoryTranscript();
  const { summaries, knowledge, jobs } = transcript;
  return { transcript, summaries, knowledge, jobs, close: () => transcript.close() };
}

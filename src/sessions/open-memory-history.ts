import type { CountedMessage } from '../model/message.ts';
import { MemoryEngine } from '../storage/memory-engine.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { SummaryStore } from '../storage/summary-store.ts';
import { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import { TranscriptHistory } from './transcript-history.ts';

/** Returns an engine in RAM. Here, because it is loaded in one piece with the history. */
export function memoryEngine(): StorageEngine {
  return new MemoryEngine();
}

/** Opens a history in RAM that begins with these messages. */
export async function openMemoryHistory(messages: readonly CountedMessage[]): Promise<TranscriptHistory> {
  const engine = new MemoryEngine();
  // Without an engine the history queues no jobs: background work has to survive the page.
  const stores = { transcript: new TranscriptStore(engine), summaries: new SummaryStore(engine) };
  const history = new TranscriptHistory(stores, 'default');
  await history.addMessages(messages);
  return history;
}

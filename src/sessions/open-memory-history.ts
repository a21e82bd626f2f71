import type { CountedMessage } from '../model/message.ts';
import { MemoryEngine } from '../storage/memory-engine.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { Summaries } from '../storage/summaries.ts';
import { Transcript } from '../storage/transcript/transcript.ts';
import { TranscriptHistory } from './transcript-history.ts';

/** An engine in RAM, for a database of the same kind: one piece of code to load. */
export function memoryEngine(): StorageEngine {
  return new MemoryEngine();
}

/** A history in RAM that holds these messages. */
export async function openMemoryHistory(messages: readonly CountedMessage[]): Promise<TranscriptHistory> {
  const engine = new MemoryEngine();
  // No jobs: what is done in the background is to survive the page.
  const stores = { transcript: new Transcript(engine), summaries: new Summaries(engine) };
  const history = new TranscriptHistory(stores, 'default');
  await history.addMessages(messages);
  return history;
}

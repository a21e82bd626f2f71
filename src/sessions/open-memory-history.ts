import type { CountedMessage } from '../model/message.ts';
import { MemoryEngine } from '../storage/memory-engine.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { SummaryStore } from '../storage/summary-store.ts';
import { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import type { HistoryStores } from './session-summaries.ts';

/** Returns an engine in RAM. It is in this file so that it is loaded in one chunk with the stores of a history. */
export function memoryEngine(): StorageEngine {
  return new MemoryEngine();
}

/** Opens stores in RAM with one session that begins with these messages. */
export async function openMemoryStores(
  sessionId: string,
  messages: readonly CountedMessage[],
): Promise<HistoryStores> {
  const engine = new MemoryEngine();
  const transcript = new TranscriptStore(engine);
  const createdAt = Date.now();
  if (messages.length > 0) await transcript.append({ sessionId, messages, state: 'complete', createdAt });
  return { transcript, summaries: new SummaryStore(engine) };
}

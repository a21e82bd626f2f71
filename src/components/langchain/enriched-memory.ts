import { HistoryMemory } from './history-memory.ts';

/** Derives summaries, entities or facts from the turns of one history. */
interface TurnWork {
  settled(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** A memory component that derives something from the turns saved, immediately or in the background. */
export abstract class EnrichedMemory extends HistoryMemory {
  /** @internal */
  protected abstract readonly enrichment: TurnWork;

  /** Resolves when no turn is being processed, and none is queued in the background. */
  settled(): Promise<void> {
    return this.enrichment.settled();
  }

  /** Deletes all messages of the history, and everything derived from these messages alone. */
  override clear(): Promise<void> {
    return this.enrichment.clear();
  }

  /** Stops this memory's background work, which other open memories of the session continue. */
  close(): Promise<void> {
    return this.enrichment.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

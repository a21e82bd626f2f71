import { HistoryMemory } from './history-memory.ts';

/** What makes summaries, entities or facts of the turns of one history. */
interface TurnWork {
  settled(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** A memory component that makes something of the turns that are saved, at once or in the background. */
export abstract class EnrichedMemory extends HistoryMemory {
  /** @internal */
  protected abstract readonly enrichment: TurnWork;

  /** Resolves when no turn is being read, and in the background none is queued. */
  settled(): Promise<void> {
    return this.enrichment.settled();
  }

  /** Removes all messages of the history, and what is known from them alone. */
  override clear(): Promise<void> {
    return this.enrichment.clear();
  }

  /** Ends this memory's work in the background, which goes on where another memory of the session is open. */
  close(): Promise<void> {
    return this.enrichment.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

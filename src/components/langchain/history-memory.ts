import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { HistoryConnection } from './history-connection.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';

/** A memory component over a chat history. */
export abstract class HistoryMemory implements BaseMemory {
  /** @internal */
  protected readonly connection: HistoryConnection;

  /** @internal */
  protected constructor(connection: HistoryConnection) {
    this.connection = connection;
  }

  get memoryKeys(): string[] {
    return [...this.connection.memoryKeys];
  }

  /** Chat history that stores the messages. */
  get chatHistory(): ChatMessageHistory {
    return this.connection.history;
  }

  checkInputs(inputs: Values): void {
    this.connection.checkInputs(inputs);
  }

  abstract loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>>;

  /** Stores the turn. @throws MnemoraError `invalid-input` if input or output cannot be identified */
  saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    return this.connection.save(inputs, outputs, options);
  }

  /** Deletes all messages of the history. */
  clear(): Promise<void> {
    return this.connection.history.clear();
  }
}

import type { MemoryDatabase } from '../../../../src/sessions/memory-database.ts';
import type { ChatMessage } from '../../../../src/model/message.ts';

/** Writes turns `<prefix>-0`, `<prefix>-1`, … one after the other until it is stopped or the tab dies. */
export class Writer {
  readonly #database: MemoryDatabase;
  readonly #session: string;
  readonly #prefix: string;
  readonly #finished: Promise<void>;
  #stopped = false;

  constructor(database: MemoryDatabase, session: string, prefix: string) {
    this.#database = database;
    this.#session = session;
    this.#prefix = prefix;
    this.#finished = this.#write();
  }

  /** Resolves when the turn that is being written is durable. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#finished;
  }

  async #write(): Promise<void> {
    const history = this.#database.chatHistory(this.#session);
    for (let n = 0; !this.#stopped; n += 1) {
      const turnId = `${this.#prefix}-${n}`;
      const turn = turnMessages(turnId);
      // Every third turn is stored before the model answers, as a chat does.
      if (n % 3 === 0) await history.addMessages(turn.slice(0, 1), { turnId, state: 'pending' });
      await history.addMessages(turn, { turnId });
      void window.acknowledge?.(turnId);
    }
  }
}

/** The same messages for the same id. */
export function turnMessages(turnId: string): ChatMessage[] {
  return [
    { role: 'user', content: `question ${turnId}` },
    // Of many sizes, so that a kill meets small and large writes.
    { role: 'assistant', content: `answer ${turnId}`.padEnd((turnId.length * 7919) % 5000, '.') },
  ];
}

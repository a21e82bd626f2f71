import type { Memory } from '../../src/index.ts';

/** The conversations that messages lie in. Each is looked up once, as it never changes. */
export class MessageSessions {
  readonly #memory: Memory;
  readonly #places = new Map<string, string>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Conversations by the id of a message in them, with at least those of these messages that are still there. */
  async find(messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (messageIds.some((id) => !this.#places.has(id))) {
      const sessions = await this.#memory.sessions();
      const histories = await Promise.all(sessions.map(({ id }) => this.#memory.history(id)));
      for (const { id, sessionId } of histories.flat()) this.#places.set(id, sessionId);
    }
    return this.#places;
  }
}

import type { Memory } from '../../src/index.ts';

/** Finds the conversation of a message. Each result is cached, because it never changes. */
export class MessageSessions {
  readonly #memory: Memory;
  readonly #sessionIds = new Map<string, string>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Session ids by message id. Contains at least those of the given messages that still exist. */
  async find(messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (messageIds.some((id) => !this.#sessionIds.has(id))) {
      const sessions = await this.#memory.sessions();
      const histories = await Promise.all(sessions.map(({ id }) => this.#memory.history({ sessionId: id })));
      for (const { id, sessionId } of histories.flat()) this.#sessionIds.set(id, sessionId);
    }
    return this.#sessionIds;
  }
}

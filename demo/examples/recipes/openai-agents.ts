import type { AgentInputItem, Session } from '@openai/agents';
import type { JsonValue, Memory } from 'mnemora';

/** Returns a session for `run(agent, input, { session })` that is kept in IndexedDB, and forgotten with the memory's session. */
export function agentsSession(memory: Memory, sessionId: string): Session {
  const log = memory.records(`openai-agents:${sessionId}`);
  const put = (key: string, items: AgentInputItem[]): Promise<void> =>
    log.put(key, JSON.parse(JSON.stringify(items)) as JsonValue, { sessionId });
  return {
    getSessionId: async () => sessionId,
    async getItems(limit = Infinity) {
      const items = (await log.list()).flatMap(({ value }) => value as unknown as AgentInputItem[]);
      return items.slice(Math.max(0, items.length - limit));
    },
    // Items that are added together are one record, stored as a whole; the random end keeps those of two tabs apart.
    async addItems(items) {
      const next = Number((await log.list()).at(-1)?.key.slice(0, 9) ?? 0) + 1;
      if (items.length > 0) await put(`${String(next).padStart(9, '0')}-${crypto.randomUUID()}`, items);
    },
    async popItem() {
      const newest = (await log.list()).at(-1);
      const items = (newest?.value ?? []) as unknown as AgentInputItem[];
      const popped = items.pop();
      if (newest) await (items.length > 0 ? put(newest.key, items) : log.delete(newest.key));
      return popped;
    },
    clearSession: async () => void (await Promise.all((await log.list()).map(({ key }) => log.delete(key)))),
  };
}

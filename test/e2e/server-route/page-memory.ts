import { createMemory, type AnswerSource, type Memory, type Warning } from '../../../src/index.ts';

/** What a test asks of the memory of a page. A page that has one can be used. */
export interface PageMemory {
  /** Stores a turn of a chat that the page does not show. */
  tell(sessionId: string, user: string, assistant: string): Promise<void>;
  /** State and text of each stored message of a chat. */
  stored(sessionId: string): Promise<string[]>;
  sources(messageId: string): Promise<AnswerSource[]>;
  forget(sessionId: string): Promise<void>;
  /** Codes of the warnings so far. */
  warnings(): string[];
}

declare global {
  interface Window {
    readonly pageMemory: PageMemory;
  }
}

/** Opens the memory of a page, with what a test asks of it. */
export async function openPageMemory(): Promise<{ memory: Memory; pageMemory: PageMemory }> {
  const warnings: Warning[] = [];
  const memory = await createMemory({
    assetsUrl: new URL('mnemora/', location.href).href,
    onWarning: (warning) => warnings.push(warning),
  });
  const pageMemory: PageMemory = {
    async tell(sessionId, user, assistant) {
      await memory.remember({ user, assistant }, { sessionId });
      await memory.work.settled();
    },
    async stored(sessionId) {
      const all = await memory.history({ sessionId });
      return all.map(({ role, content, state }) => `${state} ${role}: ${String(content)}`);
    },
    sources: (messageId) => memory.sources(messageId),
    forget: async (sessionId) => void (await memory.forget({ sessionId })),
    warnings: () => warnings.map(({ code }) => code),
  };
  return { memory, pageMemory };
}

import { benchEmbedder } from '../bench-embedder.ts';
import { createMemory, type Memory, type Embedder } from '../../../src/index.ts';
import type { NaturalChat } from './natural-chats.ts';

const DAY_MS = 86_400_000;

let embedder: Embedder | undefined;

/**
 * Calls a function with a new memory with default options that has remembered a chat at the chat's own times. It is a day
 * later, and all turns have been learned from.
 *
 * @param assetsUrl folder of worker and model
 */
export async function withRememberedChat<T>(
  chat: NaturalChat,
  assetsUrl: string,
  use: (memory: Memory) => Promise<T>,
): Promise<T> {
  embedder ??= benchEmbedder(assetsUrl);
  const clock = { now: 0 };
  const memory = await createMemory({
    name: `bench-${chat.id}`,
    storage: 'memory',
    embedder,
    clock: () => clock.now,
  });
  try {
    await remember(memory, chat, clock);
    clock.now += DAY_MS;
    await memory.work.settled();
    return await use(memory);
  } finally {
    await memory.close();
  }
}

/** A user message and the answer that follows it in its session are remembered together. */
async function remember(memory: Memory, { messages }: NaturalChat, clock: { now: number }): Promise<void> {
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position];
    const next = messages[position + 1];
    if (message === undefined) break;
    const { role, content, at, session } = message;
    const isAnswered = role === 'user' && next?.role === 'assistant' && next.session === session;
    if (isAnswered) position++;
    clock.now = Date.parse(at);
    const answer = isAnswered ? [{ role: next.role, content: next.content }] : [];
    await memory.remember(
      { messages: [{ role, content }, ...answer] },
      { sessionId: session, createdAt: clock.now },
    );
  }
}

import { createMemory, transformersEmbedder, type ChatMemory, type Embedder } from '../../src/index.ts';
import type { AskedContext, ReadContext } from './asked-contexts.ts';
import type { StatedFact } from './listed-facts.ts';
import type { NaturalChat } from './natural-chats.ts';

export interface ChatToPlay {
  chat: NaturalChat;
  /** By ask: the question in a frame, undefined where it is asked as it is alone. */
  framed: (string | undefined)[];
  /** Tokens of a context; the asks are put once for each. */
  budgets: number[];
  /** Folder of worker and model. */
  assetsUrl: string;
}

export interface ChatResult {
  facts: StatedFact[];
  /** One list for each budget, in the order of the asks. */
  asked: AskedContext[][];
}

const DAY_MS = 86_400_000;

let embedder: Embedder | undefined;

/** Plays a chat to a new memory with default options, at the chat's own times, and asks its questions a day after. */
export async function playChat({ chat, framed, budgets, assetsUrl }: ChatToPlay): Promise<ChatResult> {
  // The default embedder, but for room to keep what other chats of the corpus have in common.
  embedder ??= transformersEmbedder({ assetsUrl, cacheSize: 100_000 });
  const clock = { now: 0 };
  const memory = await createMemory({
    name: `bench-context-${chat.id}`,
    history: 'memory',
    embedder,
    clock: () => clock.now,
  });
  try {
    await remember(memory, chat, clock);
    clock.now += DAY_MS;
    await memory.settled();
    const facts = await memory.facts();
    const asked: AskedContext[][] = [];
    for (const maxTokens of budgets) asked.push(await askAll(memory, chat, framed, maxTokens));
    return {
      facts: facts.map(({ id, subject, predicate, object, validTo }) => ({
        id,
        subject,
        predicate,
        object,
        hasEnded: validTo !== undefined,
      })),
      asked,
    };
  } finally {
    await memory.close();
  }
}

/** A user message and the answer that follows it in its session are remembered together. */
async function remember(
  memory: ChatMemory,
  { messages }: NaturalChat,
  clock: { now: number },
): Promise<void> {
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position];
    const next = messages[position + 1];
    if (message === undefined) break;
    const { role, content, at, session } = message;
    const isAnswered = role === 'user' && next?.role === 'assistant' && next.session === session;
    if (isAnswered) position++;
    clock.now = Date.parse(at);
    await memory.remember(
      {
        messages: [{ role, content }, ...(isAnswered ? [{ role: next.role, content: next.content }] : [])],
      },
      { sessionId: session, createdAt: clock.now },
    );
  }
}

async function askAll(
  memory: ChatMemory,
  { asks }: NaturalChat,
  framed: readonly (string | undefined)[],
  maxTokens: number,
): Promise<AskedContext[]> {
  const session = memory.session('ask');
  const ask = async (question: string): Promise<ReadContext> => {
    const { text, items } = await session.recall(question, { maxTokens });
    return {
      text,
      items: items.map(({ kind, text: told, tokens, factId }) => ({
        kind,
        text: told,
        tokens,
        ...(factId === undefined ? {} : { factId }),
      })),
    };
  };
  const asked: AskedContext[] = [];
  for (const [position, { question }] of asks.entries()) {
    const context = await ask(question);
    const frame = framed[position];
    asked.push(frame === undefined ? { context } : { context, framed: await ask(frame) });
  }
  return asked;
}

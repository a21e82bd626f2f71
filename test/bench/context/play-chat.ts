import type { Memory } from '../../../src/index.ts';
import type { AskedContext, ReadContext } from './asked-contexts.ts';
import type { StatedFact } from './listed-facts.ts';
import type { NaturalChat } from './natural-chats.ts';
import { withRememberedChat } from './remembered-chat.ts';

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
  /** Texts of the lines of the profile. */
  profile: string[];
  /** One list for each budget, in the order of the asks. */
  asked: AskedContext[][];
}

/** Says a chat to a memory, and reads what it then knows and gives for the asks in a new session. */
export function playChat({ chat, framed, budgets, assetsUrl }: ChatToPlay): Promise<ChatResult> {
  return withRememberedChat(chat, assetsUrl, async (memory) => {
    const facts = await memory.facts.list();
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
      profile: (await memory.profile()).map(({ text }) => text),
      asked,
    };
  });
}

async function askAll(
  memory: Memory,
  { asks }: NaturalChat,
  framed: readonly (string | undefined)[],
  maxTokens: number,
): Promise<AskedContext[]> {
  const session = memory.session('ask');
  const ask = async (question: string): Promise<ReadContext> => {
    const { text, items } = await session.recall(question, { maxTokens });
    return {
      text,
      items: items.map((item) => ({
        kind: item.kind,
        text: item.text,
        tokens: item.tokens,
        ...(item.factId === undefined ? {} : { factId: item.factId }),
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

import { fetchLLM, type ChatMessage } from '../../../src/index.ts';
import type { AskAnswers } from './answer-scores.ts';
import { isUnrelated } from '../context/asked-contexts.ts';
import type { NaturalChat } from '../context/natural-chats.ts';
import { withRememberedChat } from '../context/remembered-chat.ts';

export interface ModelToAsk {
  url: string;
  model: string;
  apiKey: string | undefined;
}

export interface ChatToAnswer {
  chat: NaturalChat;
  model: ModelToAsk;
  /** Tokens of a request with memory. */
  budget: number;
  /** Folder of worker and model. */
  assetsUrl: string;
}

export interface ChatAnswers {
  answers: AskAnswers[];
  /** Errors of the endpoint for questions without an answer. */
  errors: string[];
}

/** Timeout: before its first token, a local model may have to be loaded and to read a long request. */
const TIMEOUT_MS = 300_000;

const aborter = new AbortController();

/** Aborts the current request and all later ones. */
export function abortAnswers(): void {
  aborter.abort(new DOMException('The run was interrupted.', 'AbortError'));
}

/** Returns the model's answer. Rejects with the errors of `fetchLLM`. */
export async function askModel(model: ModelToAsk, messages: readonly ChatMessage[]): Promise<string> {
  const { url, model: name, apiKey } = model;
  const llm = fetchLLM({ url, model: name, timeoutMs: TIMEOUT_MS, ...(apiKey ? { apiKey } : {}) });
  const { text } = await llm({ messages, signal: aborter.signal });
  return text;
}

/**
 * Plays a chat to a memory and lets a model answer the questions that need memory, once with the recalled context and once
 * with the question alone. After an abort it returns the answers so far.
 */
export function answerChat({ chat, model, budget, assetsUrl }: ChatToAnswer): Promise<ChatAnswers> {
  return withRememberedChat(chat, assetsUrl, async (memory) => {
    const session = memory.session('ask');
    const result: ChatAnswers = { answers: [], errors: [] };
    for (const ask of chat.asks.filter((each) => !isUnrelated(each))) {
      if (aborter.signal.aborted) break;
      const { messages } = await session.recall(ask.question, { maxTokens: budget });
      try {
        const withMemory = await askModel(model, messages);
        const withoutMemory = await askModel(model, [{ role: 'user', content: ask.question }]);
        result.answers.push({ ask, withMemory, withoutMemory });
      } catch (error) {
        if (aborter.signal.aborted) break;
        result.errors.push(error instanceof Error ? error.message : String(error));
      }
    }
    return result;
  });
}

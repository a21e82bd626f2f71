import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { coerceMessageLikeToMessage } from '@langchain/core/messages';
import type { Memory } from 'mnemora';
import { langChainMessages } from 'mnemora/langchain';

/** Asks a model of LangChain with what memory recalls for the question, and remembers the turn. */
export async function ask(model: BaseChatModel, memory: Memory, question: string): Promise<string> {
  const { messages } = await memory.recall(question);
  const { text } = await model.invoke(langChainMessages(messages, coerceMessageLikeToMessage));
  await memory.remember({ user: question, assistant: text });
  return text;
}

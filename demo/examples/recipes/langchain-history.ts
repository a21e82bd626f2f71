import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { coerceMessageLikeToMessage } from '@langchain/core/messages';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableWithMessageHistory } from '@langchain/core/runnables';
import type { MemoryDatabase } from 'mnemora';
import { langChainHistory } from 'mnemora/langchain';

type Chat = RunnableWithMessageHistory<{ input: string }, { text: string }>;

/** Returns a model that keeps every session in IndexedDB: `chat.invoke({ input }, { configurable: { sessionId } })`. */
export function withHistory(model: BaseChatModel, database: MemoryDatabase): Chat {
  const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']]);
  return new RunnableWithMessageHistory({
    runnable: prompt.pipe(model),
    getMessageHistory: (id: string) => langChainHistory(database.chatHistory(id), coerceMessageLikeToMessage),
    inputMessagesKey: 'input',
    historyMessagesKey: 'history',
  });
}

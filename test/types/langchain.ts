// Checked by the compiler alone (`npm run types`) and never run. LCH-10: LangChain takes all of it without a cast.
import { BufferMemory, BufferWindowMemory } from '@langchain/classic/memory';
import { ConversationChain } from '@langchain/classic/chains';
import type { BaseChatMessageHistory, BaseListChatMessageHistory } from '@langchain/core/chat_history';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMemory } from '@langchain/core/memory';
import { coerceMessageLikeToMessage, type BaseMessage } from '@langchain/core/messages';
import { RunnableWithMessageHistory } from '@langchain/core/runnables';
import { expectTypeOf } from 'vitest';
import type { MemoryDatabase, RecalledContext } from '../../src/index.ts';
import {
  InMemoryChatMessageHistory,
  langChainHistory,
  langChainMessages,
  type CombinedMemory,
  type ConversationBufferMemory,
  type ConversationBufferWindowMemory,
  type ConversationEntityMemory,
  type ConversationKGMemory,
  type ConversationSummaryBufferMemory,
  type ConversationSummaryMemory,
  type ConversationTokenBufferMemory,
  type LangChainHistory,
  type ReadOnlySharedMemory,
  type SimpleMemory,
  type VectorStoreRetrieverMemory,
} from '../../src/langchain.ts';

declare const llm: BaseChatModel;
declare const database: MemoryDatabase;
declare const context: RecalledContext;

// The memories, in a chain of LangChain's.
declare const memories: [
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationTokenBufferMemory,
  ConversationSummaryMemory,
  ConversationSummaryBufferMemory,
  ConversationEntityMemory,
  ConversationKGMemory,
  VectorStoreRetrieverMemory,
  CombinedMemory,
  SimpleMemory,
  ReadOnlySharedMemory,
];
export const theirs: BaseMemory[] = memories;
for (const memory of memories) void new ConversationChain({ llm, memory });

// The histories, in LangChain's memories and around its runnables.
const chatHistory = langChainHistory(database.chatHistory('today'), coerceMessageLikeToMessage);
expectTypeOf(chatHistory).toEqualTypeOf<LangChainHistory<BaseMessage>>();
expectTypeOf(chatHistory).toExtend<BaseChatMessageHistory>();
expectTypeOf(chatHistory).toExtend<BaseListChatMessageHistory>();
expectTypeOf(chatHistory.getMessages()).toEqualTypeOf<Promise<BaseMessage[]>>();
void new BufferMemory({ chatHistory });
void new BufferWindowMemory({ chatHistory, returnMessages: true });
void new RunnableWithMessageHistory({
  runnable: llm,
  getMessageHistory: (id: string) =>
    langChainHistory(database.chatHistory(id), coerceMessageLikeToMessage, {
      onWarning: (warning) => expectTypeOf(warning.code).toExtend<string>(),
    }),
});
void langChainHistory(new InMemoryChatMessageHistory(), coerceMessageLikeToMessage);
// @ts-expect-error: whose message classes it is to return
void langChainHistory(database.chatHistory('today'));
// @ts-expect-error: a plain message is not one of LangChain's
void chatHistory.addMessage({ role: 'user', content: 'hi' });

// A context, in a call of LangChain's model.
void llm.invoke(langChainMessages(context.messages, coerceMessageLikeToMessage));

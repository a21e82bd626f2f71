import { ConversationChain } from '@langchain/classic/chains';
import { BufferMemory } from '@langchain/classic/memory';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { coerceMessageLikeToMessage } from '@langchain/core/messages';
import type { MemoryDatabase } from 'mnemora';
import { langChainHistory } from 'mnemora/langchain';

/** Returns a chain whose turns are kept in IndexedDB and sent with the next question. */
export function conversation(llm: BaseChatModel, database: MemoryDatabase, id: string): ConversationChain {
  const chatHistory = langChainHistory(database.chatHistory(id), coerceMessageLikeToMessage);
  return new ConversationChain({ llm, memory: new BufferMemory({ chatHistory }) });
}

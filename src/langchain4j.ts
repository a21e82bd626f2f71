// LangChain4j's chat memories.
export {
  MessageWindowChatMemory,
  TokenWindowChatMemory,
  type MessageWindowChatMemoryOptions,
  type TokenWindowChatMemoryOptions,
} from './components/langchain4j/window-chat-memories.ts';
export type {
  AnswerTurn,
  ChatMemoryLimit,
  ChatMemoryList,
  ChatMemoryOptions,
} from './components/langchain4j/chat-memory-list.ts';
export { openDatabase } from './sessions/open-database.ts';
export type { OpenDatabaseOptions } from './sessions/open-database.ts';
export type { MemoryDatabase, SessionInfo } from './sessions/memory-database.ts';
export { InMemoryChatMemoryStore, type ChatMemoryStore } from './sessions/chat-memory-store.ts';
export type { ChatMessage, ContentPart, StoredMessage, ToolCall, TurnState } from './model/message.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';

// Errors.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';

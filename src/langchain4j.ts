// LangChain4j's chat memories.
export { MessageWindowChatMemory } from './components/langchain4j/message-window-chat-memory.ts';
export type { MessageWindowChatMemoryOptions } from './components/langchain4j/message-window-chat-memory.ts';
export { TokenWindowChatMemory } from './components/langchain4j/token-window-chat-memory.ts';
export type { TokenWindowChatMemoryOptions } from './components/langchain4j/token-window-chat-memory.ts';
export type {
  AnswerTurn,
  ChatMemoryLimit,
  ChatMemoryList,
  ChatMemoryOptions,
} from './components/langchain4j/chat-memory-list.ts';
export { openDatabase } from './sessions/open-database.ts';
export type { OpenDatabaseOptions } from './sessions/open-database.ts';
export type { MemoryDatabase, SessionInfo } from './sessions/memory-database.ts';
export { InMemoryChatMemoryStore } from './sessions/chat-memory-store.ts';
export type { ChatMemoryStore } from './sessions/chat-memory-store.ts';
export type { ChatMessage, ContentPart, StoredMessage, ToolCall, TurnState } from './model/message.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';

// Errors.
export { MnemoraError } from './model/error.ts';
export type { MnemoraErrorCode } from './model/error.ts';

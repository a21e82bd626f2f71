export { openDatabase } from './history/open-database.ts';
export type { MemoryDatabase, OpenDatabaseOptions, SessionInfo } from './history/open-database.ts';
export type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
} from './history/chat-message-history.ts';
export { InMemoryChatMessageHistory } from './history/in-memory-history.ts';
export { InMemoryChatMemoryStore } from './history/chat-memory-store.ts';
export type { ChatMemoryStore } from './history/chat-memory-store.ts';

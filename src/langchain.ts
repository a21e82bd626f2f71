// LangChain's memory components.
export type { HistoryMemory, ChatHistoryOptions } from './components/langchain/history-memory.ts';
export type { LearningMemory, ExtractorOptions } from './components/langchain/learning-memory.ts';
export type { FenceOption } from './components/langchain/fenced-memory.ts';
export type { BaseMemory, SaveContextOptions, Values } from './components/langchain/base-memory.ts';
export {
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationTokenBufferMemory,
  type ConversationBufferMemoryOptions,
  type ConversationBufferWindowMemoryOptions,
  type ConversationTokenBufferMemoryOptions,
} from './components/langchain/buffer-memories.ts';
export {
  ConversationSummaryMemory,
  ConversationSummaryBufferMemory,
  type ConversationSummaryMemoryOptions,
  type ConversationSummaryBufferMemoryOptions,
  type SummaryOptions,
} from './components/langchain/summary-memories.ts';
export type { CatchUpOptions, CatchUpProgress } from './learning/summary/summarizer.ts';
export { ConversationEntityMemory } from './components/langchain/entity-memory.ts';
export type { ConversationEntityMemoryOptions } from './components/langchain/entity-memory.ts';
export { ConversationKGMemory, type ConversationKGMemoryOptions } from './components/langchain/kg-memory.ts';
export type { StoredGraph } from './learning/scope-graph.ts';
export {
  VectorStoreRetrieverMemory,
  type MetadataSource,
  type VectorStoreRetrieverMemoryOptions,
} from './components/langchain/vector-store-memory.ts';
export {
  CombinedMemory,
  SimpleMemory,
  ReadOnlySharedMemory,
  type CombinedMemoryOptions,
  type SimpleMemoryOptions,
  type ReadOnlySharedMemoryOptions,
} from './components/langchain/composed-memories.ts';

// Wrappers around a model.
export { trimMessages } from './components/chain/trim-messages.ts';
export type { TextSplitter, TokenCounter, TrimMessagesOptions } from './components/chain/trim-messages.ts';
export { ConversationChain } from './components/chain/conversation-chain.ts';
export type { ChainCallOptions, ConversationChainOptions } from './components/chain/conversation-chain.ts';
export {
  withMessageHistory,
  type SessionConfig,
  type WithMessageHistory,
  type WithMessageHistoryOptions,
} from './components/chain/with-message-history.ts';
export type {
  Runnable,
  RunnableFunction,
  RunnableObject,
  RunnableOptions,
} from './components/chain/runnable.ts';
export { llmRunnable } from './components/chain/runnable.ts';
export { promptTemplate, type PromptTemplate } from './llm/prompt-template.ts';

// The database, histories, entity stores and retrievers.
export { openDatabase } from './sessions/open-database.ts';
export type { OpenDatabaseOptions } from './sessions/open-database.ts';
export type { MemoryDatabase, SessionInfo } from './sessions/memory-database.ts';
export { messagesToText, messagesToXml, type MessagesToTextOptions } from './model/message-text.ts';
export {
  langChainHistory,
  langChainMessages,
  type LangChainHistory,
  type LangChainHistoryOptions,
  type CoerceMessage,
  type LangChainMessageFields,
} from './components/langchain/langchain-history.ts';
export { InMemoryChatMessageHistory } from './sessions/in-memory-history.ts';
export { InMemoryEntityStore, type EntityStore, type SetEntityOptions } from './sessions/entity-store.ts';
export type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
} from './sessions/chat-message-history.ts';
export { memoryRetriever, type MemoryRetrieverOptions } from './recall/memory-retriever.ts';
export type {
  MemoryRetriever,
  NewDocument,
  RetrievedDocument,
  RetrieverDocument,
} from './recall/memory-retriever.ts';
export type { ChatMessage, ContentPart, Role, StoredMessage, ToolCall, TurnState } from './model/message.ts';

// Types of their options.
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
export type { Embedder, LoadProgress } from './embedding/embedder.ts';
export type {
  ConsolidationInput,
  Extraction,
  ExtractionInput,
  Extractor,
  KnownEntity,
  KnownFact,
  ProposedMention,
  ProposedTriple,
  SourceMessage,
  SummaryInput,
} from './learning/extractor.ts';

// Errors and warnings.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';
export type { Warning, WarningCode, WarningListener } from './model/warning.ts';

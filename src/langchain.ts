// LangChain's memory components.
export type { HistoryMemory } from './components/langchain/history-memory.ts';
export type { EnrichedMemory } from './components/langchain/enriched-memory.ts';
export type { ChatHistoryOptions } from './components/langchain/chat-history-options.ts';
export type { ExtractorOptions } from './components/langchain/extractor-options.ts';
export type { BaseMemory, SaveContextOptions, Values } from './components/langchain/base-memory.ts';
export { ConversationBufferMemory } from './components/langchain/buffer-memory.ts';
export type { ConversationBufferMemoryOptions } from './components/langchain/buffer-memory.ts';
export { ConversationBufferWindowMemory } from './components/langchain/buffer-window-memory.ts';
export type { ConversationBufferWindowMemoryOptions } from './components/langchain/buffer-window-memory.ts';
export { ConversationTokenBufferMemory } from './components/langchain/token-buffer-memory.ts';
export type { ConversationTokenBufferMemoryOptions } from './components/langchain/token-buffer-memory.ts';
export { ConversationSummaryMemory } from './components/langchain/summary-memory.ts';
export type { ConversationSummaryMemoryOptions } from './components/langchain/summary-memory.ts';
export { ConversationSummaryBufferMemory } from './components/langchain/summary-buffer-memory.ts';
export type {
  ConversationSummaryBufferMemoryOptions,
  SummaryOptions,
} from './components/langchain/summary-options.ts';
export type { CatchUpOptions, CatchUpProgress } from './learning/summary/summarizer.ts';
export { ConversationEntityMemory } from './components/langchain/entity-memory.ts';
export type { ConversationEntityMemoryOptions } from './components/langchain/entity-options.ts';
export { ConversationKGMemory } from './components/langchain/kg-memory.ts';
export type { ConversationKGMemoryOptions } from './components/langchain/kg-options.ts';
export type { GraphAccess } from './components/langchain/kg-reader.ts';
export type { JobTicket } from './storage/jobs/job-store.ts';
export { VectorStoreRetrieverMemory } from './components/langchain/vector-store-memory.ts';
export type {
  MemoryDocument,
  MetadataSource,
  VectorStoreRetrieverMemoryOptions,
} from './components/langchain/exchange-documents.ts';
export { CombinedMemory } from './components/langchain/combined-memory.ts';
export type { CombinedMemoryOptions } from './components/langchain/combined-memory.ts';
export { SimpleMemory } from './components/langchain/simple-memory.ts';
export type { SimpleMemoryOptions } from './components/langchain/simple-memory.ts';
export { ReadOnlySharedMemory } from './components/langchain/read-only-memory.ts';
export type { ReadOnlySharedMemoryOptions } from './components/langchain/read-only-memory.ts';

// What goes around a model.
export { trimMessages } from './components/chain/trim-messages.ts';
export type { TextSplitter, TokenCounter, TrimMessagesOptions } from './components/chain/trim-options.ts';
export { ConversationChain } from './components/chain/conversation-chain.ts';
export type { ChainCallOptions, ConversationChainOptions } from './components/chain/conversation-chain.ts';
export { withMessageHistory } from './components/chain/with-message-history.ts';
export type {
  SessionConfig,
  WithMessageHistory,
  WithMessageHistoryOptions,
} from './components/chain/with-message-history.ts';
export type {
  Runnable,
  RunnableFunction,
  RunnableObject,
  RunnableOptions,
} from './components/chain/runnable.ts';
export { llmRunnable } from './components/chain/llm-runnable.ts';
export { promptTemplate } from './llm/prompt-template.ts';
export type { PromptTemplate } from './llm/prompt-template.ts';

// Histories, entity stores and retrievers.
export { messagesToText, messagesToXml } from './model/message-text.ts';
export type { MessagesToTextOptions } from './model/message-text.ts';
export { langChainHistory } from './components/langchain/langchain-history.ts';
export type { LangChainHistory, LangChainHistoryOptions } from './components/langchain/langchain-history.ts';
export { langChainMessages } from './components/langchain/langchain-messages.ts';
export type { CoerceMessage, LangChainMessageFields } from './components/langchain/langchain-messages.ts';
export { InMemoryChatMessageHistory } from './sessions/in-memory-history.ts';
export { InMemoryEntityStore } from './sessions/entity-store.ts';
export type { EntityStore, SetEntityOptions } from './sessions/entity-store.ts';
export type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
} from './sessions/chat-message-history.ts';
export { memoryRetriever } from './recall/memory-retriever.ts';
export type { MemoryRetrieverOptions } from './recall/memory-retriever.ts';
export type {
  MemoryRetriever,
  NewDocument,
  RetrievedDocument,
  RetrieverDocument,
} from './recall/retriever.ts';
export type { ChatMessage, ContentPart, Role, StoredMessage, ToolCall, TurnState } from './model/message.ts';

// What their options take.
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';
export type { LlmPrompts } from './learning/llm/llm-extractor.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
export type { Embedder, LoadProgress } from './embedding/embedder.ts';
export type { MemoryDatabase } from './sessions/memory-database.ts';
export type {
  DialogueInput,
  Extraction,
  ExtractionInput,
  Extractor,
  KnownEntity,
  KnownFact,
  ProposedMention,
  ProposedTriple,
  SourceMessage,
} from './learning/extractor.ts';

// Errors and warnings.
export { MnemoraError } from './model/error.ts';
export type { MnemoraErrorCode } from './model/error.ts';
export type { Warning, WarningCode, WarningListener } from './model/warning.ts';

// The product: memory for a chat.
export { createMemory } from './client/create-memory.ts';
export type { Memory, SessionSummary } from './client/memory.ts';
export type { CreateMemoryOptions } from './client/options.ts';
export type { NewTurn, RememberOptions } from './client/new-turn.ts';
export type { RecallOptions } from './client/recall-options.ts';
export type { ProfileLine } from './client/profile.ts';
export type { SearchResult } from './client/search-result.ts';
export type { SearchOptions } from './client/search-options.ts';
export type { Rerank, RerankCandidate } from './client/rerank.ts';
export type { StorageUse } from './client/storage-use.ts';
export type { MemoryEventListener, MemoryEventMap } from './client/memory-events.ts';
export type { RebuildOptions } from './client/rebuild.ts';
export type { ForgetOptions } from './client/forget.ts';
export type { ForgetSelector } from './client/forget-selector.ts';
export type { FactsQuery, MemoryEntity, MemoryFact } from './client/knowledge.ts';
export type { ReviewItem } from './client/review.ts';
export type { FactChange } from './learning/user-edits.ts';
export type { MemoryJob, MemoryJobEvent } from './client/memory-events.ts';
export type { ExportOptions } from './backup/export-backup.ts';
export type { BackupOwner } from './backup/backup-owner.ts';
export type { ImportOptions } from './backup/import-backup.ts';
export type { ImportReceipt } from './storage/receipts.ts';
export type { VerifyProblem, VerifyReport } from './backup/verify-derived.ts';
export { withMemory } from './client/with-memory.ts';
export type { MemoryChat, SendOptions, WithMemoryOptions } from './client/with-memory.ts';
export type { ContextItem, ItemOrigin, RecalledContext } from './recall/context-item.ts';
export type { MemoryIntent } from './recall/intent/memory-intent.ts';
export type { ContextCandidate } from './recall/explain-context.ts';
export type {
  ListRecordsOptions,
  PutRecordOptions,
  RecordStore,
  StoredRecord,
} from './storage/record-store.ts';
export type { JsonValue } from './model/json.ts';
export type { ForgetReceipt } from './storage/receipts.ts';
export type { AppendReceipt } from './storage/transcript-store.ts';

// The seeds' components, and what goes around the model.
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
export { VectorStoreRetrieverMemory } from './components/langchain/vector-store-memory.ts';
export type {
  MemoryDocument,
  VectorStoreRetrieverMemoryOptions,
} from './components/langchain/exchange-documents.ts';
export { CombinedMemory } from './components/langchain/combined-memory.ts';
export type { CombinedMemoryOptions } from './components/langchain/combined-memory.ts';
export { SimpleMemory } from './components/langchain/simple-memory.ts';
export type { SimpleMemoryOptions } from './components/langchain/simple-memory.ts';
export { ReadOnlySharedMemory } from './components/langchain/read-only-memory.ts';
export type { ReadOnlySharedMemoryOptions } from './components/langchain/read-only-memory.ts';
export { MessageWindowChatMemory } from './components/langchain4j/message-window-chat-memory.ts';
export type { MessageWindowChatMemoryOptions } from './components/langchain4j/message-window-chat-memory.ts';
export { TokenWindowChatMemory } from './components/langchain4j/token-window-chat-memory.ts';
export type { TokenWindowChatMemoryOptions } from './components/langchain4j/token-window-chat-memory.ts';
export { trimMessages } from './components/chain/trim-messages.ts';
export type { TrimMessagesOptions } from './components/chain/trim-options.ts';
export { ConversationChain } from './components/chain/conversation-chain.ts';
export type { ConversationChainOptions } from './components/chain/conversation-chain.ts';
export { withMessageHistory } from './components/chain/with-message-history.ts';
export type {
  WithMessageHistory,
  WithMessageHistoryOptions,
} from './components/chain/with-message-history.ts';
export type { Runnable, RunnableOptions } from './components/chain/runnable.ts';
export { llmRunnable } from './components/chain/llm-runnable.ts';
export { promptTemplate } from './llm/prompt-template.ts';
export type { PromptTemplate } from './llm/prompt-template.ts';
export { fetchLLM } from './llm/fetch-llm.ts';
export type { FetchLLMOptions } from './llm/endpoint.ts';
export { promptApiLLM } from './llm/prompt-api.ts';
export type { PromptApiLLMOptions } from './llm/prompt-api.ts';
export type { LanguageModelApi } from './llm/language-model-api.ts';
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';

// A knowledge graph, and what reads facts and names out of a model's reply.
export { KnowledgeGraph } from './graph/knowledge-graph.ts';
export type { KnowledgeGraphOptions } from './graph/knowledge-graph.ts';
export { SINGLE_VALUED_PREDICATES } from './graph/single-valued.ts';
export type { EntityFactsQuery, TripleListQuery, TripleQuery } from './graph/graph-query.ts';
export type { SerializedKnowledgeGraph } from './graph/graph-records.ts';
export type {
  AttributeMap,
  AttributeValue,
  Entity,
  EntityRecord,
  GraphRecords,
  NewTriple,
  Triple,
  TripleRecord,
  TripleSource,
} from './graph/triple.ts';
export { fromGEXF, toGEXF } from './graph/gexf.ts';
export { fromGraphML, toGraphML } from './graph/graphml.ts';
export { ScopeGraph } from './learning/scope-graph.ts';
export type { ScopeGraphOptions } from './learning/scope-graph.ts';
export { llmExtractor } from './learning/llm/llm-extractor.ts';
export type { LlmExtractorOptions } from './learning/llm/llm-extractor.ts';
export type { LlmPrompts } from './learning/llm/custom-prompts.ts';
export { offlineExtractor } from './learning/offline/offline-extractor.ts';
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
export { parseTriples } from './learning/parse-triples.ts';
export type { ParsedTriple } from './learning/parse-triples.ts';
export { parseEntities } from './learning/parse-entities.ts';

// Messages and where they are kept.
export type { ChatMessage, ContentPart, StoredMessage, ToolCall, TurnState } from './model/message.ts';
export { messagesToText, messagesToXml } from './model/message-text.ts';
export { openDatabase } from './sessions/open-database.ts';
export type { MemoryDatabase, OpenDatabaseOptions, SessionInfo } from './sessions/open-database.ts';
export type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
} from './sessions/chat-message-history.ts';
export { InMemoryChatMessageHistory } from './sessions/in-memory-history.ts';
export { InMemoryChatMemoryStore } from './sessions/chat-memory-store.ts';
export { InMemoryEntityStore } from './sessions/entity-store.ts';
export type { EntityStore, SetEntityOptions } from './sessions/entity-store.ts';
export type { ChatMemoryStore } from './sessions/chat-memory-store.ts';

// Tokens, embeddings, search.
export type { Tokenizer } from './tokens/tokenizer.ts';
export { tiktokenTokenizer } from './tokens/tiktoken.ts';
export { approximateTokenizer } from './tokens/approximate.ts';
export type { Embedder, LoadProgress } from './embedding/embedder.ts';
export { transformersEmbedder } from './embedding/transformers-embedder.ts';
export type { TransformersEmbedderOptions } from './embedding/embedder-options.ts';
export { memoryRetriever } from './recall/memory-retriever.ts';
export type { MemoryRetrieverOptions } from './recall/memory-retriever.ts';
export type { MemoryRetriever, NewDocument, RetrievedDocument } from './recall/retriever.ts';
export { VectorIndex } from './search/vector-index.ts';
export { KeywordIndex } from './search/keyword-index.ts';
export type { Analyzer } from './search/analyzer.ts';

// What can go wrong.
export { MnemoraError } from './model/error.ts';
export type { MnemoraErrorCode } from './model/error.ts';
export type { Warning, WarningCode, WarningListener } from './model/warning.ts';

// Memory for a chat.
export { createMemory } from './client/create-memory.ts';
export type { Memory, SessionSummary } from './client/memory.ts';
export type { CreateMemoryOptions, LearningOptions } from './client/options.ts';
export type { SessionOptions, SignalOption } from './model/call-options.ts';
export type { ClaimsQuery, MemoryClaims } from './client/rooms/claims-room.ts';
export type { ListEntitiesOptions, MemoryEntity } from './client/rooms/entity-list.ts';
export type { FactsQuery, MemoryFact, MemoryFacts } from './client/rooms/facts-room.ts';
export type { MemoryReview, ReviewItem } from './client/rooms/review-room.ts';
export type { MemoryBackup } from './client/rooms/backup-room.ts';
export type { MemoryWork } from './client/rooms/work-room.ts';
export type { MemoryDevice, StorageUse } from './client/rooms/device-room.ts';
export type { NewTurn, RememberOptions } from './sessions/new-turn.ts';
export type { Redact, RedactedText } from './sessions/redact-messages.ts';
export type { RecallOptions } from './recall/recall-context.ts';
export type { ProfileLine } from './recall/profile/profile.ts';
export type { Rerank, RerankCandidate } from './recall/rerank.ts';
export type { SearchOptions, SearchResult } from './recall/search-messages.ts';
export type { MemoryEventListener, MemoryEventMap } from './client/memory-events.ts';
export type { MemoryJob, MemoryJobEvent } from './client/memory-events.ts';
export type { JobEventType } from './jobs/job-handler.ts';
export type { DataLoss } from './storage/data-loss.ts';
export type { RebuildOptions } from './learning/rebuild/rebuild.ts';
export type { AutoBackupOptions } from './backup/auto-backup.ts';
export type { ForgetOptions, ForgetSelector } from './client/forget.ts';
export type { Speaker } from './model/speaker.ts';
export type { Claim } from './learning/claims/claim-list.ts';
export type { EnteredFact, FactChange } from './learning/user-edits.ts';
export type { ExportOptions } from './backup/export-backup.ts';
export type { BackupProgress } from './backup/backup-format.ts';
export type { BackupOwner } from './backup/import-backup.ts';
export type { ImportOptions } from './backup/import-backup.ts';
export type { ImportReceipt, ForgetReceipt } from './storage/receipts.ts';
export type { VerifyProblem, VerifyReport } from './backup/verify-derived.ts';
export {
  withMemory,
  type MemoryChat,
  type SendOptions,
  type WithMemoryOptions,
} from './client/with-memory.ts';
export { live } from './client/live.ts';
export type { MemoryRead } from './model/live/memory-read.ts';
export type { ContextItem, ItemOrigin, RecalledContext, RecallEvent } from './recall/layout/context-item.ts';
export type { AnswerSourceIds } from './model/answer-sources.ts';
export type { AnswerSource } from './recall/read-sources.ts';
export type { MemoryIntent } from './language/memory-intent.ts';
export type { AskedOfMemory } from './language/intent-patterns.ts';
export type { ContextCandidate } from './recall/layout/explain-context.ts';
export type { RecordStore, StoredRecord } from './storage/record-store.ts';
export type { ListRecordsOptions, PutRecordOptions } from './storage/record-store.ts';
export type { JsonValue } from './model/json.ts';
export type { RememberReceipt } from './storage/transcript/append-turn.ts';

// The database, and the histories and stores that it provides.
export { openDatabase, type OpenDatabaseOptions } from './sessions/open-database.ts';
export type { MemoryDatabase, SessionInfo } from './sessions/memory-database.ts';
export type { ListSessionsOptions } from './sessions/session-list.ts';
export type { ChatMessageHistory } from './sessions/chat-message-history.ts';
export type { AddMessagesOptions, ListMessagesOptions } from './sessions/chat-message-history.ts';
export type { EntityStore, SetEntityOptions, SetManyOptions } from './sessions/entity-store.ts';
export type { NamedEntity } from './graph/entity-name.ts';
export type { ChatMemoryStore } from './sessions/chat-memory-store.ts';
export type { ChatMessage, ContentPart, ToolCall } from './model/message.ts';
export type { CountedMessage, StoredMessage, TokenCounts, TurnState } from './model/message.ts';
export type { Clock } from './model/clock.ts';

// Models, tokens and embeddings.
export { fetchLLM } from './llm/fetch-llm.ts';
export type { FetchLLMOptions } from './llm/endpoint.ts';
export type { ReplyParts, WireFormat } from './llm/wire-format.ts';
export { promptApiLLM, type PromptApiLLMOptions } from './llm/prompt-api.ts';
export type { LanguageModelApi, LanguageModelSession } from './llm/prompt-api.ts';
export type { LanguageModelCreateOptions, LanguageModelMessage } from './llm/prompt-api.ts';
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
export { tiktokenTokenizer, type TiktokenEncoding } from './tokens/tiktoken.ts';
export { approximateTokenizer } from './tokens/approximate.ts';
export type { Embedder, LoadProgress, ProgressListener } from './embedding/embedder.ts';
export { transformersEmbedder } from './embedding/transformers-embedder.ts';
export type { TransformersEmbedderOptions } from './embedding/transformers-embedder.ts';
export type { Analyzer } from './search/analyzer.ts';

// Types of the `extractor` option and of the graph that `facts.graph` returns. `mnemora/extract` exports extractors.
export type { Extraction, Extractor, ProposedMention, ProposedTriple } from './learning/extractor.ts';
export type { ConsolidationInput, ExtractionInput, SummaryInput } from './learning/extractor.ts';
export type { KnownEntity, KnownFact, SourceMessage } from './learning/extractor.ts';
export type { KnowledgeGraph } from './graph/knowledge-graph.ts';

// Errors and warnings.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';
export type { Warning, WarningCode, WarningListener } from './model/warning.ts';

// Exact vector search, keyword search, and documents in a database.
export { VectorIndex, type VectorBlock, type VectorValues } from './search/vector-index.ts';
export { KeywordIndex, type KeywordIndexOptions } from './search/keyword-index.ts';
export type { Analyze } from './language/terms.ts';
export type { TermOptions } from './search/inverted-index.ts';
export type { HitFilter, SearchHit } from './search/search-hit.ts';
export type { Analyzer } from './search/analyzer.ts';
export { memoryRetriever, type MemoryRetrieverOptions } from './recall/memory-retriever.ts';
export type { MemoryRetriever, NewDocument, RetrievedDocument } from './recall/memory-retriever.ts';
export type { Embedder, LoadProgress } from './embedding/embedder.ts';
export type { MemoryDatabase } from './sessions/memory-database.ts';

// Errors.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';

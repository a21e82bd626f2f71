// A knowledge graph of facts with times, and its file formats.
export { KnowledgeGraph } from './graph/knowledge-graph.ts';
export type { FactGraph, KnowledgeGraphOptions } from './graph/fact-graph.ts';
export { SINGLE_VALUED_PREDICATES } from './graph/fact-slot.ts';
export type { EntityFactsQuery, KnownAtQuery, TripleListQuery, TripleQuery } from './graph/graph-query.ts';
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
  TripleWords,
} from './graph/triple.ts';
export { fromGEXF, fromGraphML, toGEXF, toGraphML } from './graph/graph-xml.ts';

// The graph of a scope in a database.
export { scopeGraph } from './learning/open-scope-graph.ts';
export type { ScopeGraphOptions, StoredGraph } from './learning/open-scope-graph.ts';
export type { MemoryDatabase } from './sessions/memory-database.ts';

// Errors.
export { MnemoraError } from './model/error.ts';
export type { MnemoraErrorCode } from './model/error.ts';

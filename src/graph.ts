// A knowledge graph of facts with times, and its file formats.
export { KnowledgeGraph } from './graph/knowledge-graph.ts';
export type { FactGraph, KnowledgeGraphOptions } from './graph/fact-graph.ts';
export type { TripleWords } from './graph/fact-slot.ts';
export { SINGLE_VALUED_PREDICATES } from './graph/single-valued.ts';
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
} from './graph/triple.ts';
export { fromGEXF, toGEXF } from './graph/gexf.ts';
export { fromGraphML, toGraphML } from './graph/graphml.ts';

// The graph of a scope in a database.
export { scopeGraph } from './learning/scope-graph.ts';
export type { ScopeGraphOptions, StoredGraph } from './learning/scope-graph.ts';
export type { MemoryDatabase } from './sessions/memory-database.ts';

// Errors.
export { MnemoraError } from './model/error.ts';
export type { MnemoraErrorCode } from './model/error.ts';

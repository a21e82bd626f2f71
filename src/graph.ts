// A knowledge graph of facts with times, and its file formats.
export { KnowledgeGraph } from './graph/knowledge-graph.ts';
export type { FactGraph, KnowledgeGraphOptions } from './graph/fact-graph.ts';
export type { TripleWords } from './graph/triple.ts';
export { SINGLE_VALUED_PREDICATES } from './graph/fact-slot.ts';
export type { EntityFactsQuery, KnownAtQuery, TripleListQuery, TripleQuery } from './graph/graph-query.ts';
export type { AttributeMap, AttributeValue, Entity } from './graph/triple.ts';
export type { NewTriple, Triple, TripleSource } from './graph/triple.ts';
export { fromGEXF, toGEXF } from './graph/graph-xml.ts';
export { fromGraphML, toGraphML } from './graph/graph-xml.ts';

// The graph of a scope in a database.
export { scopeGraph, type ScopeGraphOptions, type StoredGraph } from './learning/scope-graph.ts';
export type { MemoryDatabase } from './sessions/memory-database.ts';

// Errors.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';

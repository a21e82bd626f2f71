// Checked by the compiler alone (`npm run types`) and never run: the graph is graphology's, and what it exports it reads.
import type { MultiDirectedGraph } from 'graphology';
import { KnowledgeGraph } from '../../src/graph.ts';
import { parseTriples } from '../../src/extract.ts';
import { type Triple } from '../../src/graph.ts';

const knowledge = new KnowledgeGraph({ singleValued: ['lives in'], clock: () => 0 });
for (const triple of parseTriples('(Sam, lives in, Paris)')) knowledge.addTriple(triple);
export const graph: MultiDirectedGraph = knowledge.graph;
export const facts: string[] = knowledge.entityFacts('Sam', { depth: 2 });
export const triples: Triple[] = knowledge.triples({ validAt: 0, knownAt: 0, includeHistory: true });
export const again: KnowledgeGraph = KnowledgeGraph.fromJSON(knowledge.toJSON());
// @ts-expect-error a fact needs an object
knowledge.addTriple({ subject: 'Sam', predicate: 'lives in' });

import type { FactGraph } from '../../src/graph/fact-graph.ts';
import { KnowledgeGraph } from '../../src/graph/knowledge-graph.ts';
import type { Step } from './case.ts';
import type { Operation, Subject } from './subject.ts';
import type { EntityStore } from '../../src/sessions/entity-store.ts';
import type { World } from './world.ts';
import { parseEntities, parseTriples } from '../../src/learning/parse-replies.ts';

export function graphSubject(): Subject {
  return { userName: 'human', operations: graphOperations(new KnowledgeGraph()) };
}

export function graphOperations(knowledge: FactGraph): Record<string, Operation> {
  const idsBetween = (from: unknown, to: unknown): string[] =>
    knowledge
      .triples({ includeHistory: true })
      .filter(({ subject, object }) => subject === from && object === to)
      .map(({ id }) => id);
  return {
    add: (step) => void knowledge.addTriple(tripleOf(step)),
    addNode: ({ node }) => void knowledge.addEntity(node as string),
    delete: (step) => void knowledge.deleteTriple(tripleOf(step)),
    knowledge: ({ entity, depth }) =>
      knowledge.entityFacts(entity as string, depth === undefined ? {} : { depth: Number(depth) }),
    triples: () => knowledge.triples().map(({ subject, predicate, object }) => [subject, predicate, object]),
    history: () =>
      knowledge
        .triples({ includeHistory: true })
        .map(({ subject, predicate, object }) => [subject, predicate, object]),
    hasNode: ({ node }) => knowledge.entity(node as string) !== undefined,
    hasEdge: ({ from, to }) => idsBetween(from, to).length > 0,
    removeEdge: ({ from, to }) => {
      // A fact is removed by its id: one that is not there is an error, unlike a removal by words.
      const ids = idsBetween(from, to);
      for (const id of ids.length > 0 ? ids : [`${String(from)} to ${String(to)}`])
        knowledge.deleteTriple(id);
    },
    nodeCount: () => knowledge.entities().length,
    clear: () => knowledge.clear(),
  };
}

function tripleOf({ triple }: Step): { subject: string; predicate: string; object: string } {
  const [subject = '', predicate = '', object = ''] = triple as readonly string[];
  return { subject, predicate, object };
}

export function entityStoreSubject(world: World): Subject {
  const store = world.newEntityStore();
  return {
    userName: 'human',
    operations: { ...entityStoreOperations(store), clear: () => store.clear() },
  };
}

export function entityStoreOperations(store: EntityStore): Record<string, Operation> {
  const nameOf = ({ key }: Step): string => key as string;
  return {
    get: (step) => {
      const fallback = step['default'];
      return typeof fallback === 'string' ? store.get(nameOf(step), fallback) : store.get(nameOf(step));
    },
    set: (step) => store.set(nameOf(step), step['value'] as string),
    exists: (step) => store.has(nameOf(step)),
    delete: (step) => store.delete(nameOf(step)),
  };
}

export function parserSubject(): Subject {
  return {
    userName: 'human',
    operations: {
      parse: ({ text }) =>
        parseTriples(text as string).map(({ subject, predicate, object }) => [subject, predicate, object]),
      entities: ({ text }) => parseEntities(text as string),
    },
  };
}

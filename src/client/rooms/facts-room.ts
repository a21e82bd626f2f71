import type { TripleListQuery } from '../../graph/graph-query.ts';
import type { Triple } from '../../graph/triple.ts';
import { USER_NAME } from '../../learning/first-person.ts';
import type { KnowledgeRows } from '../../learning/knowledge-rows.ts';
import { nameTyped, type FactChange } from '../../learning/user-edits.ts';
import {
  checkBoolean,
  checkName,
  checkOptionNames,
  checkOptions,
  type OptionCheck,
} from '../../model/check-options.ts';
import { invalidInput, invalidOption } from '../../model/error.ts';
import { unconfirmedSpeaker } from '../../learning/speaker.ts';
import { aliasesOf, summaryOf } from '../../storage/facts-and-entities.ts';
import { checkSignal, signalOf } from '../call-options.ts';
import type { Engine } from '../engine.ts';
import { enter, factOf, pin } from './edit-facts.ts';
import type { FactsQuery, MemoryEntity, MemoryFact, MemoryFacts } from './memory-facts.ts';

const CHANGEABLE: readonly (keyof FactChange)[] = ['subject', 'predicate', 'object', 'validFrom', 'validTo'];

/** Returns the `facts` methods of a memory. */
export function openFacts(engine: Engine): MemoryFacts {
  return {
    list: (query = {}) => listFacts(engine, query),
    async correct(factId, change, options = {}) {
      const signal = signalOf('facts.correct', options);
      if (Object.keys(change ?? {}).length === 0) {
        throw invalidInput(`Pass at least one field to correct: ${CHANGEABLE.join(', ')}.`);
      }
      checkOptionNames('facts.correct', change, CHANGEABLE);
      return enter(engine, factId, change, signal);
    },
    pin: async (factId, options = {}) => pin(engine, factId, true, signalOf('facts.pin', options)),
    unpin: async (factId, options = {}) => pin(engine, factId, false, signalOf('facts.unpin', options)),
    entities: async (options = {}) => listEntities(engine, signalOf('facts.entities', options)),
    async graph(options = {}) {
      const rows = await engine.graph.rows(signalOf('facts.graph', options));
      const { clock, singleValued } = engine.settings;
      const { KnowledgeGraph } = await import('../../graph/knowledge-graph.ts');
      const settings = { clock, ...(singleValued ? { singleValued } : {}) };
      return KnowledgeGraph.fromRecords(rows.graph.toRecords(), settings);
    },
  };
}

const checkedByGraph: OptionCheck = () => undefined;

async function listFacts({ graph }: Engine, query: FactsQuery): Promise<MemoryFact[]> {
  if (typeof query === 'string')
    throw invalidOption(`facts.list takes an object. Write facts.list({ about: '${query as string}' }).`);
  const { about, includeUnconfirmed, signal, ...rest } = checkOptions<FactsQuery>('facts.list', query, {
    about: (_name, value) => checkName('The name of an entity', value),
    validAt: checkedByGraph,
    knownAt: checkedByGraph,
    includeHistory: checkedByGraph,
    includeUnconfirmed: checkBoolean,
    signal: checkSignal('facts.list'),
  });
  const rows = await graph.rows(signal);
  const facts = triplesAbout(rows, about, rest).map((fact) => factOf(rows, fact));
  if (includeUnconfirmed) return facts;
  return facts.filter((fact) => fact.isPinned || unconfirmedSpeaker(fact) === undefined);
}

/** Returns the facts about an entity; about the user, then also those about "user's daughter", or Ana if she is that. */
function triplesAbout(rows: KnowledgeRows, about: string | undefined, query: TripleListQuery): Triple[] {
  if (about === undefined) return rows.graph.triples(query);
  const name = nameTyped(about);
  const own = rows.graph.triples({ ...query, about: name });
  if (name !== USER_NAME) return own;
  const had = own.flatMap(({ subject, predicate, object }) =>
    subject === USER_NAME && predicate.startsWith('has ') ? object : [],
  );
  const others = [...keysOfTheUsers(rows), ...had];
  const facts = [...own, ...others.flatMap((each) => rows.graph.triples({ ...query, about: each }))];
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()];
}

/** Returns the keys of the entities whose names mark them as the user's. */
function keysOfTheUsers(rows: KnowledgeRows): string[] {
  const keys = new Set(
    [...rows.facts.values()].flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]),
  );
  return [...keys].filter((key) => rows.namesOf(key).some((name) => name.startsWith(`${USER_NAME}'s `)));
}

async function listEntities({ graph }: Engine, signal: AbortSignal | undefined): Promise<MemoryEntity[]> {
  const rows = await graph.rows(signal);
  const told = new Map([...rows.entities.values()].map((row) => [row.key, new Set(row.messageIds)]));
  for (const { subjectKey, objectKey, sources } of rows.facts.values()) {
    for (const { messageId, isContext } of sources) {
      if (isContext) continue;
      for (const key of [subjectKey, objectKey]) told.get(key)?.add(messageId);
    }
  }
  return [...rows.entities.values()].map((row) => ({
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    summary: summaryOf(row),
    sources: [...(told.get(row.key) ?? [])],
  }));
}

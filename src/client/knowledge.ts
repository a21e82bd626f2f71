import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { TripleListQuery } from '../graph/graph-query.ts';
import type { AttributeMap, Triple } from '../graph/triple.ts';
import type { KnowledgeDraft } from '../learning/knowledge-draft.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { unconfirmedWord } from '../learning/stated-by.ts';
import { correctFact, nameTyped, pinFact, type FactChange } from '../learning/user-edits.ts';
import { checkName, checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { aliasesOf, summaryOf } from '../storage/entity-text.ts';
import { checkCallOptions } from './call-options.ts';
import type { ScopeGraph } from '../learning/scope-graph.ts';
import type { MemorySettings } from './options.ts';
import type { MemoryStores } from './stores.ts';

/** A fact of the memory, as known at the time asked about. */
export interface MemoryFact extends Triple {
  /** The user wants it in every context. */
  readonly isPinned: boolean;
}

/** {@link TripleListQuery} with whom the facts are about. */
export interface FactsQuery extends TripleListQuery {
  /** An entity, by its name or an alias; `I` and `me` are the user. @default all */
  readonly about?: string;
  /**
   * Also facts that only an assistant or a tool has said, and nobody confirmed: `attributes.statedBy` tells whose word a
   * fact is.
   *
   * @default false
   */
  readonly includeUnconfirmed?: boolean;
  readonly signal?: AbortSignal;
}

/** A person, place or thing that the memory knows of. */
export interface MemoryEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
  /** What was said of it, sentence after sentence; may be empty. */
  readonly summary: string;
  /** Ids of the messages that told of it. */
  readonly sources: readonly string[];
}

/** What reads and changes facts. */
export interface KnowledgeParts {
  readonly graph: ScopeGraph;
  readonly settings: Pick<MemorySettings, 'scope' | 'clock' | 'singleValued'>;
  readonly stores: Pick<MemoryStores, 'transcript' | 'jobs'>;
  /** To be called after each write. */
  written(): void;
}

const FACTS_OPTIONS: readonly (keyof FactsQuery)[] = [
  'about',
  'validAt',
  'knownAt',
  'includeHistory',
  'includeUnconfirmed',
  'signal',
];
const CHANGE_OPTIONS: readonly (keyof FactChange)[] = [
  'subject',
  'predicate',
  'object',
  'validFrom',
  'validTo',
];

/** @throws MnemoraError `invalid-option`, `invalid-input` */
export async function listFacts(
  { graph }: Pick<KnowledgeParts, 'graph'>,
  query: FactsQuery,
): Promise<MemoryFact[]> {
  checkCallOptions('facts', query, FACTS_OPTIONS);
  const { about, includeUnconfirmed = false, signal, ...rest } = query;
  if (typeof includeUnconfirmed !== 'boolean') {
    throw new MnemoraError('invalid-option', 'includeUnconfirmed of facts() must be true or false.');
  }
  const meant = about === undefined ? {} : { about: nameTyped(checkName('The name of an entity', about)) };
  const rows = await graph.rows(signal);
  const facts = rows.graph.triples({ ...rest, ...meant }).map((fact) => factOf(rows, fact));
  return includeUnconfirmed
    ? facts
    : facts.filter((fact) => fact.isPinned || unconfirmedWord(fact) === undefined);
}

/** @throws MnemoraError `invalid-option`, `invalid-input` */
export async function listEntities(
  { graph }: Pick<KnowledgeParts, 'graph'>,
  options: { signal?: AbortSignal },
): Promise<MemoryEntity[]> {
  checkCallOptions('entities', options, ['signal']);
  const rows = await graph.rows(options.signal);
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

/** A copy of the graph. */
export async function copyGraph(
  { graph, settings }: KnowledgeParts,
  signal: AbortSignal | undefined,
): Promise<KnowledgeGraph> {
  const rows = await graph.rows(signal);
  const { clock, singleValued } = settings;
  const { KnowledgeGraph: Graph } = await import('../graph/knowledge-graph.ts');
  return Graph.fromRecords(rows.graph.toRecords(), {
    clock,
    ...(singleValued ? { singleValued } : {}),
  });
}

/**
 * Puts what the user says in the place of a fact: see `correctFact`.
 *
 * @throws MnemoraError `not-found`, `invalid-option`, `invalid-input`
 */
export async function storeCorrection(
  memory: KnowledgeParts,
  id: string,
  change: FactChange,
  options: { signal?: AbortSignal },
): Promise<MemoryFact> {
  if (Object.keys(change ?? {}).length === 0) {
    throw new MnemoraError('invalid-input', `Say what to correct: ${CHANGE_OPTIONS.join(', ')}.`);
  }
  checkOptionNames('correct', change, CHANGE_OPTIONS);
  checkCallOptions('correct', options, ['signal']);
  return enter(memory, id, change, options);
}

/** Makes a fact the user's word, as it is. @throws MnemoraError `not-found` */
export function confirmFact(
  memory: KnowledgeParts,
  id: string,
  options: { signal?: AbortSignal },
): Promise<MemoryFact> {
  return enter(memory, id, {}, options);
}

async function enter(
  memory: KnowledgeParts,
  id: string,
  change: FactChange,
  options: { signal?: AbortSignal },
): Promise<MemoryFact> {
  const enteredId = await edit(memory, id, options, (draft) => correctFact(draft, id, change));
  const rows = await memory.graph.rows();
  const entered = rows.graph.triple(enteredId);
  if (entered) return factOf(rows, entered);
  throw new MnemoraError('not-found', `The fact "${id}" was forgotten while it was being changed.`);
}

/** @throws MnemoraError `not-found`, `invalid-option`, `invalid-input` */
export async function storePin(
  memory: KnowledgeParts,
  id: string,
  isPinned: boolean,
  options: { signal?: AbortSignal },
): Promise<void> {
  checkCallOptions(isPinned ? 'pin' : 'unpin', options, ['signal']);
  await edit(memory, id, options, (draft) => pinFact(draft, id, isPinned));
}

/** Stores what the user makes of a fact, and returns what that gave. */
async function edit<T>(
  memory: KnowledgeParts,
  id: string,
  { signal }: { signal?: AbortSignal },
  change: (draft: KnowledgeDraft) => T,
): Promise<T> {
  let result: { value: T } | undefined;
  const isStored = await memory.graph.update(
    (draft) => {
      result = { value: change(draft) };
    },
    undefined,
    signal,
  );
  if (isStored && result) {
    memory.written();
    return result.value;
  }
  throw new MnemoraError(
    'not-found',
    `A message that the fact "${id}" came from is not there any more. Nothing was changed; rebuild() clears this up.`,
  );
}

/** A fact with what only the memory knows of it. */
export function factOf(rows: KnowledgeRows, fact: Triple): MemoryFact {
  return { ...fact, isPinned: rows.facts.get(fact.id)?.isPinned === true };
}

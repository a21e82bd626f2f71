import { sentenceOf, type AttributeMap, type Triple } from '../graph/triple.ts';
import type { TripleListQuery } from '../graph/graph-query.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { KnowledgeDraft } from '../learning/knowledge-draft.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { unconfirmedWord, type StatedBy } from '../learning/stated-by.ts';
import { correctFact, nameTyped, pinFact, type FactChange } from '../learning/user-edits.ts';
import { checkName, checkOptionNames, checkOptions, type OptionCheck } from '../model/check-options.ts';
import { MnemoraError, invalidInput } from '../model/error.ts';
import { aliasesOf, summaryOf } from '../storage/facts-and-entities.ts';
import type { Engine } from './engine.ts';
import { checkSignal } from './call-options.ts';
import { forget } from './forget.ts';

/** A fact of the memory, as known at the time asked about. */
export interface MemoryFact extends Triple {
  /** Whether the user wants it in every context. */
  readonly isPinned: boolean;
}

/** A {@link TripleListQuery} for the facts of the memory. */
export interface FactsQuery extends TripleListQuery {
  /** An entity, by its name or an alias; `I` and `me` are the user. @default all */
  readonly about?: string;
  /**
   * Includes facts that only an assistant or a tool has said and nobody has confirmed: `attributes.statedBy` says who
   * stated a fact.
   *
   * @default false
   */
  readonly includeUnconfirmed?: boolean;
  readonly signal?: AbortSignal;
}

/** A person, place or thing that the memory knows. */
export interface MemoryEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
  /** What was said of it, sentence after sentence; may be empty. */
  readonly summary: string;
  /** Ids of the messages that mention it. */
  readonly sources: readonly string[];
}

/** A fact that the user has not stated and that waits for their confirmation. */
export interface ReviewItem {
  /** Id of the fact, for `accept` and `reject`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly text: string;
  /** Who stated it. */
  readonly statedBy: Exclude<StatedBy, 'user'>;
  readonly fact: MemoryFact;
}

const CHANGEABLE: readonly (keyof FactChange)[] = ['subject', 'predicate', 'object', 'validFrom', 'validTo'];
const MOST_REVIEW_ITEMS = 50;

/** @throws MnemoraError `invalid-option`, `invalid-input` */
export async function listFacts({ graph }: Engine, query: FactsQuery): Promise<MemoryFact[]> {
  const checkedByGraph: OptionCheck = () => undefined;
  const { about, includeUnconfirmed, signal, ...rest } = checkOptions<FactsQuery>('facts', query, {
    about: (_name, value) => checkName('The name of an entity', value),
    validAt: checkedByGraph,
    knownAt: checkedByGraph,
    includeHistory: checkedByGraph,
    includeUnconfirmed: (_name, value) => {
      if (typeof value === 'boolean') return;
      throw new MnemoraError('invalid-option', 'includeUnconfirmed of facts() must be true or false.');
    },
    signal: checkSignal('facts'),
  });
  const rows = await graph.rows(signal);
  const facts = rows.graph
    .triples({ ...rest, ...(about === undefined ? {} : { about: nameTyped(about) }) })
    .map((fact) => factOf(rows, fact));
  if (includeUnconfirmed) return facts;
  return facts.filter((fact) => fact.isPinned || unconfirmedWord(fact) === undefined);
}

export async function listEntities({ graph }: Engine, signal?: AbortSignal): Promise<MemoryEntity[]> {
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

export async function copyGraph({ graph, settings }: Engine, signal?: AbortSignal): Promise<KnowledgeGraph> {
  const rows = await graph.rows(signal);
  const { clock, singleValued } = settings;
  const { KnowledgeGraph: Graph } = await import('../graph/knowledge-graph.ts');
  return Graph.fromRecords(rows.graph.toRecords(), { clock, ...(singleValued ? { singleValued } : {}) });
}

/**
 * Replaces a fact with what the user says: see `correctFact`.
 *
 * @throws MnemoraError `not-found`, `invalid-option`, `invalid-input`
 */
export async function correct(
  engine: Engine,
  id: string,
  change: FactChange,
  signal?: AbortSignal,
): Promise<MemoryFact> {
  if (Object.keys(change ?? {}).length === 0) {
    throw invalidInput(`Say what to correct: ${CHANGEABLE.join(', ')}.`);
  }
  checkOptionNames('correct', change, CHANGEABLE);
  return enter(engine, id, change, signal);
}

/** Lists what others have stated and the user has not: what holds now, newest first. */
export async function listForReview({ graph }: Engine, signal?: AbortSignal): Promise<ReviewItem[]> {
  const rows = await graph.rows(signal);
  const items = rows.graph.triples().flatMap((fact): ReviewItem[] => {
    const statedBy = unconfirmedWord(fact);
    if (statedBy === undefined) return [];
    return [{ id: fact.id, text: sentenceOf(fact), statedBy, fact: factOf(rows, fact) }];
  });
  return items
    .toSorted((a, b) => b.fact.recordedAt - a.fact.recordedAt || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_REVIEW_ITEMS);
}

/** Makes a fact that waits for review the user's word, as it is. @throws MnemoraError `not-found` */
export async function accept(engine: Engine, id: string, signal?: AbortSignal): Promise<MemoryFact> {
  await requireWaiting(engine, id, signal);
  return enter(engine, id, {}, signal);
}

/** Forgets a fact that waits; it is not learned again from the same messages. @throws MnemoraError `not-found` */
export async function reject(engine: Engine, id: string, signal?: AbortSignal): Promise<void> {
  await requireWaiting(engine, id, signal);
  await forget(engine, { factId: id });
}

async function requireWaiting({ graph }: Engine, id: string, signal?: AbortSignal): Promise<void> {
  const rows = await graph.rows(signal);
  const fact = typeof id === 'string' ? rows.graph.triple(id) : undefined;
  if (fact && unconfirmedWord(fact) !== undefined) return;
  throw new MnemoraError('not-found', `No fact with the id "${id}" waits for a review. Nothing was changed.`);
}

/** Enters what the user says in place of a fact. */
async function enter(
  engine: Engine,
  id: string,
  change: FactChange,
  signal?: AbortSignal,
): Promise<MemoryFact> {
  const enteredId = await edit(engine, id, signal, (draft) => correctFact(draft, id, change));
  const rows = await engine.graph.rows();
  const entered = rows.graph.triple(enteredId);
  if (entered) return factOf(rows, entered);
  throw new MnemoraError('not-found', `The fact "${id}" was forgotten while it was being changed.`);
}

/** @throws MnemoraError `not-found` */
export async function pin(
  engine: Engine,
  id: string,
  isPinned: boolean,
  signal?: AbortSignal,
): Promise<void> {
  await edit(engine, id, signal, (draft) => {
    pinFact(draft, id, isPinned);
    return id;
  });
}

/** Stores the user's change of a fact, and returns the id of the resulting fact. */
async function edit(
  engine: Engine,
  id: string,
  signal: AbortSignal | undefined,
  change: (draft: KnowledgeDraft) => string,
): Promise<string> {
  let resultId = id;
  const apply = (draft: KnowledgeDraft): void => {
    resultId = change(draft);
  };
  if (await engine.graph.update(apply, undefined, signal)) {
    engine.written();
    return resultId;
  }
  throw new MnemoraError(
    'not-found',
    `A message that the fact "${id}" came from is not there any more. Nothing was changed; rebuild() clears this up.`,
  );
}

function factOf(rows: KnowledgeRows, fact: Triple): MemoryFact {
  return { ...fact, isPinned: rows.facts.get(fact.id)?.isPinned === true };
}

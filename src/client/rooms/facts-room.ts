import type { TripleListQuery } from '../../graph/graph-query.ts';
import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { Triple } from '../../graph/triple.ts';
import { heldRecords } from '../../learning/claims/held-records.ts';
import { truthInSlices } from '../../learning/claims/truth-of.ts';
import type { Truth } from '../../learning/claims/truth.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { USER_NAME } from '../../learning/first-person.ts';
import type { KnowledgeDraft } from '../../learning/knowledge-draft.ts';
import type { KnowledgeRows } from '../../learning/knowledge-rows.ts';
import { unconfirmedSpeaker, speakerOf } from '../../learning/speaker.ts';
import {
  addFact,
  correctFact,
  endFact,
  nameTyped,
  pinFact,
  type EnteredFact,
  type FactChange,
} from '../../learning/user-edits.ts';
import { checkSignal, signalOf, type SignalOption } from '../../model/call-options.ts';
import {
  anything,
  checkBoolean,
  checkName,
  checkOptionNames,
  checkOptions,
  type OptionChecks,
} from '../../model/check-options.ts';
import { invalidInput, invalidOption, MnemoraError } from '../../model/error.ts';
import { runInSlices, type Steps } from '../../model/event-loop.ts';
import type { Speaker } from '../../model/speaker.ts';
import type { MemoryParts } from '../memory-parts.ts';
import { listEntities, type ListEntitiesOptions, type MemoryEntity } from './entity-list.ts';

/** A fact of the memory, as known at the time of the query. */
export interface MemoryFact extends Triple {
  /** Who stated it. */
  readonly speaker: Speaker;
  /** Whether the user wants it in every context. */
  readonly isPinned: boolean;
}

/** Selects facts of the memory. Times are in milliseconds since 1970. */
export interface FactsQuery extends TripleListQuery {
  /**
   * An entity, by its name or an alias. `I` and `me` mean the user and what is the user's, so "user's daughter is
   * allergic to peanuts" is included.
   *
   * @default all entities
   */
  readonly about?: string;
  /**
   * Includes facts that only an assistant, a tool, a pasted text or an import has stated, or that only a model has read
   * in a message, and nobody has confirmed.
   * Their `speaker` says who stated them.
   *
   * @default false
   */
  readonly includeUnconfirmed?: boolean;
  readonly signal?: AbortSignal;
}

/** The facts of a memory: what it has learned about the user and their world. */
export interface MemoryFacts {
  /**
   * Returns facts: by default those that hold now.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`
   *
   * @example
   * await memory.facts.list({ about: 'me' });
   */
  list(query?: FactsQuery): Promise<MemoryFact[]>;
  /**
   * Corrects a fact. The old one stays in the history, marked as never true, and `rebuild` keeps the correction. If the
   * signal aborts before the correction is stored, nothing changes.
   *
   * @throws MnemoraError `not-found`, `invalid-option`, `invalid-input`
   *
   * @example
   * await memory.facts.correct(fact.id, { object: 'Porto' });
   */
  correct(factId: string, change: FactChange, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Adds what the user enters: a fact, or a sentence that the rules understand, such as "I live in Porto". It counts as
   * the user's own word, ends what it contradicts, and `rebuild` keeps it. Of a sentence that says several things, all
   * are added, and the first is returned.
   *
   * @throws MnemoraError `invalid-option`; `invalid-input`, also for a sentence that the rules do not understand
   *
   * @example
   * await memory.facts.add({ subject: 'user', predicate: 'is allergic to', object: 'peanuts' });
   */
  add(fact: EnteredFact | string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Ends a fact that held until now, or its last correction. What was said of it is told as no longer true, and `rebuild`
   * keeps the end. Nothing changes if the user has ended it before.
   *
   * @throws MnemoraError `not-found`
   */
  end(factId: string, options?: SignalOption): Promise<MemoryFact>;
  /**
   * Includes a fact in every context for as long as it holds and fits the budget.
   *
   * @throws MnemoraError `not-found`
   */
  pin(factId: string, options?: SignalOption): Promise<void>;
  /**
   * Undoes `pin`.
   *
   * @throws MnemoraError `not-found`
   */
  unpin(factId: string, options?: SignalOption): Promise<void>;
  /**
   * Returns the people, places and things that the memory knows: all of them or, with `limit` or `after`, a page of
   * them, sorted by name.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`
   */
  entities(options?: ListEntitiesOptions): Promise<MemoryEntity[]>;
  /** Returns a copy of the graph of facts and entities, for drawing or exporting it. */
  graph(options?: SignalOption): Promise<KnowledgeGraph>;
}

const CHANGEABLE: readonly (keyof FactChange)[] = ['subject', 'predicate', 'object', 'validFrom', 'validTo'];

/** Returns the `facts` methods of a memory. */
export function openFacts(parts: MemoryParts): MemoryFacts {
  return {
    list: (query = {}) => listFacts(parts, query),
    async correct(factId, change, options = {}) {
      const signal = signalOf('facts.correct', options);
      if (Object.keys(change ?? {}).length === 0) {
        throw invalidInput(`Pass at least one field to correct: ${CHANGEABLE.join(', ')}.`);
      }
      checkOptionNames('facts.correct', change, CHANGEABLE);
      return enter(parts, factId, change, signal);
    },
    async add(fact, options = {}) {
      const signal = signalOf('facts.add', options);
      const entered =
        typeof fact === 'string' ? await readSentence(parts, fact, signal) : [checkEntered(fact)];
      const [first] = entered;
      if (!first) {
        throw invalidInput(
          'The rules do not understand this sentence. Pass the fact itself: { subject, predicate, object }.',
        );
      }
      return enterBy(parts, signal, (draft) => entered.map((each) => addFact(draft, each))[0] ?? '');
    },
    async end(factId, options = {}) {
      const signal = signalOf('facts.end', options);
      return enterBy(parts, signal, (draft) => endFact(draft, factId), factId);
    },
    pin: async (factId, options = {}) => pin(parts, factId, true, signalOf('facts.pin', options)),
    unpin: async (factId, options = {}) => pin(parts, factId, false, signalOf('facts.unpin', options)),
    entities: (options = {}) => listEntities(parts, options),
    async graph(options = {}) {
      const signal = signalOf('facts.graph', options);
      const records = await parts.graph.look(
        async (rows) => heldRecords(rows, await truthInSlices(rows, {}, signal)),
        signal,
      );
      const { clock, singleValued } = parts.settings;
      const { KnowledgeGraph } = await import('../../graph/knowledge-graph.ts');
      const settings = { clock, ...(singleValued ? { singleValued } : {}) };
      return KnowledgeGraph.fromRecords(records, settings);
    },
  };
}

async function listFacts({ graph }: MemoryParts, query: FactsQuery): Promise<MemoryFact[]> {
  if (typeof query === 'string')
    throw invalidOption(`facts.list takes an object. Write facts.list({ about: '${query as string}' }).`);
  const { about, includeUnconfirmed, signal, ...rest } = checkOptions<FactsQuery>('facts.list', query, {
    about: (_name, value) => checkName('The name of an entity', value),
    // The graph checks the times.
    validAt: anything,
    knownAt: anything,
    includeHistory: anything,
    includeUnconfirmed: checkBoolean,
    signal: checkSignal('facts.list'),
  });
  const { knownAt } = rest;
  const facts = await graph.look(async (rows) => {
    const truth = await truthInSlices(rows, knownAt === undefined ? {} : { knownAt }, signal);
    return runInSlices(toldFacts(rows, truth, triplesAbout(rows, about, rest, truth), rest), signal);
  }, signal);
  if (includeUnconfirmed) return facts;
  return facts.filter((fact) => fact.isPinned || unconfirmedSpeaker(fact) === undefined);
}

/** Returns facts with the end of what says them. */
function* toldFacts(
  rows: KnowledgeRows,
  truth: Truth,
  facts: readonly Triple[],
  { includeHistory, validAt = Infinity }: TripleListQuery,
): Steps<MemoryFact[]> {
  const told: MemoryFact[] = [];
  for (const fact of facts) {
    yield;
    const end = fact.retractedAt === undefined ? truth.endOfFact(fact) : undefined;
    if (!end) {
      told.push(factOf(rows, fact));
      continue;
    }
    const validTo = Math.min(fact.validTo ?? Infinity, Math.max(end.at, fact.validFrom));
    if (includeHistory === true || validTo > validAt)
      told.push(factOf(rows, { ...fact, validTo, retractedAt: end.at }));
  }
  return told;
}

/** Returns the facts about an entity; about the user, then also those about "user's daughter", or Ana if she is that. */
function triplesAbout(
  rows: KnowledgeRows,
  about: string | undefined,
  query: TripleListQuery,
  { saidUntil }: Truth,
): Triple[] {
  if (about === undefined) return rows.graph.triples(query, saidUntil);
  const name = nameTyped(about);
  const own = rows.graph.triples({ ...query, about: name }, saidUntil);
  if (name !== USER_NAME) return own;
  const had = own.flatMap(({ subject, predicate, object }) =>
    subject === USER_NAME && predicate.startsWith('has ') ? object : [],
  );
  const others = [...keysOfTheUsers(rows), ...had];
  const facts = [
    ...own,
    ...others.flatMap((each) => rows.graph.triples({ ...query, about: each }, saidUntil)),
  ];
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()];
}

/** Returns the keys of the entities whose names mark them as the user's. */
function keysOfTheUsers(rows: KnowledgeRows): string[] {
  const keys = new Set(
    [...rows.facts.values()].flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]),
  );
  return [...keys].filter((key) => rows.namesOf(key).some((name) => name.startsWith(`${USER_NAME}'s `)));
}

/**
 * Replaces a fact with the user's correction, and returns the new fact.
 *
 * @throws MnemoraError `not-found`, `invalid-input`
 */
export function enter(
  parts: MemoryParts,
  id: string,
  given: FactChange,
  signal?: AbortSignal,
): Promise<MemoryFact> {
  return enterBy(parts, signal, (draft) => correctFact(draft, id, given), id);
}

/** Stores a change by the user, and returns the fact that it gives. @param id the fact that is changed */
export async function enterBy(
  parts: MemoryParts,
  signal: AbortSignal | undefined,
  make: (draft: KnowledgeDraft) => string,
  id = '',
): Promise<MemoryFact> {
  const enteredId = await edit(parts, id, signal, make);
  const rows = await parts.graph.rows();
  const entered = rows.graph.triple(enteredId);
  if (entered) return factOf(rows, entered);
  throw new MnemoraError('not-found', `The fact "${enteredId}" was forgotten while it was being changed.`);
}

const ENTERED: OptionChecks<EnteredFact> = {
  subject: checkName,
  predicate: checkName,
  object: checkName,
  validFrom: anything,
  validTo: anything,
};

/** @throws MnemoraError `invalid-option`, `invalid-input` */
function checkEntered(fact: EnteredFact): EnteredFact {
  const { subject, predicate, object } = checkOptions<EnteredFact>('facts.add', fact, ENTERED);
  if (subject === undefined || predicate === undefined || object === undefined)
    throw invalidInput('A fact needs a subject, a predicate and an object.');
  return fact;
}

const rulesByParts = new WeakMap<MemoryParts, Extractor>();

/** Returns the rules that read what the user enters: always the same, because they have a worker. */
async function rulesOf(parts: MemoryParts): Promise<Extractor> {
  const { offlineExtractor } = await import('../../learning/rules/offline-extractor.ts');
  const { assetsUrl } = parts.settings;
  const fromAssets = assetsUrl === undefined ? {} : { assetsUrl };
  const rules = rulesByParts.get(parts) ?? offlineExtractor({ ...fromAssets, signal: parts.closing });
  rulesByParts.set(parts, rules);
  return rules;
}

/** Returns the facts that the rules read in a sentence of the user. */
async function readSentence(
  parts: MemoryParts,
  text: string,
  signal: AbortSignal | undefined,
): Promise<EnteredFact[]> {
  const rules = await rulesOf(parts);
  const message = { id: 'entered', role: 'user', text, createdAt: parts.settings.clock() } as const;
  const { triples } = await rules.extract({
    messages: [message],
    context: [],
    entities: [],
    facts: [],
    ...(signal ? { signal } : {}),
  });
  return triples.map(({ subject, predicate, object, validTo }) => ({
    subject,
    predicate,
    object,
    ...(validTo === undefined ? {} : { validTo }),
  }));
}

/** Pins a fact, or unpins it. @throws MnemoraError `not-found` */
export async function pin(
  parts: MemoryParts,
  id: string,
  isPinned: boolean,
  signal?: AbortSignal,
): Promise<void> {
  await edit(parts, id, signal, (draft) => {
    pinFact(draft, id, isPinned);
    return id;
  });
}

/** Stores the user's change of a fact, and returns the id of the resulting fact. */
export async function edit(
  parts: MemoryParts,
  id: string,
  signal: AbortSignal | undefined,
  change: (draft: KnowledgeDraft) => string,
): Promise<string> {
  let resultId = id;
  const apply = (draft: KnowledgeDraft): void => {
    resultId = change(draft);
  };
  if (await parts.graph.update(apply, undefined, signal)) {
    parts.written();
    return resultId;
  }
  throw new MnemoraError(
    'not-found',
    `A message that the fact "${id}" came from no longer exists. Nothing was changed. Call backup.rebuild() to repair the fact.`,
  );
}

/** Returns a fact as the memory shows it. */
export function factOf(rows: KnowledgeRows, fact: Triple): MemoryFact {
  return { ...fact, speaker: speakerOf(fact), isPinned: rows.facts.get(fact.id)?.isPinned === true };
}

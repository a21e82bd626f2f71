import type { Speaker } from '../../model/speaker.ts';
import type { TripleListQuery } from '../../graph/graph-query.ts';
import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { AttributeMap, Triple } from '../../graph/triple.ts';
import type { FactChange } from '../../learning/user-edits.ts';
import type { SignalOption } from '../call-options.ts';

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
   * Includes facts that only an assistant, a tool, a pasted text or an import has stated and nobody has confirmed.
   * Their `speaker` says who stated them.
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
  /** What was said about it, one sentence after another; may be empty. */
  readonly summary: string;
  /** Ids of the messages that mention it. */
  readonly sources: readonly string[];
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
  /** Returns the people, places and things that the memory knows. */
  entities(options?: SignalOption): Promise<MemoryEntity[]>;
  /** Returns a copy of the graph of facts and entities, for drawing or exporting it. */
  graph(options?: SignalOption): Promise<KnowledgeGraph>;
}

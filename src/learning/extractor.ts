import type { ParsedTriple } from './parse-replies.ts';

/**
 * A message for an extractor, without the parts that must not be learned from. Only its first 20,000 characters are
 * included.
 */
export interface SourceMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Name of the speaker, if the message has one. */
  readonly name?: string;
  readonly text: string;
  /** Set if the message was imported from elsewhere. Nobody in this conversation has said an imported message. */
  readonly origin?: 'import';
  /** Substrings of `text` that are not the user's own words: pasted text, or what somebody else said. */
  readonly pasted?: readonly string[];
  /** When the message was said, in milliseconds since 1970: not before those before it in its session. */
  readonly createdAt: number;
  /** @internal True if it does not continue the messages before it, because something in between was forgotten. */
  readonly isApart?: true;
}

/** An entity that is already known. */
export interface KnownEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What is known about it, in sentences. Can be empty. */
  readonly summary: string;
}

/** A known fact that holds. */
export interface KnownFact extends ParsedTriple {
  readonly id: string;
  /** Whether it is a model's proposal that waits for review: known to be proposed, not to be true. */
  readonly isUnconfirmed?: true;
}

/** The messages to learn from, and what is already known. */
export interface ExtractionInput {
  /** Whole turns, oldest first. Facts are taken from these only. */
  readonly messages: readonly SourceMessage[];
  /** The turns before, which help to resolve pronouns. No facts are taken from them. */
  readonly context: readonly SourceMessage[];
  /** The known entities that the messages or the context mention. */
  readonly entities: readonly KnownEntity[];
  /** The known facts about these entities. A new fact can list the ids of those that it replaces. */
  readonly facts: readonly KnownFact[];
  readonly signal?: AbortSignal;
}

/** A mention of an entity in a message. */
export interface ProposedMention {
  readonly name: string;
  /** Id of the message. */
  readonly messageId: string;
  readonly aliases?: readonly string[];
  /** New information about the entity, in one sentence. */
  readonly note?: string;
}

/** A fact stated in a message. The user is called `user`, everybody else by name. */
export interface ProposedTriple extends ParsedTriple {
  readonly messageId: string;
  /** The words of the message that state the fact. If the message does not contain the quote, the fact is rejected. */
  readonly quote?: string;
  /** When the fact began to hold, and when it stops, in milliseconds since 1970, if the message says so. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** Ids of the known facts that it replaces. */
  readonly supersedes?: readonly string[];
}

/** Maximum number of proposals of each kind; further ones are rejected. */
export const MAX_PROPOSALS = 200;

/** Proposals of an extractor. They are checked against the messages before anything is stored. */
export interface Extraction {
  readonly mentions: readonly ProposedMention[];
  readonly triples: readonly ProposedTriple[];
  /** Number of parts of the reply that could not be parsed. */
  readonly unreadable: number;
}

/** Entities with several notes each, and the known facts about them. */
export interface ConsolidationInput {
  readonly entities: readonly {
    readonly name: string;
    /** The notes, oldest first. */
    readonly notes: readonly string[];
    /** The facts about the entity that hold, as sentences. */
    readonly facts: readonly string[];
  }[];
  readonly signal?: AbortSignal;
}

/** A running summary, and the lines of conversation to add to it. */
export interface SummaryInput {
  /** The summary so far; empty at the beginning. */
  readonly summary: string;
  /** The new messages as lines with speakers: `Human: hi\nAI: hello`. */
  readonly newLines: string;
  /** Approximate limit of the new summary. Longer ones are cut. */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

/**
 * Turns text into facts, entities and summaries. `llmExtractor` asks a model, and `offlineExtractor` uses rules. Methods
 * reject if the model cannot be reached, and with `llm-reply` if its reply is not in the requested form. Otherwise they
 * return what was found, which can be nothing.
 *
 * @example
 * const extractor: Extractor = {
 *   id: 'todo-rules/1',
 *   extract: async ({ messages }) => ({ mentions: [], triples: messages.flatMap(todosIn), unreadable: 0 }),
 *   summarize: async ({ summary, newLines }) => `${summary}\n${newLines}`.slice(-2000),
 * };
 */
export interface Extractor {
  /** Identifies the extractor; stored with its results. */
  readonly id: string;
  /**
   * Whether a model writes the results, so that they may contain inventions. Facts of a model are confirmed only if the
   * clause of the quote says them: the predicate in its own words or in those of a listed relation, the object, the
   * subject, the polarity and the time; others wait for review and are told in no context. A fact without a quote is
   * checked against the whole message. Sentences of notes, and of summaries of `createMemory`, that the messages do not
   * support are left out, and the words of the messages stand in their place.
   * @default false
   */
  readonly isModel?: boolean;
  /** Relations that a model may state in other words than the messages. @default RELATIONS */
  readonly relations?: readonly string[];
  /** Maximum number of turns in one call of `extract`. @default 16 */
  readonly batchTurns?: number;
  /** Returns all entities and facts of several turns, in one call. */
  extract(input: ExtractionInput): Promise<Extraction>;
  /** Returns a new summary that covers both the old one and the new lines. It must not be empty. */
  summarize(input: SummaryInput): Promise<string>;
  /**
   * Optional. Merges the notes of each entity, which were made in different conversations, into one note, in one
   * call. Entities missing from the result keep their notes. Called in the background, at most once every 20 turns.
   */
  consolidate?(input: ConsolidationInput): Promise<ReadonlyMap<string, string>>;
}

import type { ParsedTriple } from './parse-triples.ts';

/** A message as an extractor gets it: without what the code has ruled out as a source. */
export interface SourceMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Name of the speaker, where the message has one. */
  readonly name?: string;
  readonly text: string;
  /** Where it was not said here, but brought from elsewhere: then it is nobody's word who speaks here. */
  readonly origin?: 'import';
  /** The parts of the text, as they stand in it, that are not the user's word: what was pasted, or another person's. */
  readonly pasted?: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An entity that is known already. */
export interface KnownEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What is known of it, in sentences; may be empty. */
  readonly summary: string;
}

/** A fact that holds. */
export interface KnownFact extends ParsedTriple {
  readonly id: string;
}

/** What to learn from, and what is known already. */
export interface ExtractionInput {
  /** Whole turns, oldest first: facts come from these only. */
  readonly messages: readonly SourceMessage[];
  /** The turns before: they tell who "he" is. */
  readonly context: readonly SourceMessage[];
  /** Those that are named in the messages or the context. */
  readonly entities: readonly KnownEntity[];
  /** Those about these entities; a new fact may name the ids of those that it replaces. */
  readonly facts: readonly KnownFact[];
  readonly signal?: AbortSignal;
}

/** Something that a message tells about an entity. */
export interface ProposedMention {
  readonly name: string;
  /** The message that tells it. */
  readonly messageId: string;
  readonly aliases?: readonly string[];
  /** What is new about it, in a sentence. */
  readonly note?: string;
}

/** A fact that a message tells. The user is called `user`, whoever else by name. */
export interface ProposedTriple extends ParsedTriple {
  readonly messageId: string;
  /** The words of the message that say it. A quote that is not in the message rejects the fact. */
  readonly quote?: string;
  /** Since when, or until when, it holds, in milliseconds since 1970, where the message tells. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** Ids of known facts that it replaces. */
  readonly supersedes?: readonly string[];
}

/** What an extractor proposes. Nothing of it is believed before it was checked against the messages. */
export interface Extraction {
  readonly mentions: readonly ProposedMention[];
  readonly triples: readonly ProposedTriple[];
  /** Parts of the reply that could not be read. */
  readonly unreadable: number;
}

/** Entities of which several notes were made, and what else is known of them. */
export interface ConsolidationInput {
  readonly entities: readonly {
    readonly name: string;
    /** Oldest first. */
    readonly notes: readonly string[];
    /** The facts about it that hold, as sentences. */
    readonly facts: readonly string[];
  }[];
  readonly signal?: AbortSignal;
}

/** Recent lines of a conversation, and what was said last. */
export interface DialogueInput {
  /** As text with speakers: `Human: hi\nAI: hello`. */
  readonly history: string;
  readonly input: string;
  readonly signal?: AbortSignal;
}

/**
 * Turns text into summaries, entities and facts. Two implementations: `llmExtractor` asks a model, `offlineExtractor`
 * goes by rules. Methods reject where the model cannot be reached, and with `llm-reply` where its reply is not what was
 * asked for; they return what there was, which may be nothing, where it is.
 */
export interface Extractor {
  /** Names what was at work, for the record. */
  readonly id: string;
  /** Turns that one call of `extract` takes, at most. @default 16 */
  readonly batchTurns?: number;
  /**
   * Whether a model writes what it gives, and may make things up. Of its facts those are stored whose object's words
   * stand in the quote, whose quote has three words or is the whole message, and whose subject was named; without a quote
   * the whole message is one. Notes, and summaries of `createMemory`, with a name or a number that nobody said are made
   * by rules.
   * @default false
   */
  readonly isModel?: boolean;
  /**
   * A new summary of everything: of what the old one says and of the new lines. Not empty.
   *
   * @param maxTokens what it should stay below, roughly; the caller cuts what is longer
   */
  summarize(input: {
    readonly summary: string;
    readonly newLines: string;
    readonly maxTokens?: number;
    readonly signal?: AbortSignal;
  }): Promise<string>;
  /** The entities that the input is about. */
  findEntities(input: DialogueInput): Promise<string[]>;
  /** A new summary of one entity; undefined where nothing has changed. */
  updateEntity(
    input: DialogueInput & { readonly entity: string; readonly summary: string },
  ): Promise<string | undefined>;
  /** New summaries of the entities that have changed, in one call. */
  updateEntities(
    input: DialogueInput & {
      readonly entities: readonly { readonly name: string; readonly summary: string }[];
    },
  ): Promise<ReadonlyMap<string, string>>;
  /** The facts that the input tells. */
  extractTriples(input: DialogueInput): Promise<ParsedTriple[]>;
  /**
   * One note for each of these entities, of which several were made in different conversations, in one call. Those that it
   * leaves out stay as they are. Called in the background, once in 20 turns at most; never where it is absent.
   */
  consolidate?(input: ConsolidationInput): Promise<ReadonlyMap<string, string>>;
  /** All entities and facts of some turns, in one call. */
  extract(input: ExtractionInput): Promise<Extraction>;
}

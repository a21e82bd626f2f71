import type { AttributeMap, TripleRecord } from '../graph/triple.ts';
import type { JsonValue } from '../model/json.ts';
import type { CountedMessage, StoredMessage, TokenCounts } from '../model/message.ts';
import type { ConversationSegment } from '../search/conversation-segment.ts';

/** One conversation. */
export interface SessionRecord {
  id: string;
  /** Whose memory it feeds; never changes. */
  scope: string;
  title: string;
  /** The message that the title quotes: it goes when the message goes. */
  titleFrom?: string;
  createdAt: number;
  updatedAt: number;
  /** Sequence number of the next message; never falls, so that a forgotten number is not used again. */
  nextSeq: number;
  nextTurn: number;
  messageCount: number;
  /**
   * How often messages of it were erased. What a model makes of the messages is stored only if none was erased
   * meanwhile. Absent while it is 0.
   */
  erasures?: number;
}

/** A message and what only the storage needs to know of it. */
export type MessageRecord = StoredMessage & {
  /** That of its session, so that a scope's messages are found without its sessions. */
  scope: string;
  /** While its turn is pending: the opening of the database that is to end it; empty for turns of version 0.1.0. */
  openedBy?: string;
  /** Its turn was marked as failed because the tab that was to end it was gone. It may still be ended. */
  isAbandoned?: true;
};

/** A list of a `ChatMemoryStore`. */
export interface ChatMemoryRecord {
  id: string;
  messages: CountedMessage[];
}

/** A text kept by a retriever, apart from the transcript. */
export interface DocumentRecord {
  id: string;
  /** Retrievers of one collection find each other's documents. By default it is named as the scope. */
  collection: string;
  /** The session that it came from. */
  sessionId: string;
  text: string;
  createdAt: number;
  metadata?: Readonly<Record<string, unknown>>;
  /** Absent where the retriever has no embedder. */
  embedding?: { embedder: string; vector: Float32Array };
}

/**
 * Up to {@link VECTORS_PER_BLOCK} vectors, packed, so that a cold open reads few records. The ids are indexed one by
 * one, so that erasing finds the blocks that it touches.
 */
export interface VectorBlockRecord {
  embedder: string;
  scope: string;
  block: number;
  ids: string[];
  /** Row after row, in the order of `ids`. */
  vectors: Float32Array;
}

/**
 * A part of the keyword index of a scope: the messages that came after those of the part before. The ids of its messages
 * are indexed one by one, so that erasing finds the parts that it touches.
 */
export interface PostingsRecord {
  scope: string;
  part: number;
  /** The newest part's tells what all of them hold: the scope as it was there, without what was erased since. */
  cursor: { generation: string; revision: number };
  /** Id of the analyzer that cut the texts into terms; empty for the library's own. */
  analyzer: string;
  segment: ConversationSegment;
}

/** What a memory has made of the beginning of a session. */
export interface SummaryRecord {
  sessionId: string;
  /** Which memory of the session it belongs to. */
  memoryId: string;
  scope: string;
  text: string;
  /** It covers every message of the session up to this sequence number, itself included. */
  coversSeq: number;
  updatedAt: number;
  tokens?: TokenCounts;
  /** The queue in which it is to be made again when it had to be erased. */
  queue?: string;
}

/** What one message, or the user, told about an entity. */
export interface EntityMention {
  /** Empty where the user entered it. */
  messageIds: readonly string[];
  /** A sentence or two; may be empty. */
  note: string;
  aliases: readonly string[];
  recordedAt: number;
  /** The note stands for all that were made before it. */
  rewrites?: true;
}

/** A person, place or thing that a scope knows of. */
export interface EntityRow {
  scope: string;
  /** `nameKey` of the name. */
  key: string;
  /** Stands for it in the log of changes, which outlives what was forgotten, so that no name is in there. */
  id: string;
  /** As it was first written. */
  name: string;
  attributes: AttributeMap;
  /** Whether it stays without facts and mentions. */
  isStandalone: boolean;
  /** Oldest first. */
  mentions: readonly EntityMention[];
  /** All messages of the mentions: indexed one by one. */
  messageIds: readonly string[];
}

/** A fact of the knowledge graph of a scope. */
export interface FactRow extends TripleRecord {
  scope: string;
  /** Keys of the entities at its ends. */
  subjectKey: string;
  objectKey: string;
  /** All messages of its sources: indexed one by one. */
  messageIds: readonly string[];
  /** The user wants it in every context. */
  isPinned?: boolean;
}

/** A sentence of a message that is worth keeping, in its own words. */
export interface StatementRow {
  /** Follows from the message and the place in it: made again, it is the same. */
  id: string;
  scope: string;
  text: string;
  messageId: string;
  /** Whose word it is. */
  origin: 'user' | 'document' | 'assistant' | 'tool' | 'import';
  /** What it tells of: `name`, `home`, `health`, … At least one. */
  kinds: readonly string[];
  /** Of two on one topic the newer counts. */
  topic: string;
  /** How sure it is that it is worth keeping, from 0 to 1. */
  score: number;
  /** Milliseconds since 1970. */
  saidAt: number;
  /** All that it says is that something has ended. */
  isEnding?: true;
  /** The statement that ended it. */
  endedBy?: string;
}

/** A row of an integration: JSON under a key of its own, which may go with a session or with messages. */
export interface RecordRow {
  namespace: string;
  key: string;
  /** Stands for it in tombstones, so that no key is in there. */
  id: string;
  scope: string;
  value: JsonValue;
  /** It is erased with this session as a whole. */
  sessionId?: string;
  /** It is erased with any of these: indexed one by one. */
  messageIds: readonly string[];
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/**
 * What becomes of work that has failed. `network`: nothing answered; it is tried again, and not while the browser is
 * offline. `passing`: it is tried again, later each time. `refused`: another model may do it. `lasting`: it would fail
 * again, and is given up after a few attempts.
 */
export type FailureKind = 'network' | 'passing' | 'refused' | 'lasting';

/** Work to be done in the background, and to survive the page. Holds ids and never text. */
export interface JobRecord {
  id: number;
  /** Whose work it is: one handler, in one tab at a time, works through a queue. */
  queue: string;
  scope: string;
  sessionId: string;
  /** Turns that it was queued for, oldest first; empty where it is about the session as a whole. */
  turnIds: string[];
  /** Milliseconds since 1970, by this machine's clock. */
  createdAt: number;
  /** Not to be started earlier. */
  notBefore: number;
  /** How often it has failed. */
  attempts: number;
  /** The term of the leader that is working on it. Of an earlier term than the present, it counts for nothing. */
  lease?: number;
  /** How many of its failures were of a lasting kind. */
  lastingFailures?: number;
  /** Handlers whose model refused it, newest last. It is paused for them, and due for any other. */
  refusedBy?: string[];
  /** It was given up and waits to be retried by hand. */
  isDead?: true;
  /** Of the last attempt. Rows of version 0.1.0 name no kind. */
  error?: { code: string; message: string; kind?: FailureKind };
}

/**
 * What one write touched. Other tabs replay these rows to bring their indexes up to date.
 * `turn`: messages from `fromSeq` to `toSeq` of a session were written. `removed`: messages were forgotten.
 * `vectors`: rows for `ids` were added to `block`; they are in the first block of that number or a higher one.
 * `forgotten`: documents of these sessions, or made before this time, were forgotten with what they go with: those of the
 * collection `scope`, or of all. One that is still being embedded is not stored.
 * `documents`: those of the collection `scope` were added or removed.
 * `records`: rows of integrations under these keys were written or removed.
 * `knowledge`: these facts, entities and statements (by id) were written or removed; what was packed before an erasure is void.
 */
export type Change =
  | { kind: 'turn'; scope: string; sessionId: string; fromSeq: number; toSeq: number }
  | { kind: 'removed'; scope: string; ids: string[] }
  | { kind: 'forgotten'; scope?: string; sessionIds: string[]; before?: number }
  | { kind: 'documents'; scope: string; ids: string[] }
  | { kind: 'records'; scope: string; namespace: string; keys: string[] }
  | { kind: 'vectors'; scope: string; embedder: string; block: number; ids: string[] }
  | {
      kind: 'knowledge';
      scope: string;
      facts: string[];
      entities: string[];
      statements?: string[];
      erases?: true;
    };

/**
 * All that a scope knew at one revision: to read its rows one by one, and their words, takes longer than a first question
 * may. It goes whenever something of the scope is erased, in the same transaction, because names are in it; a tab that has read
 * all rows makes it again.
 */
export interface PackedKnowledge {
  scope: string;
  cursor: { generation: string; revision: number };
  parts: readonly PackedRows[];
}

/** Some facts, entities and statements of a scope. */
export interface PackedRows {
  /** JSON of them. */
  rows: string;
  /** What they say, as whoever packed it searches it. */
  index: unknown;
}

/** `term:` and a queue: how often a tab has begun to lead it, which numbers its leaders. */
/** `secret`: 256 random bits of this database, never exported. */
/** `made:` and a scope: the version of what has made its derived rows. */
/** `learned:` and a scope: the turns that were learned from since its notes were consolidated. */
export type MetaRecord =
  | { key: 'generation' | 'secret' | `made:${string}`; value: string }
  | { key: `term:${string}`; value: number }
  | { key: `learned:${string}`; value: number };

export type Schema = {
  sessions: { key: string; value: SessionRecord; indexes: { scope: string } };
  messages: {
    key: [sessionId: string, seq: number];
    value: MessageRecord;
    indexes: { id: string; turnId: string; created: [scope: string, createdAt: number]; openedBy: string };
  };
  chatMemories: { key: string; value: ChatMemoryRecord };
  documents: {
    key: [collection: string, id: string];
    value: DocumentRecord;
    indexes: { sessionId: string };
  };
  vectors: {
    key: [embedder: string, scope: string, block: number];
    value: VectorBlockRecord;
    indexes: { ids: string };
  };
  postings: { key: [scope: string, part: number]; value: PostingsRecord; indexes: { ids: string } };
  summaries: {
    key: [sessionId: string, memoryId: string];
    value: SummaryRecord;
    indexes: { scope: string };
  };
  entities: {
    key: [scope: string, key: string];
    value: EntityRow;
    indexes: { id: string; messageIds: string };
  };
  triples: {
    key: string;
    value: FactRow;
    indexes: {
      scope: string;
      messageIds: string;
      subject: [scope: string, subjectKey: string];
      object: [scope: string, objectKey: string];
    };
  };
  packedKnowledge: { key: string; value: PackedKnowledge };
  statements: {
    key: string;
    value: StatementRow;
    indexes: { scope: string; messageId: string };
  };
  records: {
    key: [namespace: string, key: string];
    value: RecordRow;
    indexes: { scope: string; sessionId: string; messageIds: string };
  };
  jobs: {
    key: number;
    value: JobRecord;
    indexes: { queue: string; sessionId: string; scope: string };
  };
  changes: { key: number; value: Change };
  tombstones: { key: string; value: true };
  meta: { key: string; value: MetaRecord };
};

export type StoreName = keyof Schema;

export const VECTORS_PER_BLOCK = 1024;

/** What a small part of a saved keyword index is counted in. */
export const DOCUMENTS_PER_PART = 128;
/** So many of them are a group, which becomes one part. */
export const PARTS_PER_GROUP = 16;

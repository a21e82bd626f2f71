import type { AttributeMap, TripleRecord } from '../graph/triple.ts';
import type { JsonValue } from '../model/json.ts';
import type { CountedMessage, StoredMessage, TokenCounts } from '../model/message.ts';
import type { ConversationSegment } from '../search/conversation-segment.ts';

/** One conversation. */
export interface SessionRecord {
  /** Unique within the scope: each scope has its own sessions, turns and records. */
  id: string;
  /** Scope whose memory it belongs to; never changes. */
  scope: string;
  title: string;
  /** Id of the message that the title quotes. The title is erased with it. */
  titleFrom?: string;
  createdAt: number;
  /** Time of the latest message so far, also if it was forgotten. */
  updatedAt: number;
  /**
   * Sequence number of the next message. Never decreases, so that the number of a forgotten message is not reused.
   */
  nextSeq: number;
  nextTurn: number;
  messageCount: number;
  /**
   * Number of times that messages of the session were erased. A result that a model derived from the messages is
   * stored only if this has not changed. Absent while it is 0.
   */
  erasures?: number;
}

/** A message with the fields that only the storage needs. */
export type MessageRecord = StoredMessage & {
  /** Scope of its session, so that a scope's messages are found without reading its sessions. */
  scope: string;
  /**
   * Set while the turn is pending: id of the database opening that is to end it; empty if none is, as after an import.
   */
  openedBy?: string;
  /** True if the turn was marked as failed because its tab was gone. It may still be ended. */
  isAbandoned?: true;
};

/** A message list of a `ChatMemoryStore`. It belongs to the session of the default scope with its id. */
export interface ChatMemoryRecord {
  id: string;
  messages: CountedMessage[];
}

/** A text stored by a retriever, apart from the transcript. */
export interface DocumentRecord {
  id: string;
  /** Retrievers of the same collection find each other's documents. By default it has the name of the scope. */
  collection: string;
  /**
   * Scope of its session, and of the retriever that has stored it. Forgetting in this scope erases the text, whatever the
   * name of its collection.
   */
  scope: string;
  /** Id of the session that the text came from. */
  sessionId: string;
  text: string;
  createdAt: number;
  metadata?: Readonly<Record<string, unknown>>;
  /** Absent if the retriever has no embedder. */
  embedding?: { embedder: string; vector: Float32Array };
}

/**
 * Up to {@link VECTORS_PER_BLOCK} vectors, packed so that a cold start reads few records. The index on the single ids
 * lets an erasure find the blocks that it affects.
 */
export interface VectorBlockRecord {
  embedder: string;
  scope: string;
  block: number;
  ids: string[];
  /** Vectors one after another, in the order of `ids`. */
  vectors: Float32Array;
}

/**
 * One segment of a scope's keyword index: the messages that came after those of the segment before it. The index on
 * the single ids lets an erasure find the segments that it affects.
 */
export interface PostingsRecord {
  scope: string;
  part: number;
  /**
   * Position in the change log. That of the newest segment applies to all: together they hold the scope up to there,
   * without what was erased since.
   */
  cursor: { generation: string; revision: number };
  /** Id of the analyzer that split the texts into terms; empty for the default analyzer. */
  analyzer: string;
  segment: ConversationSegment;
}

/** Summary of the beginning of a session. */
export interface SummaryRecord {
  sessionId: string;
  /** Id of the memory that made it. A session may have several memories. */
  memoryId: string;
  scope: string;
  text: string;
  /** Sequence number of the last message that the summary covers; it covers all messages up to it. */
  coversSeq: number;
  updatedAt: number;
  tokens?: TokenCounts;
  /** Queue of the job that rebuilds the summary after it was erased. */
  queue?: string;
}

/** Information about an entity from one or more messages, or from the user directly. */
export interface EntityMention {
  /** Empty if the user entered it. */
  messageIds: readonly string[];
  /** One or two sentences; may be empty. */
  note: string;
  aliases: readonly string[];
  recordedAt: number;
  /** True if the note replaces all earlier notes. */
  rewrites?: true;
}

/** A person, place or thing that is known in a scope. */
export interface EntityRow {
  scope: string;
  /** Normalized name: `nameKey` of the name. */
  key: string;
  /** Random id for the change log, which outlives what was forgotten and so must not contain names. */
  id: string;
  /** Name as it was first written. */
  name: string;
  attributes: AttributeMap;
  /** True if the entity stays even without facts and mentions. */
  isStandalone: boolean;
  /** Mentions, oldest first. */
  mentions: readonly EntityMention[];
  /** Ids of the messages of all mentions, each of them indexed. */
  messageIds: readonly string[];
}

/** A fact of the knowledge graph of a scope. */
export interface FactRow extends TripleRecord {
  scope: string;
  /** Keys of the entities that the fact connects. */
  subjectKey: string;
  objectKey: string;
  /** Ids of the messages of all sources, each of them indexed. */
  messageIds: readonly string[];
  /** True if the user wants the fact in every context. */
  isPinned?: boolean;
}

/** A clause of a message that is worth keeping, word for word. */
export interface ClaimRow {
  /** Derived from the message and the position in it, so that learning again gives the same id. */
  id: string;
  scope: string;
  /** The clause, word for word; before a short answer, the question that it answers. */
  text: string;
  messageId: string;
  /** Place of the message. */
  sessionId: string;
  seq: number;
  /** Place of the clause in the text of its message, in UTF-16 code units. */
  start: number;
  end: number;
  /** Author of the sentence. */
  origin: 'user' | 'document' | 'assistant' | 'tool' | 'import';
  /** Kinds of information in it: `name`, `home`, `health`, … At least one. */
  kinds: readonly string[];
  /** Of two claims on the same topic, the newer one counts. */
  topic: string;
  /** Confidence that it is worth keeping, from 0 to 1. */
  score: number;
  /** When the message was said, in milliseconds since 1970: see `timeSaid`. */
  saidAt: number;
  /** Keys of what it is about, by which a claim that ends it finds it. */
  matters: readonly string[];
  /** Keys of what it may end; absent if it can end nothing. */
  ends?: readonly string[];
  /** True if it only says that something has ended. */
  isEnding?: true;
  /** True if it is only kept because it may end others. */
  isWeak?: true;
  /** True if even a person could not tell whether it is the user's own talk, so that the user is asked. */
  isUnclear?: true;
  /** Id of the claim that ended it. */
  endedBy?: string;
  /** The words of the clause that have ended, if not all of them. */
  endedText?: string;
}

/** A record of an integration: JSON under a key, optionally tied to a session or to messages. */
export interface RecordRow {
  namespace: string;
  key: string;
  /** Random id for tombstones, which must not contain the key. */
  id: string;
  scope: string;
  value: JsonValue;
  /** Id of a session. Erasing the session as a whole erases the record. */
  sessionId?: string;
  /** Ids of messages, each of them indexed. Erasing any of these messages erases the record. */
  messageIds: readonly string[];
  /** Time of the last write, in milliseconds since 1970. */
  updatedAt: number;
}

/**
 * Kind of a job's failure, which decides what happens next. `network`: no server answered; the job is retried, but not
 * while the browser is offline. `passing`: it is retried with exponential backoff. `refused`: another model may be able
 * to do it. `lasting`: it would fail again, and is given up after a few attempts.
 */
export type FailureKind = 'network' | 'passing' | 'refused' | 'lasting';

/** A background job, which survives the page. Contains ids and no text. */
export interface JobRecord {
  id: number;
  /** Name of its queue. One handler, in one tab at a time, does the jobs of a queue. */
  queue: string;
  scope: string;
  /** Empty if it concerns the scope as a whole. */
  sessionId: string;
  /** Ids of the turns that it was queued for, oldest first; empty if it concerns the session or scope as a whole. */
  turnIds: string[];
  /** Time of queuing in milliseconds since 1970, by this machine's clock. */
  createdAt: number;
  /** Earliest start, in milliseconds since 1970. */
  notBefore: number;
  /** Number of failed attempts. */
  attempts: number;
  /**
   * Start of the debounce and earliest start of the turns that were added when the job was due, and may have been
   * running. They wait in a job of their own if it was.
   */
  later?: { createdAt: number; notBefore: number };
  /** Number of times that what it was queued for was queued again. A leader that did not see the last one does not end it. */
  repeats?: number;
  /** Term of the leader that does the job, if that is a tab with an earlier version of this library. */
  lease?: number;
  /** Number of failures of the kind `lasting`. */
  lastingFailures?: number;
  /** Ids of the handlers whose model refused it, newest last. The job is paused for them, and due for any other. */
  refusedBy?: string[];
  /** True if it was given up and waits for a manual retry. */
  isDead?: true;
  /** Error of the last attempt. */
  error?: { code: string; message: string; kind: FailureKind };
}

/**
 * One entry of the change log. Other tabs replay the log to update their indexes.
 *
 * - `turn`: messages from `fromSeq` to `toSeq` of a session were written.
 * - `removed`: messages were forgotten.
 * - `vectors`: vectors for `ids` were added to `block`; they are in the first block with that number or a higher one.
 * - `forgotten`: documents of these sessions of `scope`, or made in it before this time, were forgotten. A document that
 *   is still being embedded is then not stored.
 * - `documents`: documents of the collection `scope` were added or removed.
 * - `records`: records of integrations in this namespace were written or removed. Their keys can contain words.
 * - `knowledge`: facts, entities and claims with these ids were written or removed. `erases` makes knowledge
 *   packed before this void.
 */
export type Change =
  | { kind: 'turn'; scope: string; sessionId: string; fromSeq: number; toSeq: number }
  | { kind: 'removed'; scope: string; ids: string[] }
  | { kind: 'forgotten'; scope: string; sessionIds: string[]; before?: number }
  | { kind: 'documents'; scope: string; ids: string[] }
  | { kind: 'records'; scope: string; namespace: string }
  | { kind: 'vectors'; scope: string; embedder: string; block: number; ids: string[] }
  | {
      kind: 'knowledge';
      scope: string;
      facts: string[];
      entities: string[];
      claims?: string[];
      erases?: true;
    };

/**
 * Packed copy of all knowledge of a scope at one revision, because reading and indexing the rows one by one would delay
 * the first question. It is deleted in the same transaction whenever something of the scope is erased, because it
 * contains names. A tab that has read all rows packs them again.
 */
export interface PackedKnowledge {
  scope: string;
  cursor: { generation: string; revision: number };
  parts: readonly PackedRows[];
}

/** Some facts, entities and claims of a scope. */
export interface PackedRows {
  /** The rows as JSON. */
  rows: string;
  /** Search index of their words, in the format of the code that packed them. */
  index: unknown;
}

/** `term:` and a queue: number of the queue's latest leadership term, used as fencing token. */
/** `secret`: 256 random bits of this database, never exported. */
/** `made:` and a scope: version of the code that made its derived rows. */
/** `backup:` and a scope: the last automatic backup. */
/** `learned:` and a scope: number of turns learned from since its notes were consolidated. */
export type MetaRecord =
  | { key: 'generation' | 'secret' | `made:${string}`; value: string }
  | { key: `term:${string}`; value: number }
  | { key: `learned:${string}`; value: number }
  | { key: `backup:${string}`; value: LastBackup };

/** The last automatic backup of a scope. */
export interface LastBackup {
  /** Time when it was begun, by the clock of the memory. */
  at: number;
  /** Position in the change log; later changes are not in it. */
  cursor: { generation: string; revision: number };
}

interface Rows {
  tombstones: true;
  sessions: SessionRecord;
  messages: MessageRecord;
  summaries: SummaryRecord;
  chatMemories: ChatMemoryRecord;
  documents: DocumentRecord;
  records: RecordRow;
  triples: FactRow;
  entities: EntityRow;
  vectors: VectorBlockRecord;
  jobs: JobRecord;
  claims: ClaimRow;
  postings: PostingsRecord;
  packedKnowledge: PackedKnowledge;
  changes: Change;
  meta: MetaRecord;
}

type KeyPath = string | readonly string[];

interface IndexShape {
  readonly keyPath: KeyPath;
  readonly unique?: true;
  /** Each item of a list is an index key of its own. */
  readonly multiEntry?: true;
}

/** Keys and indexes of an object store. */
export interface StoreShape {
  /** Absent if the key of each row is passed separately. */
  readonly keyPath?: KeyPath;
  readonly autoIncrement?: true;
  readonly indexes?: Readonly<Record<string, KeyPath | IndexShape>>;
}

/**
 * The table of object stores. A backup holds them in this order, so that references point backwards. How each is
 * erased and written to a backup is in `store-rules.ts`, which a page loads when it needs it.
 */
export const STORES = {
  tombstones: {},
  sessions: { keyPath: ['scope', 'id'], indexes: { updated: ['scope', 'updatedAt', 'id'] } },
  messages: {
    keyPath: ['scope', 'sessionId', 'seq'],
    indexes: {
      id: { keyPath: 'id', unique: true },
      turnId: ['scope', 'turnId'],
      created: ['scope', 'createdAt'],
      openedBy: 'openedBy',
    },
  },
  summaries: { keyPath: ['scope', 'sessionId', 'memoryId'] },
  chatMemories: { keyPath: 'id' },
  documents: {
    keyPath: ['collection', 'id'],
    indexes: { sessionId: ['scope', 'sessionId'], created: ['scope', 'createdAt'] },
  },
  records: {
    keyPath: ['scope', 'namespace', 'key'],
    indexes: {
      sessionId: ['scope', 'sessionId'],
      messageIds: { keyPath: 'messageIds', multiEntry: true },
    },
  },
  triples: {
    keyPath: 'id',
    indexes: {
      scope: 'scope',
      messageIds: { keyPath: 'messageIds', multiEntry: true },
      subject: ['scope', 'subjectKey'],
      object: ['scope', 'objectKey'],
    },
  },
  entities: {
    keyPath: ['scope', 'key'],
    indexes: { id: { keyPath: 'id', unique: true }, messageIds: { keyPath: 'messageIds', multiEntry: true } },
  },
  vectors: {
    keyPath: ['embedder', 'scope', 'block'],
    indexes: { ids: { keyPath: 'ids', multiEntry: true } },
  },
  jobs: {
    keyPath: 'id',
    autoIncrement: true,
    indexes: { queue: 'queue', sessionId: ['scope', 'sessionId'], scope: 'scope' },
  },
  claims: {
    keyPath: 'id',
    indexes: { scope: 'scope', messageId: 'messageId', endedBy: 'endedBy' },
  },
  postings: {
    keyPath: ['scope', 'part'],
    indexes: { ids: { keyPath: 'segment.ids', multiEntry: true } },
  },
  packedKnowledge: { keyPath: 'scope' },
  changes: { autoIncrement: true },
  meta: { keyPath: 'key' },
} as const;

export type StoreName = keyof typeof STORES;

export const STORE_NAMES: readonly StoreName[] = Object.keys(STORES) as StoreName[];

/** Returns an index of the table in its long form. */
export function indexShape(index: KeyPath | IndexShape): IndexShape {
  return typeof index === 'object' && 'keyPath' in index ? index : { keyPath: index };
}

/** Key of a row at a key path: strings and numbers, and lists of them. */
type KeyAt<Row, Path> = Path extends readonly unknown[]
  ? { -readonly [Part in keyof Path]: KeyAt<Row, Path[Part]> }
  : Path extends { readonly keyPath: infer Inner }
    ? KeyAt<Row, Inner>
    : Row extends { readonly [Field in Path & string]: number }
      ? number
      : string;

type IndexesOf<Name extends StoreName> = (typeof STORES)[Name] extends { indexes: infer Indexes }
  ? Indexes
  : unknown;

/** Types of the keys, rows and index keys of each object store, by its shape in the table. */
export type Schema = {
  [Name in StoreName]: {
    key: (typeof STORES)[Name] extends { keyPath: infer Path }
      ? KeyAt<Rows[Name], Path>
      : (typeof STORES)[Name] extends { autoIncrement: true }
        ? number
        : string;
    value: Rows[Name];
    indexes: { [Index in keyof IndexesOf<Name>]: KeyAt<Rows[Name], IndexesOf<Name>[Index]> };
  };
};

/** Key of a session. */
export type SessionKey = Schema['sessions']['key'];

export const VECTORS_PER_BLOCK = 1024;

/** Number of messages that a small segment of a saved keyword index is sized for. */
export const DOCUMENTS_PER_PART = 128;
/** Small segments that are merged into one large segment. */
export const PARTS_PER_GROUP = 16;

import type { AttributeMap, TripleRecord } from '../graph/triple.ts';
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
  /** 96 random bits in hexadecimal that mark recalled text in this session's prompts. */
  fenceMark: string;
  /**
   * How often messages of it were erased. What a model makes of the messages is stored only if none was erased
   * meanwhile. Absent while it is 0.
   */
  erasures?: number;
}

/** A message and the scope of its session, so that a scope's messages are found without its sessions. */
export type MessageRecord = StoredMessage & { scope: string };

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
  /** The queue in which it is to be made anew when it had to be erased. */
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
  /** It has failed too often and waits to be retried by hand. */
  isDead?: true;
  error?: { code: string; message: string };
}

/**
 * What one write touched. Other tabs replay these rows to bring their indexes up to date.
 * `turn`: messages from `fromSeq` to `toSeq` of a session were written. `removed`: messages were forgotten.
 * `vectors`: rows for `ids` were added to `block`; they are in the first block of that number or a higher one.
 * `documents`: those of the collection `scope` were added or removed.
 * `knowledge`: these facts and entities (by id) were written or removed.
 */
export type Change =
  | { kind: 'turn'; scope: string; sessionId: string; fromSeq: number; toSeq: number }
  | { kind: 'removed'; scope: string; ids: string[] }
  | { kind: 'documents'; scope: string; ids: string[] }
  | { kind: 'vectors'; scope: string; embedder: string; block: number; ids: string[] }
  | { kind: 'knowledge'; scope: string; facts: string[]; entities: string[] };

/**
 * All that a scope knew at one revision, as JSON: to read its rows one by one takes longer than a first question may. It
 * goes whenever something of the scope is erased, in the same transaction, because names are in it; a tab that has read
 * all rows makes it anew.
 */
export interface PackedKnowledge {
  cursor: { generation: string; revision: number };
  /** Each of some facts and entities. */
  parts: readonly string[];
}

/** `term:` and a queue: how often a tab has begun to lead it, which numbers its leaders. */
export type MetaRecord =
  | { key: 'generation'; value: string }
  /** What nobody else knows of this database. */
  | { key: 'secret'; value: string }
  | { key: `term:${string}`; value: number }
  | { key: `knowledge:${string}`; value: PackedKnowledge };

export type Schema = {
  sessions: { key: string; value: SessionRecord; indexes: { scope: string } };
  messages: {
    key: [sessionId: string, seq: number];
    value: MessageRecord;
    indexes: { id: string; turnId: string; created: [scope: string, createdAt: number] };
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

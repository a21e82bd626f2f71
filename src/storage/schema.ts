import type { CountedMessage, StoredMessage } from '../model/message.ts';

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

/** Up to {@link VECTORS_PER_BLOCK} vectors, packed, so that a cold open reads few records. */
export interface VectorBlockRecord {
  embedder: string;
  scope: string;
  block: number;
  ids: string[];
  /** Row after row, in the order of `ids`. */
  vectors: Float32Array;
}

/**
 * What one write touched. Other tabs replay these rows to bring their indexes up to date.
 * `turn`: messages from `fromSeq` to `toSeq` of a session were written. `removed`: messages were forgotten.
 * `vectors`: rows for `ids` were added to `block`. `documents`: those of the collection `scope` were added or removed.
 */
export type Change =
  | { kind: 'turn'; scope: string; sessionId: string; fromSeq: number; toSeq: number }
  | { kind: 'removed'; scope: string; ids: string[] }
  | { kind: 'documents'; scope: string; ids: string[] }
  | { kind: 'vectors'; scope: string; embedder: string; block: number; ids: string[] };

export interface MetaRecord {
  key: 'generation';
  value: string;
}

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
  vectors: { key: [embedder: string, scope: string, block: number]; value: VectorBlockRecord };
  changes: { key: number; value: Change };
  tombstones: { key: string; value: true };
  meta: { key: string; value: MetaRecord };
};

export type StoreName = keyof Schema;

export const VECTORS_PER_BLOCK = 1024;

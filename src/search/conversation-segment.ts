import {
  isKeywordSegment,
  joinKeywordSegments,
  toKeywordSegment,
  type KeywordSegment,
  type TermDocument,
} from './keyword-segment.ts';
import type { TextTraits } from './message-traits.ts';
import {
  arePackedLists,
  arePackedNumbers,
  arePackedWords,
  listAt,
  numberAt,
  packLists,
  packNumbers,
  packWords,
  wordAt,
  type PackedLists,
  type PackedNumbers,
  type PackedWords,
} from './packed-columns.ts';

/** Metadata of a searchable message: its position in the conversation, its time and its speaker. */
export interface MessageMetadata {
  readonly sessionId: string;
  /** Sort key of the messages of a session. */
  readonly order: number;
  readonly turnId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Name of the speaker, if known. */
  readonly speaker?: string;
}

/** Properties of a message that an index keeps besides its terms. */
export interface MessageProperties {
  readonly metadata: MessageMetadata;
  readonly traits: TextTraits;
}

/** Properties of messages in columns. A row can be read without unpacking the others. */
interface MessageColumns {
  readonly sessionIds: PackedWords;
  readonly orders: PackedNumbers;
  readonly turnIds: PackedWords;
  readonly createdAt: PackedNumbers;
  /** Names of speakers; empty where there is none. */
  readonly speakers: PackedWords;
  readonly traits: PackedNumbers;
  readonly hashes: PackedLists;
}

/** A segment of a conversation index. */
export interface ConversationSegment extends KeywordSegment {
  readonly properties: MessageColumns;
}

/** Returns a segment of messages with distinct ids. */
export function toConversationSegment(
  documents: readonly (TermDocument & MessageProperties)[],
): ConversationSegment {
  const properties = toColumns(documents);
  return { ...toKeywordSegment(documents, properties), properties };
}

/** Whether a stored value is an undamaged segment of this version. */
export function isConversationSegment(value: unknown): value is ConversationSegment {
  if (!isKeywordSegment(value)) return false;
  const columns = value.properties as Partial<MessageColumns>;
  const rows = value.ids.length;
  return (
    [columns.sessionIds, columns.turnIds, columns.speakers].every((each) => arePackedWords(each, rows)) &&
    [columns.orders, columns.createdAt, columns.traits].every((each) => arePackedNumbers(each, rows)) &&
    arePackedLists(columns.hashes, rows)
  );
}

/** Merges segments, without the ids in `leftOut`. If several segments have an id, the last one wins. */
export function mergeSegments(
  segments: readonly ConversationSegment[],
  leftOut: ReadonlySet<string> = new Set(),
): ConversationSegment {
  const segmentOf = new Map(segments.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)));
  const kept: MessageProperties[] = [];
  const newRows = segments.map((segment, number) =>
    segment.ids.map((id, row) => {
      if (segmentOf.get(id) !== number || leftOut.has(id)) return -1;
      return kept.push(propertiesAt(segment, row)) - 1;
    }),
  );
  const properties = toColumns(kept);
  return { ...joinKeywordSegments(segments, newRows, properties), properties };
}

/** Returns the properties of one message, given by its row. */
export function propertiesAt({ properties }: ConversationSegment, row: number): MessageProperties {
  const { sessionIds, orders, turnIds, createdAt, speakers, traits, hashes } = properties;
  const speaker = wordAt(speakers, row);
  return {
    metadata: {
      sessionId: wordAt(sessionIds, row),
      order: numberAt(orders, row),
      turnId: wordAt(turnIds, row),
      createdAt: numberAt(createdAt, row),
      ...(speaker === '' ? {} : { speaker }),
    },
    traits: { packed: numberAt(traits, row), hashes: listAt(hashes, row) },
  };
}

function toColumns(messages: readonly MessageProperties[]): MessageColumns {
  return {
    sessionIds: packWords(messages.map(({ metadata }) => metadata.sessionId)),
    orders: packNumbers(messages.map(({ metadata }) => metadata.order)),
    turnIds: packWords(messages.map(({ metadata }) => metadata.turnId)),
    createdAt: packNumbers(messages.map(({ metadata }) => metadata.createdAt)),
    speakers: packWords(messages.map(({ metadata }) => metadata.speaker ?? '')),
    traits: packNumbers(messages.map(({ traits }) => traits.packed)),
    hashes: packLists(messages.map(({ traits }) => traits.hashes)),
  };
}

import {
  isKeywordSegment,
  joinKeywordSegments,
  toKeywordSegment,
  type KeywordSegment,
  type TermDocument,
} from './keyword-segment.ts';
import type { TextTraits } from './message-traits.ts';
import {
  arePackedNumbers,
  arePackedStrings,
  checksumOf,
  numberAt,
  packNumbers,
  packStrings,
  startOf,
  stringAt,
  type PackedNumbers,
  type PackedStrings,
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
  readonly place: MessageMetadata;
  readonly traits: TextTraits;
}

/** Metadata of messages in columns, any row of which is read without unpacking the others. */
interface MetadataColumns {
  readonly sessionIds: PackedStrings;
  /** By row: a position in `sessionIds`. */
  readonly sessions: PackedNumbers;
  readonly orders: PackedNumbers;
  readonly turnIds: PackedStrings;
  /** By row: a position in `turnIds`. */
  readonly turns: PackedNumbers;
  readonly createdAt: PackedNumbers;
  /** Names of speakers. The first is empty and stands for no name. */
  readonly speakers: PackedStrings;
  /** By row: a position in `speakers`. */
  readonly speakerOf: PackedNumbers;
  readonly checksum: number;
}

/** Traits of messages in columns, any row of which is read without unpacking the others. */
interface TraitColumns {
  readonly packed: PackedNumbers;
  readonly hashes: Uint16Array;
  /** End of each row's hashes in `hashes`, exclusive. */
  readonly hashEnds: Uint32Array;
  readonly checksum: number;
}

/** A segment of a conversation index as plain data, as it is stored. */
export interface ConversationSegment {
  readonly keywords: KeywordSegment;
  /** Metadata of the messages, in the order of `keywords`. */
  readonly places: MetadataColumns;
  /** Traits of the messages, in the same order. */
  readonly traits: TraitColumns;
}

/** Returns a segment of messages with distinct ids. */
export function toConversationSegment(
  documents: readonly (TermDocument & MessageProperties)[],
): ConversationSegment {
  return withProperties(toKeywordSegment(documents), documents);
}

/** Whether a stored value is an undamaged segment of this version. */
export function isConversationSegment(value: unknown): value is ConversationSegment {
  const { keywords, places, traits } = (value ?? {}) as Partial<ConversationSegment>;
  if (!isKeywordSegment(keywords)) return false;
  const rows = keywords.ids.length;
  return areMetadataColumns(places, rows) && areTraitColumns(traits, rows);
}

/** Merges segments, without the ids in `leftOut`. If several segments have an id, the last one wins. */
export function mergeSegments(
  segments: readonly ConversationSegment[],
  leftOut: ReadonlySet<string> = new Set(),
): ConversationSegment {
  const keywords = segments.map((segment) => segment.keywords);
  const segmentOf = new Map(keywords.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)));
  const kept: MessageProperties[] = [];
  const newRows = segments.map(({ keywords: { ids }, places, traits }, number) =>
    ids.map((id, row) => {
      if (segmentOf.get(id) !== number || leftOut.has(id)) return -1;
      return kept.push({ place: metadataAt(places, row), traits: traitsAt(traits, row) }) - 1;
    }),
  );
  return withProperties(joinKeywordSegments(keywords, newRows), kept);
}

export function metadataAt(columns: MetadataColumns, row: number): MessageMetadata {
  const speaker = stringAt(columns.speakers, numberAt(columns.speakerOf, row));
  return {
    sessionId: stringAt(columns.sessionIds, numberAt(columns.sessions, row)),
    order: numberAt(columns.orders, row),
    turnId: stringAt(columns.turnIds, numberAt(columns.turns, row)),
    createdAt: numberAt(columns.createdAt, row),
    ...(speaker === '' ? {} : { speaker }),
  };
}

export function traitsAt({ packed, hashes, hashEnds }: TraitColumns, row: number): TextTraits {
  return {
    packed: numberAt(packed, row),
    hashes: hashes.subarray(startOf(hashEnds, row), hashEnds[row]),
  };
}

function withProperties(
  keywords: KeywordSegment,
  messages: readonly MessageProperties[],
): ConversationSegment {
  return {
    keywords,
    places: toMetadataColumns(messages.map(({ place }) => place)),
    traits: toTraitColumns(messages.map(({ traits }) => traits)),
  };
}

function toMetadataColumns(places: readonly MessageMetadata[]): MetadataColumns {
  const [sessionIds, sessions] = packWords(places.map(({ sessionId }) => sessionId));
  const [turnIds, turns] = packWords(places.map(({ turnId }) => turnId));
  const [speakers, speakerOf] = packWords(
    places.map(({ speaker = '' }) => speaker),
    [''],
  );
  const orders = packNumbers(places.map(({ order }) => order));
  const createdAt = packNumbers(places.map((place) => place.createdAt));
  const columns = { sessionIds, sessions, orders, turnIds, turns, createdAt, speakers, speakerOf };
  return { ...columns, checksum: checksumOfMetadata(columns) };
}

/** Returns the distinct words, beginning with the `first`, and the position of each word among them. */
function packWords(words: readonly string[], first: readonly string[] = []): [PackedStrings, PackedNumbers] {
  const distinct = [...new Set([...first, ...words])];
  const positions = new Map(distinct.map((word, position) => [word, position]));
  return [packStrings(distinct), packNumbers(words.map((word) => positions.get(word) ?? 0))];
}

function areMetadataColumns(value: unknown, rows: number): value is MetadataColumns {
  const columns = (value ?? {}) as MetadataColumns;
  return (
    stringColumns(columns).every(arePackedStrings) &&
    numberColumns(columns).every((column) => arePackedNumbers(column, rows)) &&
    columns.checksum === checksumOfMetadata(columns)
  );
}

function checksumOfMetadata(columns: Omit<MetadataColumns, 'checksum'>): number {
  const numbers = numberColumns(columns);
  const bases = Float64Array.from(numbers, ({ base }) => base);
  return checksumOf([...stringColumns(columns), bases, ...numbers.map(({ offsets }) => offsets)]);
}

function stringColumns(columns: Omit<MetadataColumns, 'checksum'>): PackedStrings[] {
  return [columns.sessionIds, columns.turnIds, columns.speakers];
}

function numberColumns(columns: Omit<MetadataColumns, 'checksum'>): PackedNumbers[] {
  return [columns.sessions, columns.orders, columns.turns, columns.createdAt, columns.speakerOf];
}

function toTraitColumns(traits: readonly TextTraits[]): TraitColumns {
  let end = 0;
  const hashEnds = Uint32Array.from(traits, ({ hashes }) => (end += hashes.length));
  const hashes = new Uint16Array(end);
  for (const [row, each] of traits.entries()) hashes.set(each.hashes, startOf(hashEnds, row));
  const packed = packNumbers(traits.map((each) => each.packed));
  return { packed, hashes, hashEnds, checksum: checksumOf([packed, hashes, hashEnds]) };
}

function areTraitColumns(value: unknown, rows: number): value is TraitColumns {
  const { packed, hashes, hashEnds, checksum } = (value ?? {}) as Partial<TraitColumns>;
  return (
    arePackedNumbers(packed, rows) &&
    hashes instanceof Uint16Array &&
    hashEnds instanceof Uint32Array &&
    hashEnds.length === rows &&
    checksum === checksumOf([packed, hashes, hashEnds])
  );
}

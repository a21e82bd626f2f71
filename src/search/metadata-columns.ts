import { checksumOf } from './checksum.ts';
import { arePackedNumbers, numberAt, packNumbers, type PackedNumbers } from './packed-numbers.ts';
import { arePackedStrings, packStrings, stringAt, type PackedStrings } from './packed-strings.ts';

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

/** Metadata of messages in columns, any row of which is read without unpacking the others. */
export interface MetadataColumns {
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

export function toMetadataColumns(places: readonly MessageMetadata[]): MetadataColumns {
  const sessionIds = new Map<string, number>();
  const turnIds = new Map<string, number>();
  const speakers = new Map<string, number>([['', 0]]);
  const sessions = packNumbers(places.map(({ sessionId }) => positionOf(sessionId, sessionIds)));
  const turns = packNumbers(places.map(({ turnId }) => positionOf(turnId, turnIds)));
  const speakerOf = packNumbers(places.map(({ speaker = '' }) => positionOf(speaker, speakers)));
  const columns = {
    sessionIds: packStrings([...sessionIds.keys()]),
    sessions,
    orders: packNumbers(places.map(({ order }) => order)),
    turnIds: packStrings([...turnIds.keys()]),
    turns,
    createdAt: packNumbers(places.map(({ createdAt }) => createdAt)),
    speakers: packStrings([...speakers.keys()]),
    speakerOf,
  };
  return { ...columns, checksum: checksumOfColumns(columns) };
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

/** Whether a stored value is undamaged columns with this number of rows. */
export function areMetadataColumns(value: unknown, rows: number): value is MetadataColumns {
  if (typeof value !== 'object' || value === null) return false;
  const columns = value as MetadataColumns;
  const { sessions, orders, turns, createdAt, speakerOf } = columns;
  return (
    [columns.sessionIds, columns.turnIds, columns.speakers].every(arePackedStrings) &&
    [sessions, orders, turns, createdAt, speakerOf].every((column) => arePackedNumbers(column, rows)) &&
    columns.checksum === checksumOfColumns(columns)
  );
}

function checksumOfColumns(columns: Omit<MetadataColumns, 'checksum'>): number {
  const { sessionIds, turnIds, speakers } = columns;
  const strings = [sessionIds, turnIds, speakers].flatMap(({ units, ends }) => [units, ends]);
  const { sessions, orders, turns, createdAt, speakerOf } = columns;
  const numbers = [sessions, orders, turns, createdAt, speakerOf];
  const bases = Float64Array.from(numbers, ({ base }) => base);
  return checksumOf([...strings, bases, ...numbers.map(({ offsets }) => offsets)]);
}

function positionOf(text: string, positions: Map<string, number>): number {
  const known = positions.get(text) ?? positions.size;
  positions.set(text, known);
  return known;
}

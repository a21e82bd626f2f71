import type { StoredMessage } from '../../model/message.ts';
import { inReadingOrder, lastSeq } from '../../sessions/read-turns.ts';

/** Length of the new lines in one call: about 6,000 tokens, which every model accepts. */
export const MAX_STEP_CHARACTERS = 24_000;

/** The messages summarized in one step. */
export interface SummaryBatch {
  readonly messages: readonly StoredMessage[];
  /** The summary covers the session up to this `seq` after this batch and all before it. */
  readonly coversSeq: number;
}

/** Size of one step: whole turns, up to a number of characters, or until they reach a number of messages. */
export interface BatchSize {
  readonly characters: number;
  /** Once a batch has this many messages, no further turn is added. @default no limit */
  readonly messages?: number;
}

/**
 * Groups turns, in the order in which they ended, into batches of whole turns. A turn above the limit is a batch of
 * its own.
 */
export function batchTurns(
  turns: readonly StoredMessage[][],
  size: BatchSize,
  lengthOf: (turn: readonly StoredMessage[]) => number,
): SummaryBatch[] {
  const batches: { turns: StoredMessage[][]; length: number; messages: number }[] = [];
  for (const turn of turns) {
    const length = lengthOf(turn);
    const current = batches.at(-1);
    const isRoomLeft =
      current &&
      current.length + length <= size.characters &&
      current.messages < (size.messages ?? Number.POSITIVE_INFINITY);
    if (!isRoomLeft) {
      batches.push({ turns: [turn], length, messages: turn.length });
      continue;
    }
    current.turns.push(turn);
    current.length += length;
    current.messages += turn.length;
  }
  return batches.map((batch) => ({
    messages: inReadingOrder(batch.turns),
    coversSeq: Math.max(...batch.turns.map(lastSeq)),
  }));
}

/**
 * Groups the messages of turns into batches of a given number, in the order they were written. A batch can end within
 * a turn, but not between a tool call and its results.
 */
export function batchMessages(turns: readonly StoredMessage[][], step: number): SummaryBatch[] {
  const rows = turns.flat().toSorted((a, b) => a.seq - b.seq);
  const batches: StoredMessage[][] = [];
  for (const row of rows) {
    const current = batches.at(-1);
    if (current && (current.length < step || row.role === 'tool')) current.push(row);
    else batches.push([row]);
  }
  return batches.map((messages) => ({ messages, coversSeq: lastSeq(messages) }));
}

/** Splits a text into pieces of limited length, at line or word ends if possible. */
export function cutIntoPieces(text: string, characters: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > characters) {
    const piece = rest.slice(0, characters);
    const lineEnd = piece.lastIndexOf('\n') + 1;
    const wordEnd = piece.lastIndexOf(' ') + 1;
    const half = characters / 2;
    const hard = isHighSurrogate(piece.charCodeAt(characters - 1)) ? characters - 1 : characters;
    const end = lineEnd > half ? lineEnd : wordEnd > half ? wordEnd : hard;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

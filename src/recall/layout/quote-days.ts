import { dayOf } from '../../model/clock.ts';
import { quotableAsLine } from '../../language/quotable-text.ts';
import { quotedText, quoteText, quoteTurn, type QuotedTurn } from './fence.ts';

/** A part of a turn that is no longer true. */
export interface OutdatedPart {
  /** The words of that part, verbatim. */
  readonly quote: string;
  /** When it stopped being true, in milliseconds since 1970. */
  readonly since: number;
  /** True if the user does not accept it. */
  readonly isRejected?: true;
}

/** A turn that is to be quoted. */
interface QuotableTurn extends QuotedTurn {
  readonly outdated?: readonly OutdatedPart[];
}

/** What a user has stated in a turn that is not quoted itself. */
interface QuotableNote {
  readonly text: string;
  readonly sessionId?: string;
  readonly createdAt: number;
}

/** One piece of a day with its lines in the prompt. */
type DayEntry<T, N> =
  | { readonly turn: T; readonly lines: string }
  | { readonly note: N; readonly lines: string };

/** All that is quoted of one day. */
export interface QuotedDay<T, N> {
  /** The heading with the date, and the lines of each entry. */
  readonly text: string;
  readonly heading: string;
  readonly entries: readonly DayEntry<T, N>[];
}

/**
 * Quotes turns and the user's statements under one heading for each day in UTC: a date costs as many tokens as a short
 * sentence. What one speaker says in a row has one label. Everything is in chronological order, because what was said
 * later may correct what was said before.
 */
export function quoteDays<T extends QuotableTurn, N extends QuotableNote>(
  turns: readonly T[],
  notes: readonly N[],
): QuotedDay<T, N>[] {
  const placed = [
    ...turns.map((turn) => once(turn, placeOfTurn)),
    ...notes.map((note) => once(note, placeOfNote)),
  ].toSorted(byTime);
  const days = new Map<string, DayEntry<T, N>[]>();
  let heading = '';
  let speaker = '';
  for (const { day, source, isTurn, lines: quoted } of placed) {
    if (day !== heading) speaker = OWN_WORDS;
    heading = day;
    const lines: string[] = [];
    for (const line of quoted) {
      if (line.startsWith('> ')) lines.push(line);
      else if (line !== speaker) {
        lines.push(line);
        speaker = line;
      }
    }
    const text = lines.join('\n');
    const told = days.get(day) ?? [];
    days.set(day, told);
    told.push(isTurn ? { turn: source as T, lines: text } : { note: source as N, lines: text });
  }
  return [...days].map(([day, told]) => {
    const text = [day, ...told.map(({ lines }) => lines)].join('\n');
    return { heading: day, entries: told, text };
  });
}

/** Orders turns by the time at which they were said. */
export function inOrder(a: QuotableTurn, b: QuotableTurn): number {
  return compareTimes(timeOf(a), timeOf(b));
}

/** Label of the user's own words, which is left out where a day begins with them. */
const OWN_WORDS = 'user:';

interface SaidAt {
  readonly at: number;
  readonly sessionId: string;
  /** Number of the turn in its session; 0 for a note. */
  readonly turn: number;
}

/** A piece with its heading and its lines, quoted on its own. */
interface PlacedPiece extends SaidAt {
  readonly day: string;
  readonly lines: readonly string[];
  readonly text: string;
  readonly source: object;
  readonly isTurn: boolean;
}

/** What was quoted before: filling a budget lays the same pieces out again for each candidate. */
const known = new WeakMap<object, PlacedPiece>();

function once<S extends object>(source: S, place: (source: S) => PlacedPiece): PlacedPiece {
  const placed = known.get(source) ?? place(source);
  known.set(source, placed);
  return placed;
}

function timeOf({ messages: [first] }: QuotableTurn): SaidAt {
  return { at: first?.createdAt ?? 0, sessionId: first?.sessionId ?? '', turn: first?.turn ?? 0 };
}

function placeOfTurn(turn: QuotableTurn): PlacedPiece {
  const marks = outdatedOf(turn)
    .map((part) => `${noLongerTrue(part)}\n`)
    .join('');
  return pieceOf(turn, timeOf(turn), marks + quoteTurn(turn), true);
}

function placeOfNote(note: QuotableNote): PlacedPiece {
  const { createdAt, sessionId = '', text } = note;
  return pieceOf(note, { at: createdAt, sessionId, turn: 0 }, `${OWN_WORDS}\n${quoteText(text)}`, false);
}

function pieceOf(source: object, said: SaidAt, text: string, isTurn: boolean): PlacedPiece {
  return { ...said, day: `[${dayOf(said.at) ?? ''}]`, lines: text.split('\n'), text, source, isTurn };
}

/** Returns the parts that are no longer true, as far as they are quoted. */
function outdatedOf({ messages, passages, outdated = [] }: QuotableTurn): readonly OutdatedPart[] {
  if (!passages) return outdated;
  const texts = messages.map((message) => quotedText(message, passages));
  return outdated.filter(({ quote }) => texts.some((text) => text.includes(quote)));
}

/** A total order, so that the order in which the entries were chosen does not matter. */
function byTime(a: PlacedPiece, b: PlacedPiece): number {
  return compareTimes(a, b) || compare(a.text, b.text);
}

function compareTimes(a: SaidAt, b: SaidAt): number {
  return a.at - b.at || compare(a.sessionId, b.sessionId) || a.turn - b.turn;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Enough characters to recognize the quoted words; an ellipsis marks what was cut. */
const OUTDATED_CHARACTERS = 60;

/** Returns the line above a turn that says which of its words are over. */
function noLongerTrue({ quote, since, isRejected }: OutdatedPart): string {
  const cut = quote.length > OUTDATED_CHARACTERS ? `${quote.slice(0, OUTDATED_CHARACTERS)}…` : quote;
  const words = quotableAsLine(cut.toWellFormed()).replaceAll(/["[\]]/g, "'");
  return isRejected
    ? `[rejected by the user: "${words}"]`
    : `[no longer true since ${dayOf(since) ?? ''}: "${words}"]`;
}

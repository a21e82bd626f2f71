import { dayOf } from '../../model/clock.ts';
import { quotableAsLine } from '../../language/quotable-text.ts';
import { groupedBy } from '../../storage/rows.ts';
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

/** The lines of one piece of a day in the prompt. */
interface ToldLines {
  readonly lines: string;
  /** The same, with the end of the last line. */
  readonly endedLines: string;
}

/** One piece of a day with its lines in the prompt. */
type DayEntry<T, N> = ToldLines & ({ readonly turn: T } | { readonly note: N });

/** All that is quoted of one day. */
export interface QuotedDay<T, N> {
  /** The heading with the date, and the lines of each entry. */
  readonly text: string;
  readonly heading: string;
  readonly entries: readonly DayEntry<T, N>[];
}

/**
 * Quotes turns and the user's statements under one heading for each day in UTC: a date costs as many tokens as a short
 * sentence. What one speaker says in a row has one label, and a name is told once a day if nobody else in its role speaks on
 * it. Everything is in chronological order, because what was said later may correct what was said before.
 */
export function quoteDays<T extends QuotableTurn, N extends QuotableNote>(
  turns: readonly T[],
  notes: readonly N[],
): QuotedDay<T, N>[] {
  const pieces = [
    ...turns.map((turn) => once(turn, placeOfTurn)),
    ...notes.map((note) => once(note, placeOfNote)),
  ];
  return [...groupedBy(pieces, ({ day }) => day).values()]
    .toSorted(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0))
    .map((day) => quoteDay(day) as QuotedDay<T, N>);
}

/** What was quoted last of the days that begin with a piece: each candidate for a budget changes one day. */
const lastQuoted = new WeakMap<PlacedPiece, { readonly of: readonly PlacedPiece[]; readonly day: AnyDay }>();

type AnyDay = QuotedDay<object, object>;

/** Returns the same object for the same pieces. */
function quoteDay(pieces: readonly PlacedPiece[]): AnyDay {
  const [first] = pieces;
  const last = first && lastQuoted.get(first);
  if (last && last.of.length === pieces.length && last.of.every((piece, at) => piece === pieces[at]))
    return last.day;
  const shortOf = shortLabels(pieces);
  let before: Labels = { last: OWN_WORDS, named: [] };
  const entries = pieces.toSorted(byTime).map((piece) => {
    const { source, isTurn } = piece;
    const told = linesAfter(piece, before, shortOf);
    before = told.labels;
    const { lines, endedLines } = told;
    return isTurn ? { turn: source, lines, endedLines } : { note: source, lines, endedLines };
  });
  const heading = first?.day ?? '';
  const day = { heading, entries, text: [heading, ...entries.map(({ lines }) => lines)].join('\n') };
  if (first) lastQuoted.set(first, { of: pieces, day });
  return day;
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
  readonly text: string;
  readonly source: object;
  readonly isTurn: boolean;
  /** Its lines that are not quoted. */
  readonly labels: readonly string[];
  /** What is told of it behind some labels. */
  readonly told: Map<string, LabeledLines>;
}

/** The labels on a day so far. */
interface Labels {
  readonly last: string;
  /** The labels with a name that were told. */
  readonly named: readonly string[];
}

type LabeledLines = ToldLines & { readonly labels: Labels };

/** What was quoted before: filling a budget lays the same pieces out again for each candidate. */
const known = new WeakMap<object, PlacedPiece>();

function once<S extends object>(source: S, place: (source: S) => PlacedPiece): PlacedPiece {
  const placed = known.get(source) ?? place(source);
  known.set(source, placed);
  return placed;
}

/**
 * Returns the lines of a piece behind other pieces, without labels and names that are repeated.
 *
 * @param shortOf labels without their names by those with them, where the name is told once
 */
function linesAfter(
  { text, told }: PlacedPiece,
  before: Labels,
  shortOf: ReadonlyMap<string, string>,
): LabeledLines {
  const key = [before.last, ...before.named, '', ...shortOf.keys()].join('\n');
  const toldBefore = told.get(key);
  if (toldBefore) return toldBefore;
  let { last } = before;
  const named = [...before.named];
  const shown = text.split('\n').flatMap((line) => {
    if (line.startsWith(QUOTED)) return line;
    const short = shortOf.get(line) ?? line;
    const tellsName = short !== line && !named.includes(line);
    if (tellsName) named.push(line);
    const isRepeated = short === last;
    last = short;
    if (tellsName) return line;
    return isRepeated ? [] : short;
  });
  const lines = shown.join('\n');
  const result = { lines, endedLines: `${lines}\n`, labels: { last, named } };
  told.set(key, result);
  return result;
}

/** Returns, for each label whose name is the only one of its role on a day, the same without the name. */
function shortLabels(pieces: readonly PlacedPiece[]): Map<string, string> {
  const labels = pieces.flatMap((piece) => piece.labels.flatMap((label) => [SPEAKER.exec(label) ?? []]));
  const namesByRole = groupedBy(labels, ([, role = '']) => role);
  return new Map(
    labels.flatMap(([label = '', role = '', name = '', end = '']) => {
      const isOnly = namesByRole.get(role)?.every(([, , other = '']) => other === name);
      return name !== '' && isOnly ? [[label, role + end] as const] : [];
    }),
  );
}

const QUOTED = '> ';
/** The label of a speaker: role, name and end. */
const SPEAKER = /^(user|assistant|tool)( \(.*\))?((?:, imported)?:)$/u;

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
  // What the user states has no label of its own.
  const labels = isTurn ? text.split('\n').filter((line) => !line.startsWith(QUOTED)) : [];
  return { ...said, day: `[${dayOf(said.at) ?? ''}]`, text, source, isTurn, labels, told: new Map() };
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

import {
  isNone,
  joinSuffixes,
  lenientJSON,
  replyBody,
  withoutFullStop,
  withoutMarks,
} from './llm/reply-text.ts';

/** A fact as three texts. */
export interface ParsedTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** Maximum length of a subject, predicate or object. */
const MAX_PART_LENGTH = 500;
/** Longer pieces are skipped without parsing them. */
const MAX_PIECE_LENGTH = 2000;

/**
 * Returns the facts in a model's reply: `(Sam, lives in, Paris)<|>(Sam, is a, friend)`.
 *
 * Parses leniently: accepts other separators, lists, a missing bracket, quotes, commas inside names, JSON and code
 * fences. A piece that does not yield three meaningful parts is skipped; the others are kept. `NONE` in any form
 * yields no fact.
 */
export function parseTriples(text: string): ParsedTriple[] {
  const body = replyBody(text);
  const listed = fromJSON(lenientJSON(body));
  const parts = listed ?? splitReply(body).map(splitTriple);
  return parts.map(toTriple).filter((triple) => triple !== undefined);
}

/**
 * Splits a reply into pieces that may each be a fact. If some have brackets and none `<|>`, the others are treated as
 * prose.
 */
function splitReply(body: string): string[] {
  const pieces = body
    .split(/<\s*\|\s*>|\n|(?<=\))[\s,;]*(?=\()/u)
    .map((piece) => piece.trim().replace(MARKED_BRACKETS, '$2'))
    .filter((piece) => !isNone(piece));
  const hasBrackets = pieces.some((piece) => OPENING.test(piece));
  const isMarked = /<\s*\|\s*>/u.test(body);
  return hasBrackets && !isMarked ? pieces.filter((piece) => OPENING.test(piece)) : pieces;
}

/** A fact in bold or in quotes. */
const MARKED_BRACKETS = /^(\*\*|["'`])(\(.*\)|\[.*\])\1$/u;
const OPENING = /^(?:[-*•]\s+|\d{1,3}[.)]\s+)?[([]/u;

function splitTriple(piece: string): readonly string[] {
  if (piece.length > MAX_PIECE_LENGTH) return [];
  const inner = withoutFullStop(insideBrackets(piece.replace(/^(?:[-*•]|\d{1,3}[.)])\s+/u, '')).trimEnd());
  const atCommas = joinSuffixes(splitAtCommas(inner));
  // Commas were asked for. With three parts at commas, other separators belong to the names, unless one part contains
  // them all.
  const isAsked = atCommas.length === 3;
  for (const separator of ['|', '\t', /--?>|→/u, ';']) {
    const parts = inner.split(separator);
    if (parts.length !== 3) continue;
    const isTogether = separator !== ';' && atCommas.some((part) => part.split(separator).length === 3);
    if (!isAsked || isTogether) return parts;
  }
  return joinToThree(atCommas);
}

/**
 * Returns the text between the first bracket and its partner, all the rest if it is not closed, or all if there is
 * none.
 */
function insideBrackets(text: string): string {
  if (!/^[([]/u.test(text)) return text.replace(/[\s,;]+$/u, '');
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '(' || character === '[') depth++;
    if (character === ')' || character === ']') depth--;
    if (depth === 0) return text.slice(1, index);
  }
  return text.slice(1).replace(/[\s.,;]+$/u, '');
}

/** Splits at commas outside of quotes. */
function splitAtCommas(text: string): string[] {
  const hasPairs = (text.split('"').length - 1) % 2 === 0;
  const parts = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = hasPairs && !isQuoted;
    if (character === ',' && !isQuoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Merges more than three parts into three: finds the predicate and joins the parts on either side of it. */
function joinToThree(parts: readonly string[]): readonly string[] {
  if (parts.length <= 3) return parts;
  const inner = parts.slice(1, -1);
  const scores = inner.map(likenessToPredicate);
  const at = scores.indexOf(Math.max(...scores)) + 1;
  return [parts.slice(0, at).join(','), parts[at] ?? '', parts.slice(at + 1).join(',')];
}

function likenessToPredicate(part: string): number {
  const words = part.trim();
  if (
    /^(?:is|are|am|was|were|be|has|have|had|does|do|did|can|will|likes?|lives?|works?|owns?)\b/iu.test(words)
  ) {
    return 3;
  }
  if (/^\p{Ll}+s\b/u.test(words)) return 2;
  return /^\p{Ll}/u.test(words) ? 1 : 0;
}

function fromJSON(value: unknown): (readonly string[])[] | undefined {
  if (isRecord(value)) {
    const list = Object.values(value).find(Array.isArray);
    return list ? fromJSON(list) : fromJSON([value]);
  }
  if (!Array.isArray(value)) return undefined;
  const entries: readonly unknown[] = value;
  // A single fact that was not wrapped in a list.
  if (entries.length === 3 && entries.every((entry) => typeof entry === 'string' && !OPENING.test(entry))) {
    return [partsOfEntry(entries)];
  }
  return entries.map(partsOfEntry);
}

const FIELD_NAMES = [
  ['subject', 'head', 's'],
  ['predicate', 'relation', 'p'],
  ['object', 'tail', 'object_', 'o'],
];

function partsOfEntry(entry: unknown): readonly string[] {
  if (typeof entry === 'string') return splitTriple(entry);
  const parts: readonly unknown[] = isRecord(entry)
    ? FIELD_NAMES.map((names) => names.map((name) => entry[name]).find((part) => part !== undefined))
    : Array.isArray(entry)
      ? entry
      : [];
  return parts.every((part) => typeof part === 'string' && part.length <= MAX_PIECE_LENGTH)
    ? (parts as readonly string[])
    : [];
}

function toTriple(parts: readonly string[]): ParsedTriple | undefined {
  const [subject = '', predicate = '', object = '', ...more] = parts.map((part) =>
    withoutMarks(part.toWellFormed()),
  );
  const all = [subject, predicate, object];
  const isSound = all.every((part) => /[\p{L}\p{N}\p{S}]/u.test(part) && part.length <= MAX_PART_LENGTH);
  if (!isSound || more.length > 0 || all.every(isNone)) return undefined;
  return { subject, predicate, object };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isRecord } from '../model/is-record.ts';
import {
  isNone,
  joinSuffixes,
  lenientJSON,
  LIST_MARK,
  replyBody,
  withoutFullStop,
  withoutMarks,
} from './llm/reply-text.ts';

/** Longer parts are not treated as names. */
const MAX_NAME_LENGTH = 300;
/** Maximum length of a subject, predicate or object. */
const MAX_PART_LENGTH = 500;
/** Longer pieces are skipped without parsing them. */
const MAX_PIECE_LENGTH = 2000;

/**
 * Returns the names in a model's reply when it was asked which entities a text mentions. The names can be separated by
 * commas, semicolons or line breaks, or be a JSON list. Skips `NONE` in any form, empty names and duplicates; of
 * spellings that differ only in case, the first is kept. Only the first 200,000 characters of a reply are read.
 *
 * @example
 * parseEntities('Sam, Acme, Inc.\nsam'); // ['Sam', 'Acme, Inc.']
 */
export function parseEntities(text: string): string[] {
  const names = new Map<string, string>();
  for (const part of listedParts(replyBody(text))) {
    if (part.length > MAX_NAME_LENGTH) continue;
    const name = withoutFullStop(withoutMarks(part.trim().replace(LIST_MARK, '')));
    const key = name.toLowerCase();
    if (!isNone(name) && !names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}

function listedParts(body: string): string[] {
  const list = listIn(lenientJSON(body));
  if (list) {
    const names = list.map((entry) => (isRecord(entry) ? entry['name'] : entry));
    return names.filter((entry) => typeof entry === 'string');
  }
  const bare = body.replace(/^\[/u, '').replace(/\]$/u, '').replace(WHOLLY_WRAPPED, '$1$2$3$4');
  return bare.split(/[\n;]/u).flatMap((line) => joinSuffixes(line.split(',')));
}

/** A complete list in brackets, quotes or bold. */
const WHOLLY_WRAPPED = /^(?:\(([^()]*)\)|'([^']*)'|“([^“”]*)”|\*\*((?:(?!\*\*)[\s\S])*)\*\*)$/u;

/** Returns a JSON list, or the first one in an object. */
function listIn(value: unknown): readonly unknown[] | undefined {
  const list = isRecord(value) ? Object.values(value).find(Array.isArray) : value;
  return Array.isArray(list) ? list : undefined;
}

/** A fact as three texts. */
export interface ParsedTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/**
 * Returns the facts in a model's reply: `(Sam, lives in, Paris)<|>(Sam, is a, friend)`.
 *
 * Parses leniently: accepts other separators, lists, a missing bracket, quotes, commas inside names, JSON and code
 * fences. A piece without three meaningful parts is skipped; the others are kept. `NONE` in any form yields no fact.
 * Only the first 200,000 characters of a reply are read.
 */
export function parseTriples(text: string): ParsedTriple[] {
  const body = replyBody(text);
  const parts = fromJSON(lenientJSON(body)) ?? splitReply(body).map(splitTriple);
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
  const bracketed = pieces.filter((piece) => OPENING.test(piece));
  return bracketed.length > 0 && !/<\s*\|\s*>/u.test(body) ? bracketed : pieces;
}

/** A fact in bold or in quotes. */
const MARKED_BRACKETS = /^(\*\*|["'`])(\(.*\)|\[.*\])\1$/u;
const OPENING = /^(?:[-*•]\s+|\d{1,3}[.)]\s+)?[([]/u;

function splitTriple(piece: string): readonly string[] {
  if (piece.length > MAX_PIECE_LENGTH) return [];
  const inner = withoutFullStop(insideBrackets(piece.replace(LIST_MARK, '')).trimEnd());
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
  for (const { 0: bracket, index } of text.matchAll(/[()[\]]/gu)) {
    depth += '(['.includes(bracket) ? 1 : -1;
    if (depth === 0) return text.slice(1, index);
  }
  return text.slice(1).replace(/[\s.,;]+$/u, '');
}

/** Splits at commas outside of quotes. */
function splitAtCommas(text: string): string[] {
  const hasPairs = text.split('"').length % 2 === 1;
  return text.split(hasPairs ? /,(?=(?:[^"]*"[^"]*")*[^"]*$)/u : ',');
}

/** Merges more than three parts into three: finds the predicate and joins the parts on either side of it. */
function joinToThree(parts: readonly string[]): readonly string[] {
  if (parts.length <= 3) return parts;
  const scores = parts.slice(1, -1).map(likenessToPredicate);
  const at = scores.indexOf(Math.max(...scores)) + 1;
  return [parts.slice(0, at).join(','), parts[at] ?? '', parts.slice(at + 1).join(',')];
}

const COMMON_VERB =
  /^(?:is|are|am|was|were|be|has|have|had|does|do|did|can|will|likes?|lives?|works?|owns?)\b/iu;

function likenessToPredicate(part: string): number {
  const words = part.trim();
  if (COMMON_VERB.test(words)) return 3;
  if (/^\p{Ll}+s\b/u.test(words)) return 2;
  return /^\p{Ll}/u.test(words) ? 1 : 0;
}

function fromJSON(value: unknown): (readonly string[])[] | undefined {
  const entries = listIn(value) ?? (isRecord(value) ? [value] : undefined);
  // A single fact that was not wrapped in a list.
  const isFact =
    entries?.length === 3 && entries.every((entry) => typeof entry === 'string' && !OPENING.test(entry));
  return (isFact ? [entries] : entries)?.map(partsOfEntry);
}

const FIELD_NAMES = ['subject head s', 'predicate relation p', 'object tail object_ o'];

function partsOfEntry(entry: unknown): readonly string[] {
  if (typeof entry === 'string') return splitTriple(entry);
  const fieldOf = (name: string): unknown => (isRecord(entry) ? entry[name] : undefined);
  const parts: readonly unknown[] = Array.isArray(entry)
    ? entry
    : FIELD_NAMES.map((names) =>
        names
          .split(' ')
          .map(fieldOf)
          .find((part) => part !== undefined),
      );
  const isText = (part: unknown): part is string =>
    typeof part === 'string' && part.length <= MAX_PIECE_LENGTH;
  return parts.every(isText) ? parts : [];
}

function toTriple(given: readonly string[]): ParsedTriple | undefined {
  const parts = given.map((part) => withoutMarks(part.toWellFormed()));
  const [subject = '', predicate = '', object = '', ...more] = parts;
  const all = [subject, predicate, object];
  const isSound = all.every((part) => /[\p{L}\p{N}\p{S}]/u.test(part) && part.length <= MAX_PART_LENGTH);
  if (!isSound || more.length > 0 || all.every(isNone)) return undefined;
  return { subject, predicate, object };
}

import { isRecord } from '../../model/is-record.ts';
import { parseTriples } from '../parse-replies.ts';
import { jsonParts, lenientJSON } from './reply-text.ts';

/** The raw items in a structured reply, not yet validated. */
export interface ReplyItems {
  readonly entities: unknown[];
  readonly facts: unknown[];
  /**
   * Whether the reply was not structured as requested, so that facts can only be matched to messages by their words.
   */
  readonly isProse: boolean;
  /** Number of parts that are neither entities nor facts. */
  unreadable: number;
}

/**
 * Fields of an object. Names are in lower case without separators, so that `message_id` and `messageId` are the same.
 */
export type Fields = ReadonlyMap<string, unknown>;

/**
 * Sorts the parts of a reply into entities and facts. Accepts one or several JSON values with any list names, the
 * complete objects of broken JSON, and, in a reply without JSON, triples in brackets or lines.
 */
export function replyItems(body: string): ReplyItems {
  const found: Found = { entities: [], facts: [], unreadable: 0, isList: false };
  let hasBroken = false;
  for (const { value, unread, isCut } of jsonParts(body)) {
    if (isCut) found.unreadable += 1;
    if (value !== undefined && !isReferences(value)) collect(value, found, 0);
    if (unread !== '') collectPieces(unread, found, true);
    hasBroken ||= unread !== '';
  }
  // What was read already is not read again, except for facts that were nested too deeply.
  if (found.facts.length === 0 && !hasBroken) collectPieces(body, found, found.entities.length === 0);
  if (found.isList || found.facts.length + found.entities.length > 0) return { ...found, isProse: false };
  if (LOOKS_LIKE_CODE.test(body)) return { ...found, unreadable: 1, isProse: false };
  const facts = parseTriples(body);
  const isMarked = /[([]|<\s*\|\s*>/u.test(body);
  return { entities: [], facts, isProse: !isMarked, unreadable: facts.length === 0 ? 1 : 0 };
}

export function fieldsOf(value: unknown): Fields {
  const named = Object.entries(isRecord(value) ? value : {});
  return new Map(named.map(([name, field]) => [name.toLowerCase().replaceAll(/[\s_-]/gu, ''), field]));
}

/** Returns the first of these fields that has a value. Their names are separated by spaces. */
export function firstOf(fields: Fields, names: string): unknown {
  const values = names.split(' ').map((name) => fields.get(name));
  return values.find((field) => field !== undefined && field !== null && field !== '');
}

/** Returns the items of a list, or a single item that was not wrapped in one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Names of the fields with the subject, the predicate and the object of a fact. */
export const TRIPLE_FIELDS: readonly string[] = [
  'subject head s source from',
  'predicate relation relationship p verb type label',
  'object tail o target to value',
];
export const NAME_FIELDS = 'name entity title';
const FACT_LISTS = 'facts triples triplets relations relationships statements edges knowledge memories';
const ENTITY_LISTS = 'entities mentions names nodes';
/** Accepts up to this many levels of nesting. */
const MAX_DEPTH = 3;
/** Maximum number of broken pieces; the rest is not read. */
const MAX_BROKEN = 1000;
const LOOKS_LIKE_CODE = /^<[!/?a-z]|[[{]\s*["'{[]|":/iu;

interface Found extends Omit<ReplyItems, 'isProse'> {
  /** Whether there was a list of entities or facts, even an empty one. */
  isList: boolean;
}

function collect(value: unknown, found: Found, depth: number): void {
  if (Array.isArray(value)) {
    found.isList ||= value.length === 0;
    if (isTripleList(value)) found.facts.push(value);
    else for (const entry of value as unknown[]) collectEntry(entry, found, depth + 1);
    return;
  }
  const fields = fieldsOf(value);
  const facts = firstOf(fields, FACT_LISTS);
  const entities = firstOf(fields, ENTITY_LISTS);
  if (facts === undefined && entities === undefined) return collectEntry(value, found, depth);
  found.isList = true;
  // Loops rather than spread, because there may be more items than a call can take as arguments.
  for (const fact of isTripleList(facts) ? [facts] : listOf(facts)) found.facts.push(fact);
  const listed = isRecord(entities) ? entriesByName(entities) : listOf(entities);
  for (const entity of listed) found.entities.push(entity);
}

function collectEntry(entry: unknown, found: Found, depth: number): void {
  if (typeof entry === 'string' || isTripleList(entry)) {
    found.facts.push(entry);
    return;
  }
  const fields = fieldsOf(entry);
  const isContainer = `${FACT_LISTS} ${ENTITY_LISTS}`.split(' ').some((name) => fields.has(name));
  if (isFact(fields)) found.facts.push(entry);
  else if (isEntity(fields) && !isContainer) found.entities.push(entry);
  else if (typeof entry === 'object' && entry !== null && depth < MAX_DEPTH) {
    if (Array.isArray(entry) || isContainer) collect(entry, found, depth + 1);
    else {
      const inner = Object.values(entry).filter((field) => typeof field === 'object' && field !== null);
      for (const field of inner) collect(field, found, depth + 1);
    }
  } else found.unreadable += 1;
}

/**
 * Parses each innermost object of a text by itself, and each innermost list outside of them, so that a broken one does
 * not affect the others. Those that are broken are counted.
 */
function collectPieces(text: string, found: Found, withEntities: boolean): void {
  // A list after a colon is a field. The lookbehind stands after the bracket, so that it is tried at brackets only.
  for (const [piece] of text.matchAll(/\{[^{}]*\}|\[(?<!:\s*\[)[^[\]{}]*\]/gu)) {
    if (found.unreadable > MAX_BROKEN) return;
    const value = lenientJSON(piece) ?? (piece.includes('"') ? undefined : lenientJSON(quoted(piece)));
    const fields = fieldsOf(value);
    if (isFact(fields) || isTripleList(value)) found.facts.push(value);
    else if (isEntity(fields) && withEntities) found.entities.push(value);
    else if (value === undefined && /[[{,]\s*\[/u.test(piece))
      collectPieces(piece.slice(1, -1), found, false);
    else if (value === undefined && /["']\s*[,:]/u.test(piece)) found.unreadable += 1;
  }
}

/** Converts Python's notation of an object into JSON. */
function quoted(piece: string): string {
  // The lookbehind stands after the quote, so that it is not tried at every space of a long run.
  return piece.replaceAll(/'(?<=[{[,:]\s*')|'(?=\s*[}\],:])/gu, '"');
}

function isFact(fields: Fields): boolean {
  return TRIPLE_FIELDS.every((names) => firstOf(fields, names) !== undefined);
}

function isEntity(fields: Fields): boolean {
  return typeof firstOf(fields, NAME_FIELDS) === 'string';
}

/**
 * Whether a value is like `["Sam", "likes", "tea"]`, optionally with a message as fourth part; not a list of
 * bracketed triples.
 */
function isTripleList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 3 || value.length > 4) return false;
  const parts: readonly unknown[] = value.slice(0, 3);
  return parts.every((part) => typeof part === 'string' && !/^\s*[([]|,.*,|[.!?]$/u.test(part));
}

/** Whether a value is a list of messages or known facts, like `["m1", "f2"]`, as in "Based on …". */
function isReferences(value: unknown): boolean {
  const isReference = (part: unknown): boolean => typeof part === 'string' && /^[a-z]\d{1,4}$/iu.test(part);
  return Array.isArray(value) && value.length > 0 && value.every(isReference);
}

/** Converts `{"Sam": "a friend"}` into a list. */
function entriesByName(entities: Readonly<Record<string, unknown>>): unknown[] {
  if (isEntity(fieldsOf(entities))) return [entities];
  return Object.entries(entities).map(([name, value]) =>
    typeof value === 'string' ? { name, note: value } : isRecord(value) ? { ...value, name } : { name },
  );
}

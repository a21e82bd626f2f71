import { parseTriples } from '../parse-triples.ts';
import { lenientJSON } from './reply-text.ts';

/** The raw items in a structured reply, not yet validated. */
export interface ReplyItems {
  readonly entities: readonly unknown[];
  readonly facts: readonly unknown[];
  /**
   * Whether the reply was not structured as requested, so that facts can only be matched to messages by their words.
   */
  readonly isProse: boolean;
  /** Number of parts that are neither entities nor facts. */
  readonly unreadable: number;
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
  const value = lenientJSON(body);
  if (value !== undefined) collect(value, found, 0);
  if (isCut(body)) found.unreadable += 1;
  if (found.facts.length === 0) collectPieces(body, found);
  if (found.isList || found.facts.length + found.entities.length > 0) return { ...found, isProse: false };
  if (LOOKS_LIKE_CODE.test(body)) return { ...found, unreadable: 1, isProse: false };
  const facts = parseTriples(body);
  const isMarked = /[([]|<\s*\|\s*>/u.test(body);
  return { entities: [], facts, isProse: !isMarked, unreadable: facts.length === 0 ? 1 : 0 };
}

/** Whether a reply ends in the middle of its JSON, so that the rest is lost. */
function isCut(body: string): boolean {
  const start = body.search(/[[{]\s*["[{]/u);
  if (start < 0) return false;
  let depth = 0;
  let isQuoted = false;
  for (let index = start; index < body.length; index++) {
    const character = body.charAt(index);
    if (isQuoted) {
      if (character === '\\') index++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth === 0) return false;
  }
  return true;
}

export function fieldsOf(value: unknown): Fields {
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value).map(([name, field]) => [name.toLowerCase().replaceAll(/[\s_-]/gu, ''), field]),
  );
}

/** Returns the first of these fields that has a value. */
export function firstOf(fields: Fields, names: readonly string[]): unknown {
  const name = names.find((candidate) => {
    const field = fields.get(candidate);
    return field !== undefined && field !== null && field !== '';
  });
  return name === undefined ? undefined : fields.get(name);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const SUBJECT_FIELDS: readonly string[] = ['subject', 'head', 's', 'source', 'from'];
export const PREDICATE_FIELDS: readonly string[] = [
  'predicate',
  'relation',
  'relationship',
  'p',
  'verb',
  'type',
  'label',
];
export const OBJECT_FIELDS: readonly string[] = ['object', 'tail', 'o', 'target', 'to', 'value'];
export const NAME_FIELDS: readonly string[] = ['name', 'entity', 'title'];

interface Found {
  readonly entities: unknown[];
  readonly facts: unknown[];
  unreadable: number;
  /** Whether there was a list of entities or facts, even an empty one. */
  isList: boolean;
}

const FACT_LISTS = [
  'facts',
  'triples',
  'triplets',
  'relations',
  'relationships',
  'statements',
  'edges',
  'knowledge',
  'memories',
];
const ENTITY_LISTS = ['entities', 'mentions', 'names', 'nodes'];
/** Accepts up to this many levels of nesting. */
const MAX_DEPTH = 3;
const LOOKS_LIKE_CODE = /^<[!/?a-z]|[[{]\s*["'{[]|":/iu;

function collect(value: unknown, found: Found, depth: number): void {
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    found.isList ||= entries.length === 0;
    if (isTripleList(entries)) found.facts.push(entries);
    else for (const entry of entries) collectEntry(entry, found, depth + 1);
    return;
  }
  const fields = fieldsOf(value);
  const facts = firstOf(fields, FACT_LISTS);
  const entities = firstOf(fields, ENTITY_LISTS);
  if (facts === undefined && entities === undefined) {
    collectEntry(value, found, depth);
    return;
  }
  found.isList = true;
  const triples: readonly unknown[] = isTripleList(facts) ? [facts] : listOf(facts);
  // A loop rather than spread, because there may be more items than a call can take as arguments.
  for (const fact of triples) found.facts.push(fact);
  for (const entity of isRecord(entities) ? entriesByName(entities) : listOf(entities)) {
    found.entities.push(entity);
  }
}

function collectEntry(entry: unknown, found: Found, depth: number): void {
  if (typeof entry === 'string' || isTripleList(entry)) {
    found.facts.push(entry);
    return;
  }
  const fields = fieldsOf(entry);
  const isContainer = [...FACT_LISTS, ...ENTITY_LISTS].some((name) => fields.has(name));
  if (isFact(fields)) found.facts.push(entry);
  else if (isEntity(fields) && !isContainer) found.entities.push(entry);
  else if (typeof entry === 'object' && entry !== null && depth < MAX_DEPTH) {
    if (Array.isArray(entry) || isContainer) collect(entry, found, depth + 1);
    else for (const inner of Object.values(entry).filter(isObject)) collect(inner, found, depth + 1);
  } else found.unreadable += 1;
}

/** Parses each innermost object of a text by itself, so that a broken one does not affect the others. */
function collectPieces(body: string, found: Found): void {
  const hadEntities = found.entities.length > 0;
  for (const [piece] of body.matchAll(/\{[^{}]*\}/gu)) {
    const value = lenientJSON(piece) ?? (piece.includes('"') ? undefined : lenientJSON(quoted(piece)));
    const fields = fieldsOf(value);
    if (isFact(fields)) found.facts.push(value);
    else if (isEntity(fields) && !hadEntities) found.entities.push(value);
  }
}

/** Converts Python's notation of an object into JSON. */
function quoted(piece: string): string {
  return piece.replaceAll(/(?<=[{[,:]\s*)'|'(?=\s*[}\],:])/gu, '"');
}

function isFact(fields: Fields): boolean {
  return [SUBJECT_FIELDS, PREDICATE_FIELDS, OBJECT_FIELDS].every(
    (names) => firstOf(fields, names) !== undefined,
  );
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

/** Converts `{"Sam": "a friend"}` into a list. */
function entriesByName(entities: Readonly<Record<string, unknown>>): unknown[] {
  if (isEntity(fieldsOf(entities))) return [entities];
  return Object.entries(entities).map(([name, value]) =>
    typeof value === 'string' ? { name, note: value } : isRecord(value) ? { ...value, name } : { name },
  );
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

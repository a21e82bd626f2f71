import { nameKey } from '../../graph/entity-name.ts';
import { cleanReply, isUnchanged, replyProse } from './clean-reply.ts';
import { fieldsOf, firstOf, isRecord, NAME_FIELDS } from './reply-items.ts';
import { isNone, lenientJSON, replyBody } from './reply-text.ts';

/** An entity whose summary the model was asked to update. */
export interface AskedEntity {
  readonly name: string;
  readonly summary: string;
}

/**
 * Returns the new summaries in a model's reply, by the names that were asked for. Unchanged ones are left out.
 * Undefined if the reply cannot be parsed.
 *
 * Parses leniently: accepts a list, an object from names to summaries, `Name: summary` lines and, if a single entity
 * was asked for, plain text.
 */
export function readUpdates(
  reply: string,
  entities: readonly AskedEntity[],
): ReadonlyMap<string, string> | undefined {
  const asked = new Map(entities.map((entity) => [nameKey(entity.name), entity]));
  const cleaned = cleanReply(reply);
  const body = replyBody(cleaned);
  if (cleaned === '') return undefined;
  if (isNone(body) || isUnchanged(body)) return new Map();
  const found: [name: string, text: string][] = [];
  const value = lenientJSON(body);
  const isReadable = value === undefined ? findLines(body, asked, found) : findPairs(value, asked, found, 0);
  if (!isReadable) {
    const [only, ...others] = entities;
    const prose = replyProse(cleaned);
    if (value !== undefined || !only || others.length > 0 || prose === undefined) return undefined;
    found.push([only.name, prose]);
  }
  const updates = new Map<string, string>();
  for (const [name, text] of found) {
    const entity = asked.get(nameKey(name));
    const summary = text.trim();
    if (!entity || isNone(summary) || isUnchanged(summary) || summary === entity.summary.trim()) continue;
    updates.set(entity.name, summary);
  }
  return updates;
}

type Asked = ReadonlyMap<string, AskedEntity>;

const TEXT_FIELDS = ['summary', 'note', 'text', 'description', 'update', 'newsummary', 'newnote', 'value'];
/** Accepts up to this many levels of nesting. */
const MAX_DEPTH = 4;

/** Whether the value has the form of updates, even if it contains none. */
function findPairs(value: unknown, asked: Asked, found: [string, string][], depth: number): boolean {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return (
      entries.length === 0 || entries.map((entry) => findPairs(entry, asked, found, depth + 1)).includes(true)
    );
  }
  const fields = fieldsOf(value);
  const name = firstOf(fields, NAME_FIELDS);
  if (typeof name === 'string') {
    const text = firstOf(fields, TEXT_FIELDS);
    if (typeof text === 'string') found.push([name, text]);
    return true;
  }
  const entries = Object.entries(value);
  return entries
    .map(([key, inner]: [string, unknown]) => {
      if (!asked.has(nameKey(key))) return findPairs(inner, asked, found, depth + 1);
      const text = isRecord(inner) ? firstOf(fieldsOf(inner), TEXT_FIELDS) : inner;
      if (typeof text === 'string') found.push([key, text]);
      return true;
    })
    .includes(true);
}

function findLines(body: string, asked: Asked, found: [string, string][]): boolean {
  for (const line of body.split('\n')) {
    const [, name = '', text = ''] = LINE.exec(line.slice(0, 10_000)) ?? [];
    if (asked.has(nameKey(name))) found.push([name, text]);
  }
  return found.length > 0;
}

const LINE = /^(?:[-*•]\s+|\d{1,3}[.)]\s+)?[*"]*([^:*"]{1,300})[*"]*\s*:\s*[*"]*(.*?)"?$/u;

import { nameKey } from '../../graph/entity-name.ts';
import { isRecord } from '../../model/is-record.ts';
import type { KnownEntity } from '../extractor.ts';
import { fieldsOf, firstOf, NAME_FIELDS } from './reply-items.ts';
import { cleanReply, isNone, isUnchanged, lenientJSON, replyBody, replyProse } from './reply-text.ts';

/** An entity whose summary the model was asked to update. */
export type AskedEntity = Pick<KnownEntity, 'name' | 'summary'>;

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
  if (cleaned === '') return undefined;
  const body = replyBody(cleaned);
  if (isNone(body) || isUnchanged(body)) return new Map();
  const value = lenientJSON(body);
  let found = value === undefined ? linesIn(body, asked) : pairsIn(value, asked, 0);
  if (!found) {
    const [only, ...others] = entities;
    const prose = replyProse(cleaned);
    if (value !== undefined || !only || others.length > 0 || prose === undefined) return undefined;
    found = [[only.name, prose]];
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
/** Names with their texts. */
type Found = readonly (readonly [name: string, text: string])[];

const TEXT_FIELDS = 'summary note text description update newsummary newnote value';
/** Accepts up to this many levels of nesting. */
const MAX_DEPTH = 4;

/** Returns undefined if the value does not have the form of updates. */
function pairsIn(value: unknown, asked: Asked, depth: number): Found | undefined {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return undefined;
  const pairOf = (name: string, text: unknown): Found => (typeof text === 'string' ? [[name, text]] : []);
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return entries.length === 0 ? [] : joined(entries.map((entry) => pairsIn(entry, asked, depth + 1)));
  }
  const fields = fieldsOf(value);
  const name = firstOf(fields, NAME_FIELDS);
  if (typeof name === 'string') return pairOf(name, firstOf(fields, TEXT_FIELDS));
  return joined(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      if (!asked.has(nameKey(key))) return pairsIn(inner, asked, depth + 1);
      return pairOf(key, isRecord(inner) ? firstOf(fieldsOf(inner), TEXT_FIELDS) : inner);
    }),
  );
}

function joined(parts: readonly (Found | undefined)[]): Found | undefined {
  return parts.every((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function linesIn(body: string, asked: Asked): Found | undefined {
  const found = body.split('\n').flatMap((line): Found => {
    const [, name = '', text = ''] = LINE.exec(line.slice(0, 10_000)) ?? [];
    return asked.has(nameKey(name)) ? [[name, text]] : [];
  });
  return found.length > 0 ? found : undefined;
}

const LINE = /^(?:[-*•]\s+|\d{1,3}[.)]\s+)?[*"]*([^:*"]{1,300})[*"]*\s*:\s*[*"]*(.*?)"?$/u;

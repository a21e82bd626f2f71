import { bareName, isNone, joinSuffixes, lenientJSON, replyBody, withoutFullStop } from './llm/reply-text.ts';

/** Longer parts are not treated as names. */
const MAX_NAME_LENGTH = 300;

/**
 * Returns the names in a model's reply to the question which entities a text mentions. The names can be separated by
 * commas, semicolons or line breaks, or be a JSON list. Skips `NONE` in any form, empty names and repetitions; of
 * spellings that differ only in case, keeps the first.
 *
 * @example
 * parseEntities('Sam, Acme, Inc.\nsam'); // ['Sam', 'Acme, Inc.']
 */
export function parseEntities(text: string): string[] {
  const body = replyBody(text);
  const names = new Map<string, string>();
  for (const part of listedParts(body)) {
    if (part.length > MAX_NAME_LENGTH) continue;
    const name = withoutFullStop(bareName(part));
    if (isNone(name)) continue;
    const key = name.toLowerCase();
    if (!names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}

function listedParts(body: string): string[] {
  const value = lenientJSON(body);
  const list = isRecord(value) ? Object.values(value).find(Array.isArray) : value;
  if (Array.isArray(list)) {
    return list
      .map((entry: unknown) => (isRecord(entry) ? entry['name'] : entry))
      .filter((entry) => typeof entry === 'string');
  }
  const bare = body.replace(/^\[/u, '').replace(/\]$/u, '').replace(WHOLLY_WRAPPED, '$1$2$3$4');
  return bare.split(/[\n;]/u).flatMap((line) => joinSuffixes(line.split(',')));
}

/** A complete list in brackets, quotes or bold. */
const WHOLLY_WRAPPED = /^(?:\(([^()]*)\)|'([^']*)'|“([^“”]*)”|\*\*((?:(?!\*\*)[\s\S])*)\*\*)$/u;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

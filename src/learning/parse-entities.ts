import { bareName, isNone, joinSuffixes, lenientJSON, replyBody, withoutFullStop } from './llm/reply-text.ts';

/** What is longer is no name. */
const MAX_NAME_LENGTH = 300;

/**
 * The names in a model's reply to the question which entities a text is about: separated by commas, semicolons or
 * line breaks, or a JSON list. `NONE` in any form, empty names and repetitions are left out; of spellings that differ
 * in case only, the first stays.
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

/** The whole list in brackets or quotes. */
const WHOLLY_WRAPPED = /^(?:\(([^()]*)\)|'([^']*)'|“([^“”]*)”|\*\*((?:(?!\*\*)[\s\S])*)\*\*)$/u;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

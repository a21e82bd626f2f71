import type { JsonValue } from '../../index.ts';
import { hasQuote, REPLY_OF_MEMORY } from '../../model/memory-quote.ts';

/**
 * Whether a value is the result of a memory tool: it has the origin `memory`, or is text inside a fence. A stored copy
 * of it would survive when the quoted messages are forgotten.
 */
export function isFromMemory(result: unknown, text: string): boolean {
  return (Object(result) as { origin?: unknown }).origin === 'memory' || hasQuote(text);
}

/**
 * Returns messages of a page without fenced text in the results and errors of their tools. References, such as those of
 * `search_memory`, stay.
 */
export function withoutQuotes(value: JsonValue): JsonValue {
  return mapFields(value, (field, inner, parent) => {
    if (!RESULTS.has(field) || !isToolPart(parent)) return withoutQuotes(inner);
    return hasQuote(JSON.stringify(inner)) ? withoutTexts(inner) : inner;
  });
}

/** Fields of a tool part that hold what the tool returned. */
const RESULTS: ReadonlySet<string> = new Set(['output', 'result', 'errorText', 'artifact']);

/** Replaces all texts of a result, and keeps its shape: a quote can be in several pieces, of which not all have a mark. */
function withoutTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return REPLY_OF_MEMORY;
  if (typeof value === 'object' && hasQuote(Object.keys(value ?? {}).join('\n'))) return REPLY_OF_MEMORY;
  return mapFields(value, (field, inner) => (field === 'type' ? inner : withoutTexts(inner)));
}

function isToolPart({ type }: JsonObject): boolean {
  return typeof type === 'string' && /^(?:tool-|dynamic-tool)/u.test(type);
}

type JsonObject = { readonly [name: string]: JsonValue };

function mapFields(
  value: JsonValue,
  map: (field: string, inner: JsonValue, parent: JsonObject) => JsonValue,
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => map('', inner, {}));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, map(name, inner, value as JsonObject)]),
  );
}

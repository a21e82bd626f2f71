import type { JsonValue } from '../../index.ts';

/** Stored in place of the result of a memory tool, which the memory already contains. */
export const REPLY_OF_MEMORY = 'A reply of the memory, which is not repeated here.';

const FENCE = /<memory-[\da-f]{24}>/u;

/**
 * Whether a value is the result of a memory tool: it has the origin `memory`, or is text inside a fence. A stored copy
 * of it would survive when the quoted messages are forgotten.
 */
export function isFromMemory(result: unknown, text: string): boolean {
  return (Object(result) as { origin?: unknown }).origin === 'memory' || FENCE.test(text);
}

/**
 * Returns messages of a page without fenced text in the results of their tools. References, such as those of
 * `search_memory`, stay.
 */
export function withoutQuotes(value: JsonValue): JsonValue {
  return mapFields(value, (field, inner, parent) => {
    const isResult = (field === 'output' || field === 'result') && isToolPart(parent);
    return isResult ? withoutFenced(inner) : withoutQuotes(inner);
  });
}

function withoutFenced(value: JsonValue): JsonValue {
  if (typeof value === 'string') return FENCE.test(value) ? REPLY_OF_MEMORY : value;
  return mapFields(value, (_field, inner) => withoutFenced(inner));
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

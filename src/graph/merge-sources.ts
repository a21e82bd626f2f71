import type { CheckedTriple } from './check-triple.ts';
import type { TripleRecord } from './triple.ts';

/** A fact that was said again: with the sources and attributes of both, and the person's word above all. */
export function mergeSources(record: TripleRecord, again: CheckedTriple): TripleRecord {
  const key = (source: { messageId: string; quote?: string }): string =>
    JSON.stringify([source.messageId, source.quote]);
  const sources = new Map([...record.sources, ...again.sources].map((source) => [key(source), source]));
  return {
    ...record,
    sources: [...sources.values()],
    source: again.source === 'user' ? 'user' : record.source,
    attributes: { ...record.attributes, ...again.attributes },
  };
}

/** The fact without a message; the same one where it did not come from it, undefined where it came from it alone. */
export function withoutSource(record: TripleRecord, messageId: string): TripleRecord | undefined {
  const sources = record.sources.filter((source) => source.messageId !== messageId);
  if (sources.length === record.sources.length) return record;
  return sources.length === 0 && record.source === 'extracted' ? undefined : { ...record, sources };
}

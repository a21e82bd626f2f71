import type { CheckedTriple } from './check-triple.ts';
import type { TripleRecord } from './triple.ts';

/** Whether a fact says again what another, of the same words and holding, says already. */
export function saysAgain(checked: CheckedTriple, record: TripleRecord): boolean {
  if (checked.supersedes.length > 0) return false;
  if (record.validTo === checked.validTo) return true;
  // What is said of a time gone by does not end what still holds.
  const isPast = checked.validTo !== undefined && checked.validTo <= checked.recordedAt;
  return isPast && checked.validTo <= (record.validTo ?? checked.validTo);
}

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
export function withoutSource<Fact extends TripleRecord>(record: Fact, messageId: string): Fact | undefined {
  const sources = record.sources.filter((source) => source.messageId !== messageId);
  if (sources.length === record.sources.length) return record;
  return sources.length === 0 && record.source === 'extracted' ? undefined : { ...record, sources };
}

import type { CheckedTriple } from './check-triple.ts';
import type { TripleRecord, TripleSource } from './triple.ts';

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
  const key = (source: TripleSource): string =>
    JSON.stringify([source.messageId, source.quote, source.isContext]);
  const sources = new Map([...record.sources, ...again.sources].map((source) => [key(source), source]));
  return {
    ...record,
    sources: [...sources.values()],
    source: again.source === 'user' ? 'user' : record.source,
    attributes: { ...record.attributes, ...again.attributes, ...ownWord(record) },
  };
}

/** Who repeats what the person said does not make it theirs. */
function ownWord({ attributes }: TripleRecord): TripleRecord['attributes'] {
  return attributes['statedBy'] === 'user' ? { statedBy: 'user' } : {};
}

/**
 * The fact without a message; the same one where it did not come from it, undefined where it came from it alone or
 * holds words that are known from there. What the person entered stays.
 */
export function withoutSource<Fact extends TripleRecord>(record: Fact, messageId: string): Fact | undefined {
  const gone = record.sources.filter((source) => source.messageId === messageId);
  if (gone.length === 0) return record;
  if (record.source === 'user') return { ...record, sources: without(record.sources, messageId) };
  const left = without(record.sources, messageId);
  const isUnsaid = left.every((source) => source.isContext);
  return isUnsaid || gone.some((source) => source.isContext) ? undefined : { ...record, sources: left };
}

function without(sources: readonly TripleSource[], messageId: string): TripleSource[] {
  return sources.filter((source) => source.messageId !== messageId);
}

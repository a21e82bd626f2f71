import type { CheckedTriple } from './check-triple.ts';
import type { TripleRecord, TripleSource } from './triple.ts';

/** Whether a new fact repeats one that has the same words and holds. */
export function isRepetition(checked: CheckedTriple, record: TripleRecord): boolean {
  if (checked.supersedes.length > 0) return false;
  if (record.validTo === checked.validTo) return true;
  // A statement about a past period does not end what still holds.
  const isPast = checked.validTo !== undefined && checked.validTo <= checked.recordedAt;
  return isPast && checked.validTo <= (record.validTo ?? checked.validTo);
}

/** Merges a repeated fact into the known one, with the sources and attributes of both. `statedBy: 'user'` wins. */
export function mergeSources(record: TripleRecord, again: CheckedTriple): TripleRecord {
  const key = (source: TripleSource): string =>
    JSON.stringify([source.messageId, source.quote, source.isContext]);
  const sources = new Map([...record.sources, ...again.sources].map((source) => [key(source), source]));
  return {
    ...record,
    sources: [...sources.values()],
    source: again.source === 'user' ? 'user' : record.source,
    attributes: { ...record.attributes, ...again.attributes, ...statedByUser(record) },
  };
}

/** If somebody repeats what the user said, it remains stated by the user; what anybody said is not a model's reading. */
function statedByUser({ attributes }: TripleRecord): TripleRecord['attributes'] {
  const { statedBy } = attributes;
  return statedBy === 'user' ? { statedBy } : {};
}

/**
 * Returns the fact without a message as its source: the same object if the message was not a source, or undefined if
 * it was the only one or the fact contains words known from there alone. Facts that the user entered stay.
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

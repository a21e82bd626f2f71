import { isKeywordSegment, joinKeywordSegments, toKeywordSegment } from './keyword-segment.ts';
import type { KeywordSegment, TermDocument } from './keyword-segment.ts';
import {
  areMetadataColumns,
  metadataAt,
  toMetadataColumns,
  type MessageMetadata,
  type MetadataColumns,
} from './metadata-columns.ts';
import { areTraitColumns, toTraitColumns, traitsAt } from './trait-columns.ts';
import type { TextTraits, TraitColumns } from './trait-columns.ts';

/** A message in a conversation index. */
export interface ConversationDocument extends TermDocument {
  readonly place: MessageMetadata;
  readonly traits: TextTraits;
}

/** A segment of a conversation index as plain data, as it is stored. */
export interface ConversationSegment {
  readonly keywords: KeywordSegment;
  /** Metadata of the messages, in the order of `keywords`. */
  readonly places: MetadataColumns;
  /** Traits of the messages, in the same order. */
  readonly traits: TraitColumns;
}

/** Returns a segment of messages with distinct ids. */
export function toConversationSegment(documents: readonly ConversationDocument[]): ConversationSegment {
  return {
    keywords: toKeywordSegment(documents),
    places: toMetadataColumns(documents.map(({ place }) => place)),
    traits: toTraitColumns(documents.map(({ traits }) => traits)),
  };
}

/** Whether a stored value is an undamaged segment of this version. */
export function isConversationSegment(value: unknown): value is ConversationSegment {
  if (typeof value !== 'object' || value === null) return false;
  const { keywords, places, traits } = value as Partial<ConversationSegment>;
  if (!isKeywordSegment(keywords)) return false;
  const rows = keywords.ids.length;
  return areMetadataColumns(places, rows) && areTraitColumns(traits, rows);
}

/** Merges segments, without the ids in `leftOut`. If several segments have an id, the last one wins. */
export function mergeSegments(
  segments: readonly ConversationSegment[],
  leftOut: ReadonlySet<string> = new Set(),
): ConversationSegment {
  const segmentOf = new Map<string, number>();
  for (const [number, { keywords }] of segments.entries()) {
    for (const id of keywords.ids) segmentOf.set(id, number);
  }
  const places: MessageMetadata[] = [];
  const traits: TextTraits[] = [];
  const newRows = segments.map(({ keywords, places: placeColumns, traits: traitColumns }, number) =>
    keywords.ids.map((id, row) => {
      if (segmentOf.get(id) !== number || leftOut.has(id)) return -1;
      places.push(metadataAt(placeColumns, row));
      traits.push(traitsAt(traitColumns, row));
      return places.length - 1;
    }),
  );
  const keywords = segments.map((segment) => segment.keywords);
  return {
    keywords: joinKeywordSegments(keywords, newRows),
    places: toMetadataColumns(places),
    traits: toTraitColumns(traits),
  };
}

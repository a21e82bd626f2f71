import { documentsOf, isKeywordSegment, toKeywordSegment } from './keyword-segment.ts';
import type { KeywordSegment, TermDocument } from './keyword-segment.ts';
import { arePlaceColumns, placeAt, toPlaceColumns, type Place, type PlaceColumns } from './place-columns.ts';

/** A message as a conversation index knows it. */
export interface ConversationDocument extends TermDocument {
  readonly place: Place;
}

/** Some messages of a conversation index as plain data: what is stored of it, piece by piece. */
export interface ConversationSegment {
  readonly keywords: KeywordSegment;
  /** Of the messages of `keywords`, in their order. */
  readonly places: PlaceColumns;
}

/** A segment of some messages, whose ids differ. */
export function toConversationSegment(documents: readonly ConversationDocument[]): ConversationSegment {
  return {
    keywords: toKeywordSegment(documents),
    places: toPlaceColumns(documents.map(({ place }) => place)),
  };
}

/** Whether something that was stored is a segment of this version, as it was made. */
export function isConversationSegment(value: unknown): value is ConversationSegment {
  if (typeof value !== 'object' || value === null) return false;
  const { keywords, places } = value as Partial<ConversationSegment>;
  return isKeywordSegment(keywords) && arePlaceColumns(places, keywords.ids.length);
}

/** The messages of several segments in one; of an id that is in several, the last one counts. */
export function mergeSegments(segments: readonly ConversationSegment[]): ConversationSegment {
  const documents = new Map<string, ConversationDocument>();
  for (const document of segments.flatMap(conversationDocuments)) {
    documents.delete(document.id); // it moves to the end, in the order of writing
    documents.set(document.id, document);
  }
  return toConversationSegment([...documents.values()]);
}

/** A segment without some of its messages, and without the words that these alone had. */
export function withoutDocuments(
  segment: ConversationSegment,
  ids: ReadonlySet<string>,
): ConversationSegment {
  return toConversationSegment(conversationDocuments(segment).filter(({ id }) => !ids.has(id)));
}

function conversationDocuments({ keywords, places }: ConversationSegment): ConversationDocument[] {
  return documentsOf(keywords).map((document, row) => ({ ...document, place: placeAt(places, row) }));
}

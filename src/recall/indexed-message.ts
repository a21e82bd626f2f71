import type { MessageMetadata } from '../search/conversation-segment.ts';

/** A searchable message with its metadata. */
export interface IndexedMessage extends MessageMetadata {
  readonly id: string;
}

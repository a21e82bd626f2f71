import type { MessageMetadata } from '../search/metadata-columns.ts';

/** A searchable message with its metadata. */
export interface IndexedMessage extends MessageMetadata {
  readonly id: string;
}

import type { MessageMetadata } from '../search/metadata-columns.ts';

/** A searchable message, and where it stands. */
export interface IndexedMessage extends MessageMetadata {
  readonly id: string;
}

import type { Place } from '../search/place-columns.ts';

/** A searchable message, and where it stands. */
export interface IndexedMessage extends Place {
  readonly id: string;
}

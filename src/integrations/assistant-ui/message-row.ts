import type { JsonValue } from '../../index.ts';

/** A stored message, with the field names of assistant-ui. */
export interface MessageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonValue;
}

import type { JsonValue } from '../../index.ts';

/** A stored message with assistant-ui's field names. */
export interface MessageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonValue;
}

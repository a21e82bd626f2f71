import type { JsonValue } from '../../index.ts';

/** A message as it is stored, in assistant-ui's own names. */
export interface MessageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonValue;
}

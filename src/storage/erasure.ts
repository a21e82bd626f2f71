import { groupedBy } from './rows.ts';
import type { MessageRecord, SessionKey } from './schema.ts';

/**
 * Selects what to erase within a scope. `before` is a time in milliseconds since 1970: every turn begun earlier is
 * erased.
 */
export type ErasureSelector =
  | { messageId: string }
  | { turnIds: readonly string[] }
  | { sessionId: string }
  | { before: number }
  | { everything: true };

/** Selection of what to erase, together with everything derived from it. */
export interface Erasure {
  readonly messages: readonly MessageRecord[];
  /** Ids of the messages. */
  readonly ids: ReadonlySet<string>;
  /** Keys of sessions to erase as a whole. */
  readonly sessions: readonly SessionKey[];
  /** Scope in which more than messages is erased. Absent if only messages and what is derived from them are. */
  readonly scope?: string;
  /** Also erases what was written before this time, in milliseconds since 1970. */
  readonly before?: number;
  /** The scope, if everything in it is erased, including what the user entered; otherwise empty. */
  readonly wholeScopes: ReadonlySet<string>;
}

/** Returns an erasure of these messages and what is derived from them. */
export function erasureOf(messages: readonly MessageRecord[], rest: Partial<Erasure> = {}): Erasure {
  return {
    sessions: [],
    wholeScopes: new Set(),
    ...rest,
    messages,
    ids: new Set(messages.map((message) => message.id)),
  };
}

/** Groups the erased messages by session. */
export function bySession({ messages }: Erasure): { key: SessionKey; rows: MessageRecord[] }[] {
  const groups = groupedBy(messages, ({ scope, sessionId }) => JSON.stringify([scope, sessionId]));
  return Array.from(groups, ([key, rows]) => ({ key: JSON.parse(key) as SessionKey, rows }));
}

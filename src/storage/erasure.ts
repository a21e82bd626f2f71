import type { MessageRecord } from './schema.ts';

/** What is to be erased, in whatever store it lies or something derived from it does. */
export interface Erasure {
  readonly messages: readonly MessageRecord[];
  /** Their ids. */
  readonly ids: ReadonlySet<string>;
  /** Sessions that go as a whole. */
  readonly sessionIds: ReadonlySet<string>;
  /** Limits what goes beside messages to one scope. @default all */
  readonly scope?: string;
  /** What was written earlier goes, in milliseconds since 1970. */
  readonly before?: number;
  /** All that the scope holds goes, whoever entered it. */
  readonly isWholeScope: boolean;
}

/** The messages alone, and what is derived from them. */
export function erasureOf(messages: readonly MessageRecord[], rest: Partial<Erasure> = {}): Erasure {
  return {
    sessionIds: new Set(),
    isWholeScope: false,
    ...rest,
    messages,
    ids: new Set(messages.map((message) => message.id)),
  };
}

/** The erased messages of each session. */
export function bySession({ messages }: Erasure): Map<string, MessageRecord[]> {
  return groupedBy(messages, (message) => message.sessionId);
}

/** The erased messages of each scope. */
export function byScope({ messages }: Erasure): Map<string, MessageRecord[]> {
  return groupedBy(messages, (message) => message.scope);
}

export function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

import { MnemoraError } from '../model/error.ts';
import type { StoredMessage } from '../model/message.ts';
import type { Rerank } from './rerank.ts';

export interface SearchOptions {
  /** Messages returned at most. @default 10 */
  limit?: number;
  /** Only this session. @default all sessions of the scope */
  sessionId?: string;
  /** Only messages of this time or later, in milliseconds since 1970. */
  from?: number;
  /** Only messages of this time or earlier. */
  to?: number;
  /** Only what the user said, or only what the assistant said. @default both */
  role?: 'user' | 'assistant';
  /**
   * Only messages whose metadata has these values, each equal as by `===`. A filter that few messages pass reads many:
   * it is checked on what was found, and more is read until `limit` pass.
   *
   * @default any
   */
  metadata?: Readonly<Record<string, string | number | boolean | null>>;
  /**
   * Orders the best 50 by scores of the caller's own. Where it throws, takes longer than 2 s, or gives anything but a
   * finite number for each, the order stays, and a warning `rerank-failed` says so.
   *
   * @default none
   */
  rerank?: Rerank;
  signal?: AbortSignal;
}

export const SEARCH_OPTIONS: readonly (keyof SearchOptions)[] = [
  'limit',
  'sessionId',
  'from',
  'to',
  'role',
  'metadata',
  'rerank',
  'signal',
];

/** @throws MnemoraError `invalid-input` on a value that is not allowed */
export function checkSearchOptions(options: SearchOptions): void {
  const { limit = 10, from = -Infinity, to = Infinity, role = 'user', metadata = {}, rerank } = options;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw invalid(`limit must be a whole number from 0, not ${String(limit)}.`);
  for (const time of [from, to]) {
    if (typeof time !== 'number' || Number.isNaN(time)) {
      throw invalid('from and to must be times in milliseconds since 1970.');
    }
  }
  if (role !== 'user' && role !== 'assistant') {
    throw invalid(`role must be "user" or "assistant", not ${JSON.stringify(role)}.`);
  }
  const isPlain = (value: unknown): boolean =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (typeof metadata !== 'object' || metadata === null || !Object.values(metadata).every(isPlain)) {
    throw invalid('metadata must be an object of strings, numbers, booleans and null.');
  }
  if (rerank !== undefined && typeof rerank !== 'function') throw invalid('rerank must be a function.');
}

/** Whether a message passes the filters that the index knows nothing of; undefined where there are none. */
export function messageFilter({
  role,
  metadata = {},
}: SearchOptions): ((message: StoredMessage) => boolean) | undefined {
  const wanted = Object.entries(metadata);
  if (role === undefined && wanted.length === 0) return undefined;
  return (message) =>
    (role === undefined || message.role === role) &&
    wanted.every(
      ([name, value]) => Object.hasOwn(message.metadata ?? {}, name) && message.metadata?.[name] === value,
    );
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', message);
}

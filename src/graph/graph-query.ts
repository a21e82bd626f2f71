import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';

export interface KnownAtQuery {
  /** As it was known at this time, in milliseconds since 1970. @default all that is known */
  readonly knownAt?: number;
}

/** Which facts are meant. Times are in milliseconds since 1970. */
export interface TripleQuery extends KnownAtQuery {
  /** Facts that held at this time. @default now */
  readonly validAt?: number;
}

/** {@link TripleQuery} for a list of facts. */
export interface TripleListQuery extends TripleQuery {
  /** Those of this entity, of which it is the object included; none where it is unknown. @default all */
  readonly about?: string;
  /** Also facts that hold no more, or not yet, or never did. With `validAt` it has no effect. @default false */
  readonly includeHistory?: boolean;
}

/** {@link TripleQuery} for the facts around an entity. */
export interface EntityFactsQuery extends TripleQuery {
  /** How far from the entity: 1 is its own facts, 2 those of its neighbors as well. @default 1 */
  readonly depth?: number;
}

/** @throws MnemoraError `invalid-input` on a name that is not in `names`, or a value of the wrong kind */
export function checkQuery<Query extends TripleListQuery & EntityFactsQuery>(
  query: Query,
  names: readonly string[],
): Query {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new MnemoraError(
      'invalid-input',
      `A query for facts has no "${unknown}". It may have ${names.join(', ')}.`,
    );
  }
  const { validAt, knownAt, depth, includeHistory } = query;
  if (validAt !== undefined) requireTime(validAt, 'validAt');
  if (knownAt !== undefined) requireTime(knownAt, 'knownAt');
  if (depth !== undefined && !(Number.isSafeInteger(depth) && depth >= 0)) {
    throw new MnemoraError('invalid-input', `depth must be a whole number from 0, not ${String(depth)}.`);
  }
  if (includeHistory !== undefined && typeof includeHistory !== 'boolean') {
    throw new MnemoraError('invalid-input', `includeHistory must be true or false.`);
  }
  return query;
}

import { requireTime } from '../model/clock.ts';
import { invalidInput } from '../model/error.ts';

export interface KnownAtQuery {
  /** Uses only what was known at this time, in milliseconds since 1970. @default everything known now */
  readonly knownAt?: number;
}

/** Selects facts by time. Times are in milliseconds since 1970. */
export interface TripleQuery extends KnownAtQuery {
  /** Selects facts that held at this time. @default now */
  readonly validAt?: number;
}

/** A {@link TripleQuery} for a list of facts. */
export interface TripleListQuery extends TripleQuery {
  /** Selects facts with this entity as subject or object; none if it is unknown. @default all entities */
  readonly about?: string;
  /** Includes facts that no longer hold, do not hold yet, or never did. Ignored if `validAt` is set. @default false */
  readonly includeHistory?: boolean;
}

/** A {@link TripleQuery} for the facts around an entity. */
export interface EntityFactsQuery extends TripleQuery {
  /** Distance from the entity: 1 selects its own facts, 2 those of its neighbors as well. @default 1 */
  readonly depth?: number;
}

/** @throws MnemoraError `invalid-input` for a name that is not in `names`, or a value of the wrong type */
export function checkQuery<Query extends TripleListQuery & EntityFactsQuery>(
  query: Query,
  names: readonly string[],
): Query {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidInput(`A query for facts has no option "${unknown}". The options are ${names.join(', ')}.`);
  }
  const { validAt, knownAt, depth = 0, includeHistory = false } = query;
  if (validAt !== undefined) requireTime(validAt, 'validAt');
  if (knownAt !== undefined) requireTime(knownAt, 'knownAt');
  if (!Number.isSafeInteger(depth) || depth < 0)
    throw invalidInput(`depth must be a whole number of at least 0, not ${String(depth)}.`);
  if (typeof includeHistory !== 'boolean') throw invalidInput('includeHistory must be true or false.');
  return query;
}

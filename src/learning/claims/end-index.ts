import { RecentIds } from '../../model/ordered/recent-ids.ts';
import type { ClaimRow } from '../../storage/schema.ts';

/** Maximum number of claims that one key finds, the newest first, so that what one more claim costs does not grow. */
const MOST_FOUND = 32;
/** Maximum number of claims that are looked at for one with several keys. */
const MOST_SCANNED = 256;

/** Where the claims are. */
interface ClaimSource {
  claim(id: string): ClaimRow | undefined;
  allClaims(): Iterable<ClaimRow>;
}

/** Finds the claims that a claim may end, and those that may end it, by the keys of both. */
export class EndIndex {
  /** Claims by what they are about. */
  readonly #about = new Map<string, RecentIds>();
  /** Claims by what they may end. */
  readonly #ending = new Map<string, RecentIds>();
  readonly #claims: ClaimSource;

  /** @param claims the claims, which are indexed now; later ones are put */
  constructor(claims: ClaimSource) {
    this.#claims = claims;
    for (const row of claims.allClaims()) this.put(row);
  }

  put(row: ClaimRow): void {
    for (const key of row.matters) add(this.#about, key, row.id);
    for (const key of keysIn(row.ends)) add(this.#ending, key, row.id);
  }

  delete(row: ClaimRow): void {
    for (const key of row.matters) this.#about.get(key)?.delete(row.id);
    for (const key of keysIn(row.ends)) this.#ending.get(key)?.delete(row.id);
  }

  /** Returns the claims that this one may end. */
  targetsOf({ ends = [] }: Pick<ClaimRow, 'ends'>): ClaimRow[] {
    const found = new Set<string>();
    for (const end of ends) {
      const keys = end.split('+').map((key) => this.#about.get(key) ?? NOTHING);
      const [fewest = NOTHING, ...others] = keys.toSorted((a, b) => a.size - b.size);
      const fitting = fewest.newest(MOST_SCANNED).filter((id) => others.every((ids) => ids.has(id)));
      for (const id of fitting.slice(-MOST_FOUND)) found.add(id);
    }
    return this.#rowsOf(found);
  }

  /** Returns the claims that may end this one. */
  endersOf({ matters }: Pick<ClaimRow, 'matters'>): ClaimRow[] {
    const found = new Set(matters.flatMap((key) => (this.#ending.get(key) ?? NOTHING).newest(MOST_FOUND)));
    return this.#rowsOf(found);
  }

  #rowsOf(ids: Iterable<string>): ClaimRow[] {
    return [...ids].flatMap((id) => this.#claims.claim(id) ?? []);
  }
}

const NOTHING = new RecentIds();

function keysIn(ends: readonly string[] = []): string[] {
  return ends.flatMap((end) => end.split('+'));
}

function add(index: Map<string, RecentIds>, key: string, id: string): void {
  const ids = index.get(key) ?? new RecentIds();
  ids.add(id);
  index.set(key, ids);
}

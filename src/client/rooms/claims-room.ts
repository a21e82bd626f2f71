import { claimsOf, type Claim } from '../../learning/claims/claim-list.ts';
import { truthOf } from '../../learning/claims/truth-of.ts';
import { checkSignal } from '../../model/call-options.ts';
import { checkBoolean, checkName, checkOptions } from '../../model/check-options.ts';
import { runInSlices } from '../../model/event-loop.ts';
import type { MemoryParts } from '../memory-parts.ts';

/** Selects claims of the memory. */
export interface ClaimsQuery {
  /**
   * Somebody or something that the claims name, by a name or an alias. `I` and `me` mean the user.
   *
   * @default all claims
   */
  readonly about?: string;
  /** Includes claims that have ended or were taken back, corrected or rejected. @default false */
  readonly includeHistory?: boolean;
  /**
   * Includes claims that are not the user's own word and that nobody has confirmed.
   *
   * @default false
   */
  readonly includeUnconfirmed?: boolean;
  readonly signal?: AbortSignal;
}

/** The claims of a memory: what was said that is worth keeping, word for word, and whether it still holds. */
export interface MemoryClaims {
  /**
   * Returns claims in the order in which they were said: by default those that hold.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`
   *
   * @example
   * await memory.claims.list({ about: 'my daughter', includeHistory: true });
   */
  list(query?: ClaimsQuery): Promise<Claim[]>;
}

/** Returns the `claims` methods of a memory. */
export function openClaims({ graph }: MemoryParts): MemoryClaims {
  return {
    async list(query = {}) {
      const { signal, ...wanted } = checkOptions<ClaimsQuery>('claims.list', query, {
        about: (_name, value) => checkName('The name of an entity', value),
        includeHistory: checkBoolean,
        includeUnconfirmed: checkBoolean,
        signal: checkSignal('claims.list'),
      });
      return graph.look((rows) => runInSlices(claimsOf(rows, truthOf(rows, {}), wanted), signal), signal);
    },
  };
}

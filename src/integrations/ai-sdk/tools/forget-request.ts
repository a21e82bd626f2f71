import type { ForgetReceipt } from '../../../index.ts';
import type { ForgetMatch } from './forget-matches.ts';

/** A request for the user's confirmation before anything is forgotten. */
export interface ForgetRequest {
  /** Query of the model. */
  readonly query: string;
  /** Everything that would be forgotten, at most 10 matches. */
  readonly matches: readonly ForgetMatch[];
  /** Number of rows that would be erased, summed over all matches. */
  readonly receipt: ForgetReceipt;
  /** Whether there are further matches. They would be kept. */
  readonly hasMore: boolean;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

/** Asks the user. Only the result `true` forgets; any other value, or an error, forgets nothing. */
export type ConfirmForget = (request: ForgetRequest) => boolean | Promise<boolean>;

/** Answer for the model: without an error, the number of matches that were forgotten, and a note about the rest. */
export type ForgetAnswer =
  | { forgotten: number; note?: string }
  | { refused: true }
  | { found: 0 }
  | { forgotten: number; error: string };

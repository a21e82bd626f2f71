/**
 * What went wrong, as a word that code can switch on.
 *
 * - `invalid-option`, `invalid-input`, `invalid-message`: misuse; nothing was written.
 * - `turn-conflict`: this turn id is taken by a turn with other content.
 * - `not-found`: no fact has the id that was named.
 * - `storage-unavailable`: there is no IndexedDB here. `storage-full`: the quota is used up.
 *   `storage-blocked`: another tab stands in the way. `storage-closed`: the database was closed or cleared.
 *   `storage-newer`: a newer version of the library wrote it. `storage-failed`: any other failure of the browser's store.
 * - `leadership-lost`: another tab has taken over the background work; nothing was written.
 * - `enrichment-failed`: a summary, entities or facts could not be made.
 * - `backup-invalid`: a backup is damaged, cut, or no backup; `backup-newer`: a newer version of the library wrote it.
 * - `over-budget`: what must be kept does not fit.
 * - `model-unavailable`: worker, wasm or model files could not be loaded, or the browser's built-in model cannot be
 *   had. `worker-crashed`: the worker died.
 * - `tokenizer-unavailable`: the ranks could not be loaded.
 * - `llm-http`, `llm-network`, `llm-timeout`, `llm-reply`: the model's endpoint answered with an error status,
 *   could not be reached, took too long, or sent what cannot be read.
 */
export type MnemoraErrorCode =
  | 'invalid-option'
  | 'invalid-input'
  | 'invalid-message'
  | 'turn-conflict'
  | 'not-found'
  | 'storage-unavailable'
  | 'storage-full'
  | 'storage-blocked'
  | 'storage-closed'
  | 'storage-newer'
  | 'storage-failed'
  | 'leadership-lost'
  | 'enrichment-failed'
  | 'backup-invalid'
  | 'backup-newer'
  | 'over-budget'
  | 'model-unavailable'
  | 'worker-crashed'
  | 'tokenizer-unavailable'
  | 'llm-http'
  | 'llm-network'
  | 'llm-timeout'
  | 'llm-reply';

/** The only error class of the library. Its message says what happened, to what, and what to do. */
export class MnemoraError extends Error {
  override readonly name = 'MnemoraError';
  readonly code: MnemoraErrorCode;
  /** HTTP status, where an endpoint answered with one. */
  readonly status?: number;
  /** Milliseconds that an endpoint asked to be left alone, where it did. */
  readonly retryAfterMs?: number;

  constructor(
    code: MnemoraErrorCode,
    message: string,
    options?: { cause?: unknown; status?: number; retryAfterMs?: number },
  ) {
    super(message, options && 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options?.status !== undefined) this.status = options.status;
    if (options?.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Closes a switch over a union: adding a case is then a type error here. */
export function assertNever(value: never): never {
  throw new MnemoraError('invalid-option', `Unexpected value: ${String(value)}.`);
}

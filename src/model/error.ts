/**
 * Kind of error, as a word that code can switch on.
 *
 * - `invalid-option`, `invalid-input`, `invalid-message`: misuse; nothing was written.
 * - `redact-failed`: the `redact` function threw, or did not return a string; nothing was written.
 * - `turn-conflict`: this turn id belongs to a turn with different content.
 * - `not-found`: there is no fact, message, job or turn to continue with the given id, or nothing to forget.
 * - `storage-unavailable`: IndexedDB is not available here, or must be reached through a reload. `storage-full`: the
 *   storage quota is used up. `storage-blocked`: another tab blocks the database, or the browser does not answer.
 *   `storage-closed`: the database was closed or cleared. `storage-newer`: a newer version of the library wrote the
 *   database. `storage-failed`: any other failure of the browser's storage. After it nothing was saved, unless the
 *   message says that this is not known; remembering again with the same turn id is safe.
 * - `leadership-lost`: another tab has taken over the background work; nothing was written.
 * - `learning-failed`: a summary, entities or facts could not be made.
 * - `backup-invalid`: the file is damaged, incomplete or not a backup; `backup-newer`: a newer version of the library
 *   wrote it.
 * - `passphrase-needed`: the backup is encrypted. `wrong-passphrase`: it cannot be decrypted with this passphrase.
 *   `crypto-unavailable`: the page is not served over HTTPS, so the browser does not encrypt.
 * - `over-budget`: the messages that must be kept exceed the budget.
 * - `model-unavailable`: worker, wasm or model files could not be loaded, or the browser's built-in model is not
 *   available. `worker-crashed`: the worker died.
 * - `tokenizer-unavailable`: the tokenizer's ranks could not be loaded.
 * - `llm-http`, `llm-network`, `llm-timeout`, `llm-reply`: the model's endpoint answered with an error status, could
 *   not be reached, took too long, or sent a reply that cannot be read.
 */
export type MnemoraErrorCode =
  | 'invalid-option'
  | 'invalid-input'
  | 'invalid-message'
  | 'redact-failed'
  | 'turn-conflict'
  | 'not-found'
  | 'storage-unavailable'
  | 'storage-full'
  | 'storage-blocked'
  | 'storage-closed'
  | 'storage-newer'
  | 'storage-failed'
  | 'leadership-lost'
  | 'learning-failed'
  | 'backup-invalid'
  | 'backup-newer'
  | 'passphrase-needed'
  | 'wrong-passphrase'
  | 'crypto-unavailable'
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
  /** HTTP status of the endpoint's answer, if there was one. */
  readonly status?: number;
  /** Milliseconds to wait before the next request, if the endpoint asked for a wait. */
  readonly retryAfterMs?: number;

  constructor(
    code: MnemoraErrorCode,
    message: string,
    options?: { cause?: unknown; status?: number; retryAfterMs?: number },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options?.status !== undefined) this.status = options.status;
    if (options?.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Returns the error for an option that cannot be used. */
export function invalidOption(message: string): MnemoraError {
  return new MnemoraError('invalid-option', message);
}

/** Returns the error for an argument that cannot be used. */
export function invalidInput(message: string, cause?: unknown): MnemoraError {
  return new MnemoraError('invalid-input', message, { cause });
}

/** Returns the error for a message that cannot be used. */
export function invalidMessage(message: string, cause?: unknown): MnemoraError {
  return new MnemoraError('invalid-message', message, { cause });
}

/** Closes a switch over a union: adding a case then becomes a type error here. */
export function assertNever(value: never): never {
  throw new MnemoraError('invalid-option', `Unexpected value: ${String(value)}.`);
}

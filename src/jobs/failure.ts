import { MnemoraError } from '../model/error.ts';
import type { JobError } from '../storage/jobs/job-plan.ts';

const MOST_CHARACTERS = 500;
export const LONGEST_DELAY_MS = 3_600_000;

/** Number of attempts for a job that fails for a lasting reason. */
export const MOST_LASTING_FAILURES = 3;

/** Status codes for credentials, payment, or a missing address or model: only another model can help. */
const REFUSED: readonly number[] = [401, 402, 403, 404];
/** Client errors that pass by themselves: the request came too late, too early or too often. */
const PASSING_CLIENT_ERRORS: readonly number[] = [408, 425, 429];

const PASSING_CODES: readonly string[] =
  `llm-http llm-timeout model-unavailable worker-crashed tokenizer-unavailable
  storage-unavailable storage-full storage-blocked storage-closed storage-newer storage-failed`.split(/\s+/);

/**
 * Returns what to store of an error. It contains no text of the conversation, because a later erasure would not find
 * it there: answers of an endpoint or a model may quote the conversation, and so may a parser's errors.
 */
export function describeFailure(error: unknown): JobError {
  const kind = kindOf(error);
  const status = statusOf(error);
  const code = error instanceof MnemoraError ? error.code : 'unexpected';
  if (status !== undefined)
    return { code, kind, message: `The model's endpoint answered with status ${status}.` };
  if (!(error instanceof MnemoraError)) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : typeof error;
    return { code, kind, message: `It failed with an unexpected error: ${name.slice(0, 60)}.` };
  }
  if (code === 'llm-reply') return { code, kind, message: `The model's reply could not be used.` };
  return { code, kind, message: error.message.slice(0, MOST_CHARACTERS).toWellFormed() };
}

function kindOf(error: unknown): JobError['kind'] {
  const status = statusOf(error);
  if (status !== undefined && REFUSED.includes(status)) return 'refused';
  if (status !== undefined)
    return status >= 500 || PASSING_CLIENT_ERRORS.includes(status) ? 'passing' : 'lasting';
  const chain = chainOf(error);
  if (chain.some(isNetworkFailure) || (isOffline() && !(error instanceof MnemoraError))) return 'network';
  return chain.some(isPassing) ? 'passing' : 'lasting';
}

/** Libraries wrap an error about twice; no more levels than this are read. */
const MAX_LEVELS = 5;

/**
 * Returns an error and what it wraps, outermost first: its cause, or the last error of several attempts. The code of
 * this library's own errors says all about their cause, and an abort is one whatever its cause.
 */
function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  let current = error;
  while (typeof current === 'object' && current !== null && chain.length < MAX_LEVELS) {
    chain.push(current);
    const { name, cause, lastError, errors } = current as Readonly<Record<string, unknown>>;
    if (current instanceof MnemoraError || name === 'AbortError') break;
    current = cause ?? lastError ?? (Array.isArray(errors) ? (errors as unknown[]).at(-1) : undefined);
  }
  return chain;
}

/**
 * Reads the HTTP status of an error. Callers' own models throw errors of other libraries, which use these names too.
 */
function statusOf(error: unknown): number | undefined {
  return chainOf(error)
    .flatMap((each) => {
      const { status, statusCode } = each as { status?: unknown; statusCode?: unknown };
      return [status, statusCode];
    })
    .find((value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600);
}

/**
 * Recognizes what `fetch` rejects with in Chromium, Firefox, WebKit and Node if no server answers, or if the connection
 * is lost in the middle of an answer.
 */
function isNetworkFailure(error: object): boolean {
  if (error instanceof MnemoraError) return error.code === 'llm-network';
  const pattern =
    /^(?:Failed to fetch|NetworkError|Load failed|fetch failed|network error|terminated|Error in input stream|The (?:network connection was lost|Internet connection appears))/;
  return error instanceof TypeError && pattern.test(error.message);
}

/** Recognizes timeouts, such as that of `AbortSignal.timeout`, and errors that say themselves that they pass. */
function isPassing(error: object): boolean {
  if (error instanceof MnemoraError) return PASSING_CODES.includes(error.code);
  const { name, isRetryable } = error as { name?: unknown; isRetryable?: unknown };
  return name === 'TimeoutError' || isRetryable === true;
}

/** Returns whether the browser knows that it has no network. Outside of browsers a navigator may not know. */
export function isOffline(): boolean {
  const { navigator } = globalThis;
  return navigator !== undefined && 'onLine' in navigator && !navigator.onLine;
}

/**
 * Returns the milliseconds to wait after a number of failures: exponential backoff up to one hour, shortened at
 * random by up to half, so that the tabs of many users do not retry at the same time. Never shorter than the endpoint
 * asked for.
 *
 * @param random from 0 up to 1
 * @param cause the error of the last attempt
 */
export function retryDelayMs(
  failures: number,
  random: number,
  { cause, firstMs }: { cause?: unknown; firstMs: number },
): number {
  const delay = Math.min(LONGEST_DELAY_MS, firstMs * 2 ** (failures - 1));
  const asked = cause instanceof MnemoraError ? (cause.retryAfterMs ?? 0) : 0;
  return Math.min(LONGEST_DELAY_MS, Math.max(asked, Math.round(delay * (1 - random / 2))));
}

import { MnemoraError, type MnemoraErrorCode } from '../model/error.ts';
import type { FailureKind, JobRecord } from '../storage/schema.ts';

/** What is kept of the error of a job. */
export interface JobFailure {
  code: string;
  message: string;
  kind: FailureKind;
}

const MOST_CHARACTERS = 500;
const BASE_DELAY_MS = 250;
export const LONGEST_DELAY_MS = 3_600_000;

/** How often a job is tried whose failures do not pass by themselves. */
export const MOST_LASTING_FAILURES = 3;

/** Credentials, payment, or an address or model that is not there: only another model can help. */
const REFUSED: readonly number[] = [401, 402, 403, 404];
/** Client errors that pass: the request came too late, too early or too often. */
const PASSING_CLIENT_ERRORS: readonly number[] = [408, 425, 429];

const PASSING_CODES: readonly MnemoraErrorCode[] = [
  'llm-timeout',
  'storage-unavailable',
  'storage-full',
  'storage-blocked',
  'storage-closed',
  'storage-newer',
  'storage-failed',
  'model-unavailable',
  'worker-crashed',
  'tokenizer-unavailable',
];

/** Whether version 0.1.0, which gave everything up after eight seconds, gave up what would have passed. */
export function wasGivenUpTooSoon({ isDead, error }: JobRecord): boolean {
  if (!isDead || error === undefined || error.kind !== undefined) return false;
  const codes: readonly string[] = ['llm-network', 'llm-http', ...PASSING_CODES];
  return codes.includes(error.code);
}

/**
 * What to store of an error. No text of the conversation is in it, which a later erasure would not find: what an
 * endpoint or a model answers may quote it, and so may the errors of a parser.
 *
 * @param isOffline whether the browser was offline when it failed
 */
export function describeFailure(error: unknown, isOffline = false): JobFailure {
  const kind = kindOf(error, isOffline);
  const status = statusOf(error);
  const code = error instanceof MnemoraError ? error.code : 'unexpected';
  if (status !== undefined)
    return { code, kind, message: `The model's endpoint answered with status ${status}.` };
  if (!(error instanceof MnemoraError)) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : typeof error;
    return { code, kind, message: `It ended with an error of another kind: ${name.slice(0, 60)}.` };
  }
  if (code === 'llm-reply') return { code, kind, message: `The model's reply could not be used.` };
  return { code, kind, message: error.message.slice(0, MOST_CHARACTERS).toWellFormed() };
}

function kindOf(error: unknown, isOffline: boolean): FailureKind {
  const status = statusOf(error);
  if (status !== undefined) return kindOfStatus(status);
  if (!(error instanceof MnemoraError)) return isOffline || isFetchFailure(error) ? 'network' : 'lasting';
  if (error.code === 'llm-network') return 'network';
  return PASSING_CODES.includes(error.code) || error.code === 'llm-http' ? 'passing' : 'lasting';
}

function kindOfStatus(status: number): FailureKind {
  if (REFUSED.includes(status)) return 'refused';
  return status >= 500 || PASSING_CLIENT_ERRORS.includes(status) ? 'passing' : 'lasting';
}

/** Callers' own models throw the errors of other libraries, which name the status so too. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  return [status, statusCode].find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  );
}

/** What `fetch` rejects with in Chromium, Firefox, WebKit and Node where nothing answers. */
function isFetchFailure(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /^(?:Failed to fetch|NetworkError|Load failed|fetch failed)/.test(error.message)
  );
}

/**
 * Milliseconds to wait after a number of failures: doubled each time, up to an hour, and shortened at random by up to a
 * half, so that the tabs of many users do not come back together. Never shorter than the endpoint asked for.
 *
 * @param random from 0 up to 1
 * @param error what the last attempt failed with
 */
export function retryDelayMs(failures: number, random: number, error?: unknown): number {
  const delay = Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
  const asked = error instanceof MnemoraError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(LONGEST_DELAY_MS, Math.max(asked, Math.round(delay * (1 - random / 2))));
}

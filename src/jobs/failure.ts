import { MnemoraError } from '../model/error.ts';

/** What is kept of the error of a job. */
export interface JobFailure {
  code: string;
  message: string;
}

const MOST_CHARACTERS = 500;
const BASE_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5 * 60_000;

/** How often a job is tried before it is dead. */
export const MOST_ATTEMPTS = 6;

/**
 * What to store of an error. No text of the conversation is in it, which a later erasure would not find: what an
 * endpoint or a model answers may quote it, and so may the errors of a parser.
 */
export function describeFailure(error: unknown): JobFailure {
  if (!(error instanceof MnemoraError)) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : typeof error;
    return { code: 'unexpected', message: `It ended with an error of another kind: ${name.slice(0, 60)}.` };
  }
  const { code, status } = error;
  if (status !== undefined) return { code, message: `The model's endpoint answered with status ${status}.` };
  if (code === 'llm-reply') return { code, message: `The model's reply could not be used.` };
  return { code, message: error.message.slice(0, MOST_CHARACTERS).toWellFormed() };
}

/**
 * Milliseconds to wait after so many failures: doubled each time, up to a cap, and shortened at random by up to a half,
 * so that the tabs of many users do not come back together.
 *
 * @param random from 0 up to 1
 */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
  return Math.round(delay * (1 - random / 2));
}

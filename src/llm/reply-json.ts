import { MnemoraError } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';

/** Parses JSON. @throws MnemoraError `llm-reply` if the text is not valid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(`is not JSON: ${JSON.stringify(text.slice(0, QUOTED_CHARACTERS))}`);
  }
}

/** Longer than what an error shows, so that secrets are recognized before it is shortened. */
const QUOTED_CHARACTERS = 2000;

/** Returns the message of an error body, if it is in one of the usual fields. */
export function errorMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const { error, message } = body;
  if (isRecord(error) && typeof error['message'] === 'string') return error['message'];
  if (typeof error === 'string') return error;
  return typeof message === 'string' ? message : undefined;
}

/**
 * Parses a reply, or a part of one. JSON that is not an object is read as an empty object.
 *
 * @throws MnemoraError `llm-reply` if the text is not valid JSON or is an error object: endpoints report failures with
 *   status 200 as well, mostly in the middle of a stream
 */
export function parseReplyObject(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text);
  if (!isRecord(body)) return {};
  const { error } = body;
  if (error === undefined || error === null) return body;
  throw unreadable(`is an error: ${JSON.stringify(errorMessage(body) ?? error).slice(0, QUOTED_CHARACTERS)}`);
}

/** Returns the value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the error for an invalid reply; `what` completes the sentence "The reply …". */
export function unreadable(what: string): MnemoraError {
  return new MnemoraError('llm-reply', `The model's reply ${what}.`);
}

import { MnemoraError } from '../model/error.ts';

/** `JSON.parse` with the library's error. @throws MnemoraError `llm-reply` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(`is not JSON: ${JSON.stringify(text)}`);
  }
}

/** The message of an error body, where it is in one of the usual places. */
export function errorMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const { error, message } = body;
  if (isRecord(error) && typeof error['message'] === 'string') return error['message'];
  if (typeof error === 'string') return error;
  return typeof message === 'string' ? message : undefined;
}

/** Endpoints report failures with status 200 too, above all in the middle of a stream. @throws MnemoraError `llm-reply` */
export function refuseErrorObject(body: unknown): void {
  if (!isRecord(body) || body['error'] === undefined || body['error'] === null) return;
  throw unreadable(`is an error: ${JSON.stringify(errorMessage(body) ?? body['error'])}`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value where it is a text, else the empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The error for a reply of which `what` is true. */
export function unreadable(what: string): MnemoraError {
  return new MnemoraError('llm-reply', `The model's reply ${what}.`);
}

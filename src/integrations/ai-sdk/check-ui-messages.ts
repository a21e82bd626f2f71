import { safeValidateUIMessages, type UIMessage } from 'ai';
import { MnemoraError } from '../../index.ts';

/** Checks messages and returns them as plain JSON. @throws MnemoraError `invalid-message` */
export async function checkUIMessages<Message extends UIMessage>(
  messages: readonly Message[],
): Promise<Message[]> {
  const valid = await validUIMessages(messages);
  for (const [index, message] of messages.entries()) {
    if (isJson(message)) continue;
    throw invalid(
      `${nameOf(message, index)} contains a value that JSON cannot represent, or a field with a reserved name. Nothing was stored.`,
    );
  }
  return valid;
}

/** Checks messages and returns them. Tool results in them may be of any type. @throws MnemoraError `invalid-message` */
export async function validUIMessages<Message extends UIMessage>(
  messages: readonly Message[],
): Promise<Message[]> {
  if (!Array.isArray(messages)) throw invalid('UI messages must be an array.');
  if (messages.length === 0) return [];
  const whole = await safeValidateUIMessages<Message>({ messages });
  if (whole.success) return whole.data;
  for (const [index, message] of messages.entries()) {
    const alone = await safeValidateUIMessages<Message>({ messages: [message] });
    if (alone.success) continue;
    const what = nameOf(message, index);
    throw invalid(`${what} is not a UI message of the AI SDK. Nothing was stored.`, alone.error);
  }
  throw invalid('These are not UI messages of the AI SDK. Nothing was stored.', whole.error);
}

function nameOf(message: unknown, index: number): string {
  return `Message ${index} (${describe(message)})`;
}

function describe(message: unknown): string {
  const { id } = Object(message) as { id?: unknown };
  return typeof id === 'string' ? `id "${id.slice(0, 40)}"` : 'without an id';
}

function invalid(message: string, cause?: unknown): MnemoraError {
  return new MnemoraError('invalid-message', message, { cause });
}

/** Maximum depth of a record. */
const MAX_DEPTH = 190;
/** Field names that a record must not have, because JavaScript gives them a meaning. */
const RESERVED_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Returns whether a value survives a round trip through JSON, apart from fields that are undefined. */
function isJson(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean')
    return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((each) => isJson(each, depth - 1));
  return (
    Object.prototype.toString.call(value) === '[object Object]' &&
    Object.entries(value).every(([name, each]) => !RESERVED_NAMES.includes(name) && isJson(each, depth - 1))
  );
}

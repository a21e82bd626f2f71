import { jsonSchema, type FlexibleSchema } from 'ai';
import { MnemoraError, type Memory } from '../../../index.ts';
import { invalidInput } from '../../../model/error.ts';
import { isRecord } from '../../../model/is-record.ts';
import { raiseWarning } from '../../../model/memory-warnings.ts';

/** Sent to a model in place of a result, so that it can continue without one. */
export interface ToolFailure {
  readonly origin: 'memory';
  error: string;
}

/**
 * Resolves to the result of a tool with the origin `memory`, by which it is recognized wherever it is stored. If the
 * input is invalid or the memory fails, it resolves to the error as text; only a failure of the memory raises a
 * `memory-skipped` warning. An abort rejects with the signal's reason.
 */
export async function toolAnswer<Answer extends object>(
  memory: Memory,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<(Answer & { readonly origin: 'memory' }) | ToolFailure> {
  try {
    signal?.throwIfAborted();
    return { origin: 'memory', ...(await work(signal ?? new AbortController().signal)) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (!isInputError(cause))
      raiseWarning(memory, { code: 'memory-skipped', message: 'A memory tool failed.', cause });
    return { origin: 'memory', error: errorText(cause) };
  }
}

/** Returns the text of an error for a model. */
export function errorText(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'The memory failed.';
}

/** Returns the schema of a tool's input: an object with these fields. The field `required` must be given. */
export function inputSchema<Input>(required: string, properties: object): FlexibleSchema<Input> {
  const schema = { type: 'object', properties, required: [required], additionalProperties: false };
  return jsonSchema<Input>(schema as Parameters<typeof jsonSchema>[0]);
}

/** Returns a text of a tool's input, without white space around it. @throws MnemoraError `invalid-input` */
export function inputText(input: unknown, name: string, maxCharacters: number): string {
  const value = inputField(input, name);
  const text = typeof value === 'string' ? value.trim() : '';
  if (text !== '' && text.length <= maxCharacters) return text.toWellFormed();
  throw invalidInput(`${name} must be a text of 1 to ${maxCharacters} characters.`);
}

/** Returns a field of a tool's input, which comes from a model and can have any type. */
export function inputField(input: unknown, name: string): unknown {
  return isRecord(input) && Object.hasOwn(input, name) ? input[name] : undefined;
}

function isInputError(cause: unknown): boolean {
  return (
    cause instanceof MnemoraError && (cause.code === 'invalid-input' || cause.code === 'invalid-message')
  );
}

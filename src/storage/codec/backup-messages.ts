import { parseMessage, type ChatMessage } from '../../model/message.ts';
import { MnemoraError } from '../../model/error.ts';
import { decodePlain, encodePlain } from './plain-value.ts';
import type { RowFields } from './row-fields.ts';

/** Fields of a message in the wire shape. */
export const WIRE_FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'origin'] as const;

/** Checks and returns a message of a backup. @throws MnemoraError */
export function checkWire(fields: RowFields): ChatMessage {
  const present = WIRE_FIELDS.filter((name) => fields.has(name));
  return parseMessage(
    Object.fromEntries(
      present.map((name) => [name, name === 'content' ? decodePlain(fields.raw(name)) : fields.raw(name)]),
    ),
  );
}

/** Checks and returns users' own data of a record. @throws MnemoraError `backup-invalid` */
export function checkMetadata(fields: RowFields, name: string): Record<string, unknown> {
  const value = decodePlain(fields.raw(name));
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isObject) throw new MnemoraError('backup-invalid', `the field "${name}" must be an object`);
  return value as Record<string, unknown>;
}

/** Returns the content of a message in the form of a backup, if it is more than text. */
export function encodeContent(message: ChatMessage): object {
  return Array.isArray(message.content) ? { content: encodePlain(message.content) } : {};
}

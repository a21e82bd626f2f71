import type { ToolCall } from '../model/message.ts';
import { isRecord } from './reply-json.ts';

/**
 * Returns the arguments of a tool call as an object, which some APIs require.
 *
 * Models sometimes write invalid JSON, which stays in the history. It is sent as `{ arguments: text }`; otherwise every
 * later request of the chat would fail.
 */
export function argumentsObject({ function: { arguments: text } }: ToolCall): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Handled like JSON that is not an object.
  }
  return { arguments: text };
}

import type { ToolCall } from '../model/message.ts';
import { isRecord } from './reply-json.ts';

/**
 * The arguments of a call as the object that some APIs want.
 *
 * Models do write broken JSON, and it stays in the history: it goes out as `{ arguments: text }` rather than make
 * every later request of the chat fail.
 */
export function argumentsObject({ function: { arguments: text } }: ToolCall): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Handled like any other text that is no object.
  }
  return { arguments: text };
}

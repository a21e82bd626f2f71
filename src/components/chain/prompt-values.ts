import { messagesToText } from '../../model/message-text.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Values } from '../langchain/base-memory.ts';

/**
 * Converts values for a prompt template: lists of messages to lines `label: text`, lists of strings to lines, other lists
 * and objects to JSON. Other values are unchanged.
 */
export function promptValues(values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, renderValue(value)]));
}

function renderValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.every(isMessage)) return messagesToText(value);
    if (value.every((item) => typeof item === 'string')) return value.join('\n');
  }
  return JSON.stringify(value);
}

function isMessage(value: unknown): value is ChatMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}

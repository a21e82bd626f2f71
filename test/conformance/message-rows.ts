import type { ChatMessage, ContentPart, Role } from '../../src/model/message.ts';
import type { MessageRow } from './case.ts';

const ROLES: Readonly<Record<string, Role>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'system',
  tool: 'tool',
};

/** The role that a case calls by LangChain's or LangChain4j's name. */
export function roleOf(name: string): Role {
  const role = ROLES[name];
  if (!role) throw new Error(`unknown role "${name}"`);
  return role;
}

export function toMessage([roleName, content, extra]: MessageRow): ChatMessage {
  const role = roleOf(roleName);
  const name = extra?.name === undefined ? {} : { name: extra.name };
  if (extra?.calls) {
    return {
      role: 'assistant',
      content: content as string,
      tool_calls: extra.calls.map((id) => ({
        id,
        type: 'function',
        function: { name: 'tool', arguments: '{}' },
      })),
    };
  }
  if (role === 'tool') return { role, content: String(content), tool_call_id: extra?.id ?? '' };
  return { role, content: content as string & ContentPart[], ...name };
}

export function toMessages(rows: unknown): ChatMessage[] {
  return (rows as readonly MessageRow[]).map(toMessage);
}

/** `user` is called `human` in LangChain's cases. */
function toRow(message: ChatMessage, userName: 'human' | 'user'): MessageRow {
  const name = { user: userName, assistant: 'ai', system: 'system', tool: 'tool' }[message.role];
  if (message.role === 'tool') {
    return message.tool_call_id === ''
      ? [name, message.content]
      : [name, message.content, { id: message.tool_call_id }];
  }
  if (message.role === 'assistant' && message.tool_calls) {
    return [name, message.content, { calls: message.tool_calls.map((call) => call.id) }];
  }
  if (message.role !== 'system' && message.name !== undefined) {
    return [name, message.content, { name: message.name }];
  }
  return [name, message.content];
}

/** Messages and documents within a result, written as the cases write them. */
export function toCaseForm(value: unknown, userName: 'human' | 'user'): unknown {
  if (Array.isArray(value)) return value.map((entry) => toCaseForm(entry, userName));
  if (typeof value !== 'object' || value === null) return value;
  if ('role' in value && 'content' in value) return toRow(value as ChatMessage, userName);
  if ('text' in value && 'createdAt' in value) return { doc: value.text };
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toCaseForm(entry, userName)]));
}

import { invalidMessage } from './error.ts';
import { isRecord } from './is-record.ts';

/** A message of LangChain's classes, recognized by its shape, so that LangChain is not imported. */
interface LangChainMessage {
  getType?: () => unknown;
  /** The name of `getType` in older releases. */
  _getType?: () => unknown;
  [field: string]: unknown;
}

export function isLangChainMessage(value: unknown): value is LangChainMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { getType, _getType } = value as LangChainMessage;
  return typeof getType === 'function' || typeof _getType === 'function';
}

/**
 * Converts the message to the wire shape, still unchecked. Fields that the wire shape does not have are left out:
 * ids, usage, metadata, and the name of a tool or of a system message.
 *
 * @throws MnemoraError `invalid-message` where the wire shape has no such role
 */
export function toWireShape(message: LangChainMessage): Record<string, unknown> {
  const { getType, _getType: getOldType, content, name } = message;
  const type = (getType ?? getOldType)?.call(message);
  const named = name === undefined ? {} : { name };
  switch (type) {
    case 'human':
      return { role: 'user', content, ...named };
    case 'system':
      return { role: 'system', content: asText(content) };
    case 'tool':
      return { role: 'tool', content: asText(content), tool_call_id: message['tool_call_id'] };
    case 'ai': {
      // On the wire the arguments of a tool call are a string, whether they can be parsed or not.
      const calls = [message['tool_calls'], message['invalid_tool_calls']].flatMap((list) =>
        Array.isArray(list) ? (list as unknown[]) : [],
      );
      if (calls.length === 0) return { role: 'assistant', content, ...named };
      // A message that only calls tools has empty text in LangChain and null content on the wire.
      return { role: 'assistant', content: content || null, tool_calls: calls.map(toWireCall), ...named };
    }
    default:
      throw invalidMessage(
        `A LangChain message of type "${String(type)}" cannot be converted. Pass a HumanMessage, AIMessage, SystemMessage or ToolMessage, or { role, content }.`,
      );
  }
}

function toWireCall(call: unknown): unknown {
  const { id, name, args } = (call ?? {}) as Record<string, unknown>;
  return {
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : toJson(args ?? {}) },
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw invalidMessage('The args of a tool call must be plain data (JSON).', cause);
  }
}

/** Joins a list of text parts to one text, because system messages and tool results are plain strings on the wire. */
function asText(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) =>
    isRecord(part) && part['type'] === 'text' ? part['text'] : part,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content;
}

import {
  fromThreadMessageLike,
  type ExportedMessageRepositoryItem,
  type MessageFormatAdapter,
  type ThreadMessage,
} from '@assistant-ui/react';
import type { JsonValue } from '../../index.ts';
import { asJson } from '../../model/json.ts';
import type { ContentOfMessage } from './message-rows.ts';

/** A message of a runtime that has no format of its own, with the configuration of its run. */
export type ThreadItem = Pick<ExportedMessageRepositoryItem, 'message' | 'runConfig'>;

/** Name of the format for the messages of `useLocalRuntime`. */
export const THREAD_MESSAGE = 'assistant-ui/thread-message';

/** Format of assistant-ui's own messages. */
export const threadMessageFormat: MessageFormatAdapter<ThreadItem, Record<string, unknown>> = {
  format: THREAD_MESSAGE,
  getId: ({ message }) => message.id,
  encode: ({ message }) => ({ ...message }),
  decode: ({ parent_id: parentId, content }) => {
    const { runConfig, message } = content as { runConfig?: ThreadItem['runConfig']; message: JsonValue };
    const item = { message: withDates(message) as ThreadMessage };
    return { parentId, message: runConfig === undefined ? item : { ...item, runConfig } };
  },
};

/** Converts a message of a stored turn to that format. */
export const threadMessageContent: ContentOfMessage = ({ id, role, parts }, turn) => {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const content = texts.map((text) => ({ type: 'text', text }) as const);
  const like = role === 'system' ? { role, content: texts.join('\n') } : { role, content };
  const message = fromThreadMessageLike({ ...like, id, createdAt: new Date(turn.createdAt) }, id, {
    type: 'complete',
    reason: 'unknown',
  });
  return asJson({ message }, 'A message of the thread');
};

/** Restores the times of a message, and of the messages within its tool calls. */
function withDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDates);
  if (typeof value !== 'object' || value === null) return value;
  const { createdAt, content, messages, ...rest } = value as Record<string, unknown>;
  return {
    ...rest,
    ...(typeof createdAt === 'string' ? { createdAt: new Date(createdAt) } : {}),
    ...(content === undefined ? {} : { content: withDates(content) }),
    ...(messages === undefined ? {} : { messages: withDates(messages) }),
  };
}

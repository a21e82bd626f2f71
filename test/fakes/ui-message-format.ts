import type { MessageFormatAdapter } from '@assistant-ui/react';
import type { UIMessage } from 'ai';

/** The format in which `useChatRuntime` stores the messages of the AI SDK; its package does not export it. */
export const uiMessageFormat: MessageFormatAdapter<UIMessage, Record<string, unknown>> = {
  format: 'ai-sdk/v6',
  encode: ({ message: { id: _id, ...message } }) => message,
  decode: ({ id, parent_id: parentId, content }) => ({ parentId, message: { id, ...content } as UIMessage }),
  getId: ({ id }) => id,
};

export function said(id: string, role: UIMessage['role'], text: string): UIMessage {
  return { id, role, parts: [{ type: 'text', text }] };
}

import { toChatMessage } from '../model/message.ts';
import { isRecord } from '../model/is-record.ts';
import { parseReplyObject, textOf, unreadable } from './reply-json.ts';
import type { ReplyParts, WireFormat } from './wire-format.ts';
import { defined } from '../model/defined.ts';

/** Wire format of OpenAI's chat-completions API, which most servers support. Messages already have its shape. */
export const chatCompletions: WireFormat = {
  requestBody: ({ messages, temperature, maxTokens, responseFormat }, { model, stream }) =>
    defined({
      model,
      messages: messages.map(toChatMessage),
      temperature,
      max_tokens: maxTokens,
      response_format: responseFormat === 'json' ? { type: 'json_object' } : undefined,
      stream: stream || undefined,
    }),
  addReply(reply, body) {
    const message = firstChoice(body)?.['message'];
    if (!isRecord(message)) throw unreadable('has no message in its first choice');
    addMessage(reply, body, message);
  },
  addData(reply, data) {
    if (data.trim() === '[DONE]') reply.isClosed = true;
    else {
      const chunk = parseReplyObject(data);
      addMessage(reply, chunk, firstChoice(chunk)?.['delta']);
    }
  },
};

/** Adds a message or a piece of one, with the finish reason and usage from the body around it. */
function addMessage(reply: ReplyParts, body: Readonly<Record<string, unknown>>, message: unknown): void {
  const { usage } = body;
  const reason = firstChoice(body)?.['finish_reason'];
  // Some servers send an empty text, or the word, in place of null until the reply ends.
  if (typeof reason === 'string' && reason !== '' && reason !== 'null') reply.finishReason = reason;
  if (isRecord(usage)) reply.addUsage(usage['prompt_tokens'], usage['completion_tokens']);
  if (!isRecord(message)) return;
  const { content, tool_calls: calls } = message;
  if (Array.isArray(calls)) calls.forEach((call, position) => addToolCall(reply, call, position));
  reply.texts.push(contentText(content));
}

function addToolCall(reply: ReplyParts, call: unknown, position: number): void {
  if (!isRecord(call)) throw unreadable('contains a tool call that is not an object');
  const { index, id, function: called } = call;
  const { name, arguments: given } = isRecord(called) ? called : {};
  reply.addToCall(typeof index === 'number' ? index : position, {
    id: textOf(id),
    name: textOf(name),
    arguments: isRecord(given) ? JSON.stringify(given) : textOf(given),
  });
}

function firstChoice({ choices }: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.filter(isRecord).find((choice) => (choice['index'] ?? 0) === 0);
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part: unknown) => (isRecord(part) ? textOf(part['text']) : '')).join('');
}

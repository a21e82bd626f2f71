import { toChatMessage } from '../model/message.ts';
import { isRecord, parseJson, refuseErrorObject, textOf, unreadable } from './reply-json.ts';
import { ReplyParts } from './reply-parts.ts';
import { sseParser } from './sse.ts';
import type { ReplyStream, WireFormat } from './wire-format.ts';

/** Wire format of OpenAI's chat-completions API, which most servers support. Messages already have its shape. */
export const chatCompletions: WireFormat = {
  requestBody: (request, { model, stream }) => ({
    ...(model === undefined ? {} : { model }),
    messages: request.messages.map(toChatMessage),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
    ...(request.responseFormat === 'json' ? { response_format: { type: 'json_object' } } : {}),
    ...(stream ? { stream: true } : {}),
  }),
  parseReply(body) {
    refuseErrorObject(body);
    const choice = firstChoice(body);
    const message = choice?.['message'];
    if (!choice || !isRecord(message)) throw unreadable('has no message in its first choice');
    const reply = new ReplyParts();
    reply.addText(contentText(message['content']));
    addToolCalls(reply, message['tool_calls']);
    addEnding(reply, body, choice);
    return reply.toReply();
  },
  openStream: sseParser,
  openReply: completionStream,
};

function completionStream(): ReplyStream {
  const parts = new ReplyParts();
  let isClosed = false;
  return {
    push(data) {
      if (data.trim() === '[DONE]') {
        isClosed = true;
        return '';
      }
      const chunk = parseJson(data);
      refuseErrorObject(chunk);
      const choice = firstChoice(chunk);
      const delta = choice?.['delta'];
      addEnding(parts, chunk, choice);
      if (!isRecord(delta)) return '';
      addToolCalls(parts, delta['tool_calls']);
      return parts.addText(contentText(delta['content']));
    },
    get isFinished() {
      return isClosed || parts.hasEnded;
    },
    get isClosed() {
      return isClosed;
    },
    reply: () => parts.toReply(),
  };
}

function addToolCalls(parts: ReplyParts, calls: unknown): void {
  if (!Array.isArray(calls)) return;
  calls.forEach((call: unknown, position) => {
    if (!isRecord(call)) throw unreadable('holds a tool call that is not an object');
    const called = isRecord(call['function']) ? call['function'] : {};
    parts.addToCall(typeof call['index'] === 'number' ? call['index'] : position, {
      id: textOf(call['id']),
      name: textOf(called['name']),
      arguments: argumentsText(called['arguments']),
    });
  });
}

function addEnding(parts: ReplyParts, body: unknown, choice: Record<string, unknown> | undefined): void {
  if (typeof choice?.['finish_reason'] === 'string') parts.end(choice['finish_reason']);
  const usage = isRecord(body) ? body['usage'] : undefined;
  if (isRecord(usage)) parts.addUsage(usage['prompt_tokens'], usage['completion_tokens']);
}

function firstChoice(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body) || !Array.isArray(body['choices'])) return undefined;
  return body['choices'].filter(isRecord).find((choice) => (choice['index'] ?? 0) === 0);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isRecord(part) ? textOf(part['text']) : '')).join('');
}

function argumentsText(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : textOf(value);
}

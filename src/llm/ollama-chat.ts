import { invalidInput } from '../model/error.ts';
import {
  messageText,
  toolCallsOf,
  type ChatMessage,
  type ContentPart,
  type ToolCall,
} from '../model/message.ts';
import { argumentsObject, readImagePart } from './message-parts.ts';
import { isRecord } from '../model/is-record.ts';
import { parseReplyObject, textOf, unreadable } from './reply-json.ts';
import type { ReplyParts, WireFormat } from './wire-format.ts';
import { defined } from '../model/defined.ts';

/** Wire format of Ollama's own chat API, which accepts model settings that its chat-completions API does not. */
export const ollamaChat: WireFormat = {
  requestBody(request, { model, stream }) {
    const options = defined({ temperature: request.temperature, num_predict: request.maxTokens });
    return defined({
      model,
      messages: request.messages.map((message, index) =>
        toOllamaMessage(message, request.messages.slice(0, index)),
      ),
      // Always set, because the API streams by default.
      stream,
      format: request.responseFormat === 'json' ? 'json' : undefined,
      options: Object.keys(options).length > 0 ? options : undefined,
    });
  },
  addReply(reply, body) {
    addChunk(reply, body);
    if (!isRecord(body['message'])) throw unreadable('has no message');
  },
  framing: 'lines',
  addData: (reply, data) => addChunk(reply, parseReplyObject(data)),
};

/** Adds a chunk of a stream, or a whole reply, which has the shape of the last chunk. */
function addChunk(reply: ReplyParts, chunk: Readonly<Record<string, unknown>>): void {
  const { content, tool_calls: calls } = isRecord(chunk['message']) ? chunk['message'] : {};
  reply.texts.push(textOf(content));
  if (Array.isArray(calls)) for (const call of calls) addToolCall(reply, call);
  if (chunk['done'] !== true) return;
  const reason = textOf(chunk['done_reason']) || 'stop';
  reply.addUsage(chunk['prompt_eval_count'], chunk['eval_count']);
  reply.finishReason = reason === 'stop' && reply.callCount > 0 ? 'tool_calls' : reason;
  reply.isClosed = true;
}

/** Adds a tool call. Each arrives as a whole and never continues another. */
function addToolCall(reply: ReplyParts, call: unknown): void {
  const called = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(call) || !isRecord(called)) throw unreadable('contains a tool call without a function');
  reply.addToCall(reply.callCount, {
    id: textOf(call['id']),
    name: textOf(called['name']),
    arguments: JSON.stringify(called['arguments'] ?? {}),
  });
}

function toOllamaMessage(message: ChatMessage, before: readonly ChatMessage[]): Record<string, unknown> {
  const images = message.role === 'user' ? imagesOf(message.content) : [];
  const calls = toolCallsOf(message);
  const callId = message.role === 'tool' ? message.tool_call_id : undefined;
  const toCall = (call: ToolCall) => ({
    id: call.id,
    function: { name: call.function.name, arguments: argumentsObject(call) },
  });
  return defined({
    role: message.role,
    content: messageText(message),
    images: images.length > 0 ? images : undefined,
    tool_calls: calls.length > 0 ? calls.map(toCall) : undefined,
    tool_call_id: callId,
    tool_name: callId === undefined ? undefined : toolName(callId, before),
  });
}

/** Returns the tool's name of a call, by which older versions of Ollama match a result to its call. */
function toolName(callId: string, messages: readonly ChatMessage[]): string | undefined {
  return messages.flatMap(toolCallsOf).findLast((call) => call.id === callId)?.function.name;
}

function imagesOf(content: string | ContentPart[]): string[] {
  if (typeof content === 'string') return [];
  return content
    .filter((part) => part.type !== 'text')
    .map((part) => {
      const inline = readImagePart(part)?.inline;
      if (inline) return inline.base64;
      throw invalidInput(
        `Ollama takes texts and images as data: URLs only, not a content part of type "${part.type}". Leave it out, or inline the image.`,
      );
    });
}

import { MnemoraError } from '../model/error.ts';
import { messageText, type ChatMessage, type ContentPart } from '../model/message.ts';
import { readImagePart } from './image-part.ts';
import { ndjsonParser } from './ndjson.ts';
import { isRecord, parseJson, refuseErrorObject, textOf, unreadable } from './reply-json.ts';
import { ReplyParts } from './reply-parts.ts';
import { argumentsObject } from './tool-arguments.ts';
import type { ReplyStream, WireFormat } from './wire-format.ts';

/** Wire format of Ollama's own chat API, which accepts model settings that its chat-completions API does not. */
export const ollamaChat: WireFormat = {
  requestBody(request, { model, stream }) {
    const options = {
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.maxTokens === undefined ? {} : { num_predict: request.maxTokens }),
    };
    return {
      ...(model === undefined ? {} : { model }),
      messages: request.messages.map((message) => toOllamaMessage(message, request.messages)),
      // Always set, because the API streams by default.
      stream,
      ...(request.responseFormat === 'json' ? { format: 'json' } : {}),
      ...(Object.keys(options).length === 0 ? {} : { options }),
    };
  },
  parseReply(body) {
    const parts = new ReplyParts();
    addChunk(parts, body);
    if (!isRecord(body) || !isRecord(body['message'])) throw unreadable('has no message');
    return parts.toReply();
  },
  openStream: ndjsonParser,
  openReply: chatStream,
};

function chatStream(): ReplyStream {
  const parts = new ReplyParts();
  return {
    push: (data) => addChunk(parts, parseJson(data)),
    get isFinished() {
      return parts.hasEnded;
    },
    get isClosed() {
      return parts.hasEnded;
    },
    reply: () => parts.toReply(),
  };
}

/** Adds a chunk of a stream, or a whole reply, which has the shape of the last chunk. */
function addChunk(parts: ReplyParts, chunk: unknown): string {
  refuseErrorObject(chunk);
  if (!isRecord(chunk)) return '';
  const message = isRecord(chunk['message']) ? chunk['message'] : {};
  const text = parts.addText(textOf(message['content']));
  addToolCalls(parts, message['tool_calls']);
  if (chunk['done'] === true) {
    const reason = textOf(chunk['done_reason']) || 'stop';
    parts.addUsage(chunk['prompt_eval_count'], chunk['eval_count']);
    parts.end(reason === 'stop' && parts.callCount > 0 ? 'tool_calls' : reason);
  }
  return text;
}

/** Adds tool calls. Each arrives as a whole and never continues another. */
function addToolCalls(parts: ReplyParts, calls: unknown): void {
  if (!Array.isArray(calls)) return;
  for (const call of calls as unknown[]) {
    const called = isRecord(call) ? call['function'] : undefined;
    if (!isRecord(call) || !isRecord(called)) throw unreadable('holds a tool call without a function');
    parts.addToCall(parts.callCount, {
      id: textOf(call['id']),
      name: textOf(called['name']),
      arguments: JSON.stringify(called['arguments'] ?? {}),
    });
  }
}

function toOllamaMessage(message: ChatMessage, all: readonly ChatMessage[]): Record<string, unknown> {
  const { role } = message;
  switch (role) {
    case 'system':
      return { role, content: message.content };
    case 'user': {
      const images = imagesOf(message.content);
      return { role, content: messageText(message), ...(images.length === 0 ? {} : { images }) };
    }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        function: { name: call.function.name, arguments: argumentsObject(call) },
      }));
      return { role, content: messageText(message), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case 'tool': {
      const name = toolName(message.tool_call_id, all);
      return {
        role,
        content: message.content,
        tool_call_id: message.tool_call_id,
        ...(name === undefined ? {} : { tool_name: name }),
      };
    }
  }
}

/** Returns the tool's name of a call, by which older versions of Ollama match a result to its call. */
function toolName(callId: string, messages: readonly ChatMessage[]): string | undefined {
  return messages
    .flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
    .findLast((call) => call.id === callId)?.function.name;
}

function imagesOf(content: string | ContentPart[]): string[] {
  if (typeof content === 'string') return [];
  return content
    .filter((part) => part.type !== 'text')
    .map((part) => {
      const image = readImagePart(part);
      if (image?.kind === 'inline') return image.base64;
      throw new MnemoraError(
        'invalid-input',
        `Ollama takes texts and images as data: URLs only, not a content part of type "${part.type}". Leave it out, or inline the image.`,
      );
    });
}

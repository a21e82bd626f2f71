import { messageText, type ChatMessage, type ContentPart, type ToolCall } from '../model/message.ts';
import { readImagePart } from './image-part.ts';
import type { LLMRequest } from './llm.ts';
import { isRecord, parseJson, refuseErrorObject, textOf, unreadable } from './reply-json.ts';
import { ReplyParts } from './reply-parts.ts';
import { sseParser } from './sse.ts';
import { argumentsObject } from './tool-arguments.ts';
import type { ReplyStream, WireFormat } from './wire-format.ts';

/** Wire format of Anthropic's Messages API. */
export const anthropicMessages: WireFormat = {
  requestBody(request, { model, stream }) {
    const system = systemText(request);
    return {
      ...(model === undefined ? {} : { model }),
      max_tokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
      ...(system === '' ? {} : { system }),
      messages: joinNeighbors(request.messages.flatMap(toTurn)),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(stream ? { stream: true } : {}),
    };
  },
  parseReply(body) {
    refuseErrorObject(body);
    if (!isRecord(body) || !Array.isArray(body['content'])) throw unreadable('has no content');
    const reply = new ReplyParts();
    body['content'].filter(isRecord).forEach((block, position) => {
      addBlock(reply, position, block);
      if (block['type'] === 'tool_use')
        reply.addToCall(position, { arguments: JSON.stringify(block['input'] ?? {}) });
    });
    addUsage(reply, body['usage']);
    addStopReason(reply, body['stop_reason']);
    return reply.toReply();
  },
  openStream: sseParser,
  openReply: messageStream,
};

/** The API requires a limit with each request. */
const DEFAULT_MAX_TOKENS = 4096;

const JSON_ONLY = 'Answer with one JSON value and nothing else: no other text and no code fence.';

interface Turn {
  role: 'user' | 'assistant';
  content: Record<string, unknown>[];
}

function messageStream(): ReplyStream {
  const parts = new ReplyParts();
  let isClosed = false;

  function take(event: Record<string, unknown>): string {
    const position = typeof event['index'] === 'number' ? event['index'] : 0;
    switch (event['type']) {
      case 'message_start':
        if (isRecord(event['message'])) addUsage(parts, event['message']['usage']);
        return '';
      case 'content_block_start':
        return isRecord(event['content_block']) ? addBlock(parts, position, event['content_block']) : '';
      case 'content_block_delta':
        return isRecord(event['delta']) ? addDelta(parts, position, event['delta']) : '';
      case 'message_delta':
        addUsage(parts, event['usage']);
        if (isRecord(event['delta'])) addStopReason(parts, event['delta']['stop_reason']);
        return '';
      case 'message_stop':
        isClosed = true;
        return '';
      default:
        // `ping`, `content_block_stop` and future events: the API asks clients to ignore unknown events.
        return '';
    }
  }

  return {
    push(data) {
      const event = parseJson(data);
      refuseErrorObject(event);
      return isRecord(event) ? take(event) : '';
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

function addBlock(parts: ReplyParts, position: number, block: Record<string, unknown>): string {
  if (block['type'] === 'tool_use')
    parts.addToCall(position, { id: textOf(block['id']), name: textOf(block['name']) });
  return block['type'] === 'text' ? parts.addText(textOf(block['text'])) : '';
}

function addDelta(parts: ReplyParts, position: number, delta: Record<string, unknown>): string {
  if (delta['type'] === 'input_json_delta')
    parts.addToCall(position, { arguments: textOf(delta['partial_json']) });
  return delta['type'] === 'text_delta' ? parts.addText(textOf(delta['text'])) : '';
}

/** Adds the token usage. Tokens read from or written to a prompt cache are input, but the API counts them separately. */
function addUsage(parts: ReplyParts, usage: unknown): void {
  if (!isRecord(usage)) return;
  const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
    .map((name) => usage[name])
    .filter((count) => typeof count === 'number');
  const inputTokens =
    typeof usage['input_tokens'] === 'number' ? counts.reduce((sum, count) => sum + count, 0) : undefined;
  parts.addUsage(inputTokens, usage['output_tokens']);
}

function addStopReason(parts: ReplyParts, reason: unknown): void {
  if (typeof reason === 'string') parts.end(FINISH_REASONS.get(reason) ?? reason);
}

const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
]);

function systemText({ messages, responseFormat }: LLMRequest): string {
  const texts = messages.filter((message) => message.role === 'system').map(messageText);
  if (responseFormat === 'json') texts.push(JSON_ONLY);
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}

function toTurn(message: ChatMessage): Turn[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', content: toBlocks(message.content) }];
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [...toBlocks(message.content), ...(message.tool_calls ?? []).map(toToolUse)],
        },
      ];
    case 'tool': {
      const result = { type: 'tool_result', tool_use_id: toToolId(message.tool_call_id) };
      return [
        {
          role: 'user',
          content: [message.content === '' ? result : { ...result, content: message.content }],
        },
      ];
    }
  }
}

/** Joins turns, because the API rejects empty turns and blank texts and requires all tool results of a turn in one. */
function joinNeighbors(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const { role, content } of turns) {
    const last = joined.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined;
}

function toBlocks(content: string | ContentPart[] | null): Record<string, unknown>[] {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
  return parts.filter((part) => part.type !== 'text' || textOf(part['text']).trim() !== '').map(toBlock);
}

/** Converts a part. Parts of unknown types are sent unchanged: the caller may use the API's own format. */
function toBlock(part: ContentPart): Record<string, unknown> {
  const image = readImagePart(part);
  if (!image) return { ...part };
  return {
    type: 'image',
    source:
      image.kind === 'inline'
        ? { type: 'base64', media_type: image.mediaType, data: image.base64 }
        : { type: 'url', url: image.url },
  };
}

function toToolUse(call: ToolCall): Record<string, unknown> {
  return {
    type: 'tool_use',
    id: toToolId(call.id),
    name: call.function.name,
    input: argumentsObject(call),
  };
}

/** Returns a valid id: tool calls made through another API may have ids with characters that this one rejects. */
function toToolId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

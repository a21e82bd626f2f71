import { toolCallsOf, type ChatMessage, type ContentPart } from '../model/message.ts';
import { argumentsObject, readImagePart, systemText } from './message-parts.ts';
import { isRecord } from '../model/is-record.ts';
import { parseReplyObject, textOf, unreadable } from './reply-json.ts';
import type { ReplyParts, WireFormat } from './wire-format.ts';
import { defined } from '../model/defined.ts';

/** Wire format of Anthropic's Messages API. */
export const anthropicMessages: WireFormat = {
  requestBody(request, { model, stream }) {
    return defined({
      model,
      max_tokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
      system: systemText(request.messages, request.responseFormat === 'json' ? JSON_ONLY : '') || undefined,
      messages: toTurns(request.messages),
      temperature: request.temperature,
      stream: stream || undefined,
    });
  },
  addReply(reply, { content, usage, stop_reason: reason }) {
    if (!Array.isArray(content)) throw unreadable('has no content');
    content.filter(isRecord).forEach((block, position) => {
      addBlock(reply, position, block);
      if (block['type'] === 'tool_use')
        reply.addToCall(position, { arguments: JSON.stringify(block['input'] ?? {}) });
    });
    addEnding(reply, usage, reason);
  },
  addData(reply, data) {
    const { type, index, message, content_block: block, delta, usage } = parseReplyObject(data);
    const position = typeof index === 'number' ? index : 0;
    if (type === 'message_start' && isRecord(message)) addEnding(reply, message['usage'], undefined);
    if (type === 'content_block_start' && isRecord(block)) addBlock(reply, position, block);
    if (type === 'content_block_delta' && isRecord(delta)) addDelta(reply, position, delta);
    if (type === 'message_delta') addEnding(reply, usage, isRecord(delta) ? delta['stop_reason'] : undefined);
    if (type === 'message_stop') reply.isClosed = true;
    // Others are `ping`, `content_block_stop` and future events: the API asks clients to ignore unknown events.
  },
};

/** The API requires a limit with each request. */
const DEFAULT_MAX_TOKENS = 4096;

const JSON_ONLY = 'Answer with one JSON value and nothing else: no other text and no code fence.';

interface Turn {
  role: 'user' | 'assistant';
  content: Record<string, unknown>[];
}

function addBlock(reply: ReplyParts, position: number, block: Record<string, unknown>): void {
  const { type, id, name, text } = block;
  if (type === 'tool_use') reply.addToCall(position, { id: textOf(id), name: textOf(name) });
  if (type === 'text') reply.texts.push(textOf(text));
}

function addDelta(reply: ReplyParts, position: number, delta: Record<string, unknown>): void {
  const { type, text, partial_json: json } = delta;
  // Tools that the API itself runs have other blocks, which are not added.
  if (type === 'input_json_delta' && reply.hasCall(position))
    reply.addToCall(position, { arguments: textOf(json) });
  if (type === 'text_delta') reply.texts.push(textOf(text));
}

/** Adds usage and stop reason. Tokens read from or written to a prompt cache are input that the API counts separately. */
function addEnding(reply: ReplyParts, usage: unknown, reason: unknown): void {
  if (typeof reason === 'string') reply.finishReason = FINISH_REASONS.get(reason) ?? reason;
  if (!isRecord(usage)) return;
  const { input_tokens: input, output_tokens: output } = usage;
  const cached = [usage['cache_creation_input_tokens'], usage['cache_read_input_tokens']];
  const sum = [input, ...cached]
    .filter((count) => typeof count === 'number')
    .reduce((total, count) => total + count, 0);
  reply.addUsage(typeof input === 'number' ? sum : undefined, output);
}

const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
]);

/** Joins neighbors, because the API rejects empty turns and requires all tool results of a turn in one. */
function toTurns(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const content = toBlocks(message);
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

/** Converts a message; a system message has no blocks. Blank texts are left out, because the API rejects them. */
function toBlocks(message: ChatMessage): Turn['content'] {
  const { role, content } = message;
  if (role === 'system') return [];
  if (role === 'tool') {
    const result = { type: 'tool_result', tool_use_id: toToolId(message.tool_call_id) };
    return [content === '' ? result : { ...result, content }];
  }
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
  return [
    ...parts.filter((part) => part.type !== 'text' || textOf(part['text']).trim() !== '').map(toBlock),
    ...toolCallsOf(message).map((call) => ({
      type: 'tool_use',
      id: toToolId(call.id),
      name: call.function.name,
      input: argumentsObject(call),
    })),
  ];
}

/** Converts a part. Parts of unknown types are sent unchanged: the caller may use the API's own format. */
function toBlock(part: ContentPart): Record<string, unknown> {
  const image = readImagePart(part);
  if (!image) {
    const { origin: _origin, ...sent } = part;
    return part.type === 'text' ? sent : { ...part };
  }
  const { url, inline } = image;
  const source = inline
    ? { type: 'base64', media_type: inline.mediaType, data: inline.base64 }
    : { type: 'url', url };
  return { type: 'image', source };
}

/** Returns a valid id: tool calls made through another API may have ids with characters that this one rejects. */
function toToolId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

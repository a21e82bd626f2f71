import type { ChatMessage, ContentPart, ToolCall } from '../../index.ts';
import { REPLY_OF_MEMORY } from '../../model/memory-quote.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../model/message.ts';
import { isFromMemory } from './memory-replies.ts';

/**
 * A message of a prompt, as models of the specifications V2 to V4 receive it, or a `ModelMessage` of the SDK: the
 * fields that all versions have.
 */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly PromptPart[];
}

/** A part of a prompt message or of generated content. */
export interface PromptPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Converts messages to stored messages: texts, tool calls and results. Reasoning, sources and approvals are left out,
 * and a file is replaced by its name, because its data would make every backup larger.
 */
export function toChatMessages(messages: readonly PromptMessage[]): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    const parts = partsOf(message);
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: textOf(parts) }];
      case 'user':
        return [{ role: 'user', content: userContent(parts) }];
      case 'assistant':
        return stepsIn(parts).flatMap((step) => [...assistantMessage(step), ...toolResults(step)]);
      case 'tool':
        return toolResults(parts);
    }
  });
}

/** Returns the messages before a question in the form that `recall` accepts. Longer messages are not stored either. */
export function conversationOf(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.filter(
    (message) => message.role !== 'system' && JSON.stringify(message).length <= MAX_MESSAGE_CHARACTERS,
  );
}

/**
 * Returns the texts of a message, without files and tool calls. Empty texts are left out, as the SDK does in prompts.
 */
export function textOf(parts: readonly { readonly type: string }[], between = '\n'): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [String((part as PromptPart)['text'])] : []))
    .filter((text) => text !== '')
    .join(between);
}

/** Returns the parts of a message of a prompt, or of a stored one. */
export function partsOf({
  content,
}: {
  readonly content: string | readonly PromptPart[] | null;
}): readonly PromptPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function userContent(parts: readonly PromptPart[]): string | ContentPart[] {
  const content = parts.flatMap((part): ContentPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: String(part['text']) }];
    if (part.type === 'file' || part.type === 'image')
      return [{ type: 'text', text: fileName(part), origin: 'document' }];
    return [];
  });
  const [first] = content;
  return content.length === 1 && first?.origin === undefined ? String(first?.['text']) : content;
}

function fileName({ filename, mediaType }: PromptPart): string {
  return `[file: ${[filename, mediaType].filter((word) => typeof word === 'string').join(', ') || 'unnamed'}]`;
}

function assistantMessage(parts: readonly PromptPart[]): ChatMessage[] {
  const text = textOf(parts);
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [toolCall(part)] : []));
  if (calls.length > 0) return [{ role: 'assistant', content: text || null, tool_calls: calls }];
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

/** Divides generated parts before what follows the results of tools that the provider has run. */
function stepsIn(parts: readonly PromptPart[]): PromptPart[][] {
  const steps: PromptPart[][] = [];
  for (const [index, part] of parts.entries()) {
    const isNext = part.type !== 'tool-result' && parts[index - 1]?.type === 'tool-result';
    const step = steps.at(-1);
    if (!step || isNext) steps.push([part]);
    else step.push(part);
  }
  return steps;
}

/** A model generates a tool's input as JSON text; in a prompt the input is already parsed. */
function toolCall({ toolCallId, toolName, input }: PromptPart): ToolCall {
  const given = typeof input === 'string' ? input : jsonOf(input ?? {});
  return {
    id: String(toolCallId),
    type: 'function',
    function: { name: String(toolName), arguments: given },
  };
}

function toolResults(parts: readonly PromptPart[]): ChatMessage[] {
  return parts.flatMap((part): ChatMessage[] => {
    if (part.type !== 'tool-result') return [];
    const result = { role: 'tool', tool_call_id: String(part['toolCallId']) } as const;
    const text = resultText(part);
    return isFromMemory(resultOf(part), text)
      ? [{ ...result, content: REPLY_OF_MEMORY, origin: 'memory' }]
      : [{ ...result, content: text }];
  });
}

function resultOf({ output, result }: PromptPart): unknown {
  const { value } = Object(output) as { value?: unknown };
  return value ?? output ?? result;
}

/** In a prompt, a tool result is an `output` with a type; in generated content it is a `result`. */
function resultText({ output, result }: PromptPart): string {
  if (typeof output !== 'object' || output === null) {
    const given = output ?? result ?? null;
    return typeof given === 'string' ? given : jsonOf(given);
  }
  const { type, value, reason } = output as { type?: unknown; value?: unknown; reason?: unknown };
  if (type === 'execution-denied') return `Denied${typeof reason === 'string' ? `: ${reason}` : ''}`;
  if (typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) {
    return (value as PromptPart[])
      .map((part) => (part.type === 'text' ? String(part['text']) : fileName(part)))
      .join('\n');
  }
  return jsonOf(value ?? null);
}

/** A tool of the page may return any value; values that JSON cannot represent become strings. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Model specifications for which `toPrompt` makes prompts. */
export type ModelVersion = 'v2' | 'v3' | 'v4';

/**
 * Converts messages to a prompt: texts, images, files, tool calls and results. Any other content part is replaced by a
 * description. A tool call whose arguments are not valid JSON is sent with the raw text as its input. As in the SDK's own
 * prompts, there are no empty texts, and the results of one step are one message: some providers reject others.
 */
export function toPrompt(messages: readonly ChatMessage[], version: ModelVersion): PromptMessage[] {
  const toolNames = new Map<string, string>();
  const parts = (message: ChatMessage): PromptPart[] =>
    partsOf(message)
      .map((part) => promptPart(part, version))
      .filter(({ type, text }) => type !== 'text' || text !== '');
  const prompt = messages.map((message): PromptMessage => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.content };
      case 'user':
        return { role: 'user', content: parts(message) };
      case 'assistant': {
        const calls = message.tool_calls ?? [];
        for (const call of calls) toolNames.set(call.id, call.function.name);
        return { role: 'assistant', content: [...parts(message), ...calls.map(callPart)] };
      }
      case 'tool': {
        const { tool_call_id: toolCallId, content } = message;
        const toolName = toolNames.get(toolCallId) ?? 'unknown';
        const output = { type: 'text', value: content };
        return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
      }
    }
  });
  return withJoinedResults(prompt.filter(({ role, content }) => role !== 'assistant' || content.length > 0));
}

function withJoinedResults(prompt: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    if (message.role !== 'tool' || last?.role !== 'tool') joined.push(message);
    else joined[joined.length - 1] = { role: 'tool', content: [...partsOf(last), ...partsOf(message)] };
  }
  return joined;
}

/** The wire format contains URLs of images and files, which may be base64 data URLs. */
function promptPart(part: ContentPart, version: ModelVersion): PromptPart {
  if (part.type === 'text') return { type: 'text', text: String(part['text']) };
  const { image_url: image, file } = part as {
    image_url?: { url?: unknown };
    file?: { file_data?: unknown };
  };
  const address = image?.url ?? file?.file_data;
  if (typeof address !== 'string' || !URL.canParse(address)) return { type: 'text', text: `[${part.type}]` };
  const [, mediaType = image ? 'image/*' : 'application/octet-stream', data] =
    /^data:([^;,]+)[^,]*;base64,(.*)$/su.exec(address) ?? [];
  if (version !== 'v4') return { type: 'file', mediaType, data: data ?? new URL(address) };
  const given = data === undefined ? { type: 'url', url: new URL(address) } : { type: 'data', data };
  return { type: 'file', mediaType, data: given };
}

function callPart({ id, function: { name, arguments: given } }: ToolCall): PromptPart {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parsedJson(given || '{}') };
}

/** Returns the value of a JSON text, or a text that is not JSON as it is. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

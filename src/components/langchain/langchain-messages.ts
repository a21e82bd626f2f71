import { toChatMessage, type ChatMessage, type ContentPart, type ToolCall } from '../../model/message.ts';

/** The fields of a message for LangChain's `coerceMessageLikeToMessage`. */
export interface LangChainMessageFields {
  role: string;
  content: string | ContentPart[];
  [field: string]: unknown;
}

/** LangChain's `coerceMessageLikeToMessage`, which returns a message of the class for these fields. */
export type CoerceMessage<Message> = (fields: LangChainMessageFields) => Message;

/**
 * Converts messages, such as those of `recall`, to objects of LangChain's classes for its models and chains.
 *
 * A stored message keeps its id. A tool result gets the name of the tool. A tool call whose arguments are not a JSON object
 * is put into `invalid_tool_calls`.
 *
 * @param coerceMessageLikeToMessage LangChain's own function, from `@langchain/core/messages`
 * @example
 * const { messages } = await memory.recall('Where do I live?');
 * await model.invoke(langChainMessages(messages, coerceMessageLikeToMessage));
 */
export function langChainMessages<Message>(
  messages: readonly (ChatMessage & { id?: string })[],
  coerceMessageLikeToMessage: CoerceMessage<Message>,
): Message[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  const toolNames = new Map(calls.map((call) => [call.id, call.function.name]));
  return messages.map((message) =>
    coerceMessageLikeToMessage({
      ...fieldsOf(toChatMessage(message), toolNames),
      ...(message.id === undefined ? {} : { id: message.id }),
    }),
  );
}

function fieldsOf(message: ChatMessage, toolNames: ReadonlyMap<string, string>): LangChainMessageFields {
  if (message.role === 'tool') {
    const name = toolNames.get(message.tool_call_id);
    return name === undefined ? message : { ...message, name };
  }
  if (message.role !== 'assistant') return message;
  const { tool_calls: calls = [], content, ...rest } = message;
  const parsed = calls.map(parseCall);
  return {
    ...rest,
    content: content ?? '',
    tool_calls: parsed.filter((call) => call.type === 'tool_call'),
    invalid_tool_calls: parsed.filter((call) => call.type === 'invalid_tool_call'),
  };
}

function parseCall({ id, function: { name, arguments: text } }: ToolCall) {
  const args = parseArguments(text);
  return args
    ? ({ id, name, args, type: 'tool_call' } as const)
    : ({ id, name, args: text, error: 'Malformed args.', type: 'invalid_tool_call' } as const);
}

/** Parses arguments; undefined if they are not a JSON object. Some endpoints send an empty text for no arguments. */
function parseArguments(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const args: unknown = JSON.parse(text);
    return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

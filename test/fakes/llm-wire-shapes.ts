/** An answer in neutral words; each API has its own for the same. */
export interface ScriptedAnswer {
  text: string | null;
  toolCalls?: readonly ScriptedCall[];
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** `stop`, `length` and `tool_calls` are translated. */
  finishReason?: string;
}

export interface ScriptedCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** How an API writes answers and says calls, from the server's side. */
export interface WireShape {
  readonly streamType: string;
  asksForStream(body: { stream?: boolean }): boolean;
  whole(answer: ScriptedAnswer): unknown;
  /** The parts of a stream. */
  opening(answer: ScriptedAnswer): string;
  token(text: string): string;
  toolCall(call: ScriptedCall, index: number): string;
  ending(answer: ScriptedAnswer): string;
  error(message: string): unknown;
  /** The calls and results in the messages of a request, arguments as JSON. */
  callsIn(body: unknown): ScriptedCall[];
  resultsIn(body: unknown): { id: string; content: string }[];
}

export function wireShapeOf(path: 'v1/chat/completions' | 'v1/messages' | 'api/chat'): WireShape {
  switch (path) {
    case 'v1/chat/completions':
      return chatCompletions;
    case 'v1/messages':
      return messages;
    case 'api/chat':
      return ollama;
  }
}

interface Block {
  type: string;
  [field: string]: unknown;
}
interface Message {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
  tool_call_id?: string;
}

const messagesOf = (body: unknown): Message[] => (body as { messages: Message[] }).messages;
const blocksOf = (body: unknown): Block[] =>
  messagesOf(body).flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []));
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string; [field: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

const chatCompletions: WireShape = {
  streamType: 'text/event-stream',
  asksForStream: (body) => body.stream === true,
  whole: ({ text, toolCalls, usage, finishReason }) => ({
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(toolCalls
            ? {
                tool_calls: toolCalls.map(({ id, ...called }) => ({
                  id,
                  type: 'function',
                  function: called,
                })),
              }
            : {}),
        },
        finish_reason: finishReason ?? 'stop',
      },
    ],
    ...(usage ? { usage } : {}),
  }),
  opening: () => data({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  token: (content) => data({ choices: [{ index: 0, delta: { content } }] }),
  toolCall: ({ id, ...called }, index) =>
    data({
      choices: [{ index: 0, delta: { tool_calls: [{ index, id, type: 'function', function: called }] } }],
    }),
  ending: ({ finishReason, usage }) =>
    [
      data({ choices: [{ index: 0, delta: {}, finish_reason: finishReason ?? 'stop' }] }),
      usage ? data({ choices: [], usage }) : '',
      'data: [DONE]\n\n',
    ].join(''),
  error: (message) => ({ error: { message } }),
  callsIn: (body) =>
    messagesOf(body)
      .flatMap((message) => message.tool_calls ?? [])
      .map(({ id, function: called }) => ({ id, name: called.name, arguments: String(called.arguments) })),
  resultsIn: (body) =>
    messagesOf(body)
      .filter((message) => message.role === 'tool')
      .map((message) => ({ id: message.tool_call_id ?? '', content: String(message.content) })),
};

const STOP_REASONS = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
]);
const stopReason = (reason = 'stop'): string => STOP_REASONS.get(reason) ?? reason;

const messages: WireShape = {
  streamType: 'text/event-stream; charset=utf-8',
  asksForStream: (body) => body.stream === true,
  whole: ({ text, toolCalls = [], usage, finishReason }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [
      ...(text ? [{ type: 'text', text }] : []),
      ...toolCalls.map(({ id, name, arguments: json }) => ({
        type: 'tool_use',
        id,
        name,
        input: JSON.parse(json) as unknown,
      })),
    ],
    stop_reason: stopReason(finishReason),
    stop_sequence: null,
    ...(usage
      ? { usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens } }
      : {}),
  }),
  opening: ({ usage }) =>
    [
      event({
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [],
          stop_reason: null,
          ...(usage ? { usage: { input_tokens: usage.prompt_tokens, output_tokens: 1 } } : {}),
        },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'ping' }),
    ].join(''),
  token: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  toolCall: ({ id, name, arguments: text }, position) => {
    const index = position + 1;
    // A call without arguments is said by no more than an empty piece.
    const json = text === '{}' ? '' : text;
    const half = Math.ceil(json.length / 2);
    return [
      event({ type: 'content_block_stop', index: position }),
      event({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name, input: {} },
      }),
      ...['', json.slice(0, half), json.slice(half)].map((part) =>
        event({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: part },
        }),
      ),
    ].join('');
  },
  ending: ({ finishReason, usage }) =>
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(finishReason), stop_sequence: null },
      ...(usage ? { usage: { output_tokens: usage.completion_tokens } } : {}),
    }) + event({ type: 'message_stop' }),
  error: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
  callsIn: (body) =>
    blocksOf(body)
      .filter((block) => block.type === 'tool_use')
      .map((block) => ({
        id: String(block['id']),
        name: String(block['name']),
        arguments: JSON.stringify(block['input']),
      })),
  resultsIn: (body) =>
    blocksOf(body)
      .filter((block) => block.type === 'tool_result')
      .map((block) => ({ id: String(block['tool_use_id']), content: String(block['content']) })),
};

const chunk = (message: Record<string, unknown>, rest: Record<string, unknown>): Record<string, unknown> => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...rest,
});
const ollamaCall = ({ id, name, arguments: json }: ScriptedCall, index: number): unknown => ({
  id,
  function: { index, name, arguments: JSON.parse(json) as unknown },
});
/** Ollama calls the end of a reply with tool calls `stop` too. */
const ollamaEnding = ({ finishReason = 'stop', usage }: ScriptedAnswer): Record<string, unknown> => ({
  done: true,
  done_reason: finishReason === 'tool_calls' ? 'stop' : finishReason,
  ...(usage ? { prompt_eval_count: usage.prompt_tokens, eval_count: usage.completion_tokens } : {}),
});

const ollama: WireShape = {
  streamType: 'application/x-ndjson',
  asksForStream: (body) => body.stream !== false,
  whole: (answer) =>
    chunk(
      {
        content: answer.text ?? '',
        ...(answer.toolCalls ? { tool_calls: answer.toolCalls.map(ollamaCall) } : {}),
      },
      ollamaEnding(answer),
    ),
  opening: () => '',
  token: (content) => line(chunk({ content }, { done: false })),
  toolCall: (call, index) => line(chunk({ tool_calls: [ollamaCall(call, index)] }, { done: false })),
  ending: (answer) => line(chunk({}, ollamaEnding(answer))),
  error: (message) => ({ error: message }),
  callsIn: (body) =>
    messagesOf(body)
      .flatMap((message) => message.tool_calls ?? [])
      .map(({ id, function: called }) => ({
        id,
        name: called.name,
        arguments: JSON.stringify(called.arguments),
      })),
  resultsIn: chatCompletions.resultsIn,
};

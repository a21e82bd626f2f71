import {
  DirectChatTransport,
  ToolLoopAgent,
  type ChatTransport,
  type LanguageModel,
  type UIMessage,
} from 'ai';
import type { Memory, Warning } from '../../index.ts';
import { checkMemory } from '../../model/check-memory.ts';
import { anything, checkOptions } from '../../model/check-options.ts';
import { defined } from '../../model/defined.ts';
import { quote } from '../../model/describe.ts';
import { invalidOption } from '../../model/error.ts';
import { loadAhead, memoizeAsync } from '../../model/loading.ts';
import { raiseWarning } from '../../model/memory-warnings.ts';
import { RECALL_LIMITS } from './recall-limits.ts';
import { STREAM_OPTIONS, type MemoryTransportOptions, type TransportAgent } from './transport-options.ts';

/**
 * Returns a transport for `useChat` that remembers. It answers on this page, with an agent or a model and without a server,
 * or by another transport, such as a `DefaultChatTransport` to a route.
 *
 * Recalled text is put before the question; the page's messages are not changed. Each turn is stored once; its question
 * is stored before it is sent. A regenerated or edited message replaces its turn and the turns after it, a
 * stopped answer is kept as `cancelled`, and a turn that waits for a tool of the page, or for its approval, continues
 * with the next request. What has arrived of an answer is stored every two seconds. An answer that `transport` resumes after
 * a reload is shown, and is not stored. The id of a chat is the id of its session; `loadUIMessages` returns its messages.
 *
 * A memory that fails or is too slow never makes a chat fail: a `memory-skipped` or `save-failed` warning is raised.
 *
 * @throws MnemoraError `invalid-option`; `sendMessages` rejects with `invalid-message` if a message is not a UI message
 * @example
 * const transport = memoryTransport(memory, { agent: new ToolLoopAgent({ model, tools }) });
 * const chat = useChat({ id: 'trip', transport, messages: await loadUIMessages(memory, 'trip') });
 */
export function memoryTransport<Message extends UIMessage = UIMessage>(
  memory: Memory,
  options: MemoryTransportOptions<Message>,
): ChatTransport<Message> {
  checkMemory(memory);
  const others = ['agent', 'model', 'instructions', 'transport', ...STREAM_OPTIONS];
  checkOptions<object>('memoryTransport', options, {
    ...RECALL_LIMITS,
    ...Object.fromEntries(others.map((name) => [name, anything])),
  });
  const transport = answeringPart(options);
  const { model } = options as { model?: unknown };
  if (typeof model === 'string') raiseWarning(memory, remoteModel(model));
  const load = memoizeAsync(async () => {
    const { AnsweringTransport } = await import('./answering-transport.ts');
    return new AnsweringTransport(memory, transport, options);
  });
  // The page may be offline at the first question, which then reports the failure.
  loadAhead([load]);
  return {
    sendMessages: async (send) => (await load()).sendMessages(send),
    reconnectToStream: (reconnect) => transport.reconnectToStream(reconnect),
  };
}

function remoteModel(name: string): Warning {
  return {
    code: 'remote-model',
    message: `memoryTransport got ${quote(name)} as model. The AI SDK calls a model given by name through its default provider, a gateway on the network, so questions and recalled text leave this browser. Pass a provider's model object to choose where they go.`,
  };
}

/** Returns what answers: the transport of the page, or one to an agent that runs on this page. */
function answeringPart<Message extends UIMessage>(
  options: MemoryTransportOptions<Message>,
): ChatTransport<Message> {
  const { agent, model, instructions, transport } = options as {
    agent?: TransportAgent;
    model?: LanguageModel;
    instructions?: string;
    transport?: ChatTransport<Message>;
  };
  const given = [agent, model, transport].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw invalidOption(
      'memoryTransport needs one of agent, model and transport, as in memoryTransport(memory, { model }).',
    );
  if (transport !== undefined) {
    if (typeof transport?.sendMessages !== 'function')
      throw invalidOption(
        `transport must be a transport of the AI SDK, such as a DefaultChatTransport; got ${quote(transport)}.`,
      );
    const [unused] = STREAM_OPTIONS.filter((name) => Reflect.get(options, name) !== undefined);
    if (unused !== undefined)
      throw invalidOption(
        `${unused} is an option for an agent or a model. With a transport, its server decides this.`,
      );
    return transport;
  }
  if (model === undefined && typeof agent?.stream !== 'function')
    throw invalidOption(
      `agent must be an agent of the AI SDK, such as a ToolLoopAgent; got ${quote(agent)}.`,
    );
  const answering = model === undefined ? agent : new ToolLoopAgent(defined({ model, instructions }));
  const streamed = Object.fromEntries(STREAM_OPTIONS.map((name) => [name, Reflect.get(options, name)]));
  // Otherwise the SDK hides the error, which is of this page and its user. Its types name the tools, not known here.
  const { onError = messageOf } = options as { onError?: (error: unknown) => string };
  return new DirectChatTransport({
    agent: answering,
    ...streamed,
    onError,
  } as never) as unknown as ChatTransport<Message>;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { RecallLimits } from './recall-limits.ts';
import type { ChatTransport, LanguageModel, ToolSet, UIMessage, UIMessageStreamOptions } from 'ai';

/** Members of an agent of the SDK, such as a `ToolLoopAgent`, that the transport uses. */
export interface TransportAgent {
  readonly version: 'agent-v1';
  readonly tools: ToolSet;
  stream(options: never): PromiseLike<unknown>;
}

/**
 * What answers: an agent, a model from which one is made, or a transport to a server, such as a `DefaultChatTransport`. A
 * model given by name is called through the SDK's default provider, a server on the network, and a `remote-model` warning
 * is raised.
 */
export type MemoryTransportOptions<Message extends UIMessage = UIMessage> = (
  | ((
      | { agent: TransportAgent; transport?: never }
      | { model: LanguageModel; instructions?: string; transport?: never }
    ) &
      Pick<UIMessageStreamOptions<Message>, (typeof STREAM_OPTIONS)[number]>)
  | { transport: ChatTransport<Message> }
) &
  RecallLimits;

/** Options of the SDK for the stream that the page reads. They are passed on unchanged. */
export const STREAM_OPTIONS = [
  'generateMessageId',
  'messageMetadata',
  'onError',
  'sendReasoning',
  'sendSources',
] as const;

import type { RecallLimits } from './recall-limits.ts';
import type { LanguageModel, ToolSet, UIMessage, UIMessageStreamOptions } from 'ai';

/** Members of an agent of the SDK, such as a `ToolLoopAgent`, that the transport uses. */
export interface TransportAgent {
  readonly version: 'agent-v1';
  readonly tools: ToolSet;
  stream(options: never): PromiseLike<unknown>;
}

/**
 * The agent that answers, or a model from which one is made. A model given by name is called through the SDK's default
 * provider, a server on the network, and a `remote-model` warning is raised.
 */
export type MemoryTransportOptions<Message extends UIMessage = UIMessage> = (
  | { agent: TransportAgent }
  | { model: LanguageModel; instructions?: string }
) &
  RecallLimits &
  Pick<UIMessageStreamOptions<Message>, (typeof STREAM_OPTIONS)[number]>;

/** Options of the SDK for the stream that the page reads. They are passed on unchanged. */
export const STREAM_OPTIONS = [
  'generateMessageId',
  'messageMetadata',
  'onError',
  'sendReasoning',
  'sendSources',
] as const;

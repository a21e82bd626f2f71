import type { RecallLimits } from './recall-limits.ts';
import type { LanguageModel, ToolSet, UIMessage, UIMessageStreamOptions } from 'ai';

/** What the transport needs of an agent of the SDK, such as a `ToolLoopAgent`. */
export interface TransportAgent {
  readonly version: 'agent-v1';
  readonly tools: ToolSet;
  stream(options: never): PromiseLike<unknown>;
}

/** Who answers: an agent, or a model that becomes one. */
export type MemoryTransportOptions<Message extends UIMessage = UIMessage> = (
  | { agent: TransportAgent }
  | { model: LanguageModel; instructions?: string }
) &
  RecallLimits &
  Pick<UIMessageStreamOptions<Message>, (typeof STREAM_OPTIONS)[number]>;

/** Options of the SDK for the stream that the page reads, passed on as they are. */
export const STREAM_OPTIONS = [
  'generateMessageId',
  'messageMetadata',
  'onError',
  'sendReasoning',
  'sendSources',
] as const;
/** Names of the options besides the limits. */
export const TRANSPORT_OPTIONS: readonly string[] = ['agent', 'model', 'instructions', ...STREAM_OPTIONS];

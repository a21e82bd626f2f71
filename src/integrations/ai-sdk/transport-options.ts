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
) & {
  /** Maximum number of tokens of what memory adds to a question. @default that of `createMemory` */
  maxTokens?: number;
  /** How sure memory must be that it has something to say, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Longest time in milliseconds that memory may hold up a question, and an answer. @default 5000 */
  timeoutMs?: number;
} & Pick<UIMessageStreamOptions<Message>, (typeof STREAM_OPTIONS)[number]>;

/** Options of the SDK for the stream that the page reads, passed on as they are. */
export const STREAM_OPTIONS = [
  'generateMessageId',
  'messageMetadata',
  'onError',
  'sendReasoning',
  'sendSources',
] as const;
/** Names of all options. */
export const TRANSPORT_OPTIONS: readonly string[] = [
  'agent',
  'model',
  'instructions',
  'maxTokens',
  'minRelevance',
  'timeoutMs',
  ...STREAM_OPTIONS,
];

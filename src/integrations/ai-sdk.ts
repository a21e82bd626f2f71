// Memory for the AI SDK: `ai` 6 and 7.
export { memoryMiddleware } from './ai-sdk/memory-middleware.ts';
export type { RecallLimits } from './ai-sdk/recall-limits.ts';
export { memoryTransport } from './ai-sdk/memory-transport.ts';
export { takeRecalled } from './ai-sdk/take-recalled.ts';
export type { MemoryTransportOptions, TransportAgent } from './ai-sdk/transport-options.ts';
export { loadUIMessages, saveUIMessages } from './ai-sdk/ui-messages.ts';
export { fromAISDK } from './ai-sdk/from-ai-sdk.ts';
export {
  memoryTools,
  type ForgetInput,
  type ForgetOutput,
  type MemoryReferences,
  type MemoryTools,
  type MemoryToolsOptions,
  type MemoryToolsWithForget,
  type RememberedNote,
  type RememberThisInput,
  type SearchMemoryInput,
} from './ai-sdk/tools/memory-tools.ts';
export type { ConfirmForget, ForgetMatch, ForgetRequest } from './ai-sdk/tools/forget-confirmed.ts';
export type { ToolFailure } from './ai-sdk/tools/tool-answer.ts';
export {
  anthropicMemoryHandlers,
  type AnthropicMemoryHandlers,
} from './ai-sdk/anthropic/anthropic-memory.ts';
export type { AnthropicMemoryAction, AnthropicMemoryOptions } from './ai-sdk/anthropic/memory-commands.ts';

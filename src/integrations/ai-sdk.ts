// Memory for the AI SDK: `ai` 6 and 7.
export { memoryMiddleware, type MemoryMiddlewareOptions } from './ai-sdk/memory-middleware.ts';
export {
  memoryTransport,
  type MemoryTransportOptions,
  type TransportAgent,
} from './ai-sdk/memory-transport.ts';
export { loadUIMessages, saveUIMessages } from './ai-sdk/ui-messages.ts';
export { fromAISDK } from './ai-sdk/from-ai-sdk.ts';

/** The subset used of the browser's `LanguageModel`, the Prompt API of Chrome and Edge. */
export interface LanguageModelApi {
  availability(options?: object): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options?: LanguageModelCreateOptions): Promise<LanguageModelSession>;
}

export interface LanguageModelCreateOptions {
  /** A system message, if any, comes first. */
  initialPrompts?: LanguageModelMessage[];
  signal?: AbortSignal;
  monitor?: (monitor: EventTarget) => void;
  [option: string]: unknown;
}

export interface LanguageModelSession {
  /** A stream of text pieces. With some options of the session pieces are `{ type, value }` instead. */
  promptStreaming(
    input: LanguageModelMessage[],
    options?: { signal?: AbortSignal; responseConstraint?: object },
  ): ReadableStream<unknown>;
  destroy(): void;
}

export interface LanguageModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

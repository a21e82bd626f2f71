import { tokenStream } from '../../llm/token-stream.ts';

/** Options of a call to a runnable. */
export interface RunnableOptions {
  signal?: AbortSignal;
  /** Called with each piece of text as it arrives. Set if a stream is wanted. */
  onToken?: (text: string) => void;
}

/** A function that returns an answer. An `LLM` is not one, because its input is a request: wrap it with `llmRunnable`. */
export type RunnableFunction<Input, Output> = (
  input: Input,
  options: RunnableOptions,
) => Output | Promise<Output>;

/** An object that returns an answer and may stream it. Chunks are strings, messages or objects that add up to an output. */
export interface RunnableObject<Input, Output, Chunk = string> {
  invoke(input: Input, options: RunnableOptions): Output | Promise<Output>;
  stream?(input: Input, options: RunnableOptions): AsyncIterable<Chunk> | Promise<AsyncIterable<Chunk>>;
}

/** A function or object that returns an answer for an input. */
export type Runnable<Input, Output, Chunk = string> =
  | RunnableFunction<Input, Output>
  | RunnableObject<Input, Output, Chunk>;

/** Calls a runnable. A synchronous throw becomes a rejection. */
export async function callRunnable<Input, Output, Chunk>(
  runnable: Runnable<Input, Output, Chunk>,
  input: Input,
  options: RunnableOptions,
): Promise<Output> {
  return typeof runnable === 'function' ? runnable(input, options) : runnable.invoke(input, options);
}

/**
 * Yields a runnable's chunks, or the text that it reports if it has no `stream`. Returns the whole output, or undefined
 * if there are only chunks.
 */
export async function* streamRunnable<Input, Output, Chunk>(
  runnable: Runnable<Input, Output, Chunk>,
  input: Input,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk | string, Output | undefined, undefined> {
  if (typeof runnable === 'object' && runnable.stream) {
    yield* await runnable.stream(input, signal ? { signal } : {});
    return undefined;
  }
  return yield* tokenStream(
    (onToken, stop) => callRunnable(runnable, input, { signal: stop, onToken }),
    signal,
  );
}

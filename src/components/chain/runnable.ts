import { tokenStream } from '../../llm/token-stream.ts';

/** What a runnable is given beside its input. */
export interface RunnableOptions {
  signal?: AbortSignal;
  /** Present where a stream is wanted: takes each piece of text as it arrives. */
  onToken?: (text: string) => void;
}

/** A function that answers. An `LLM` is not one, because it takes a request: wrap it with `llmRunnable`. */
export type RunnableFunction<Input, Output> = (
  input: Input,
  options: RunnableOptions,
) => Output | Promise<Output>;

/** An object that answers, and may stream its answer. Chunks are strings, messages or objects, and add up to an output. */
export interface RunnableObject<Input, Output, Chunk = string> {
  invoke(input: Input, options: RunnableOptions): Output | Promise<Output>;
  stream?(input: Input, options: RunnableOptions): AsyncIterable<Chunk> | Promise<AsyncIterable<Chunk>>;
}

/** Anything that turns an input into an answer. */
export type Runnable<Input, Output, Chunk = string> =
  | RunnableFunction<Input, Output>
  | RunnableObject<Input, Output, Chunk>;

/** Calls a runnable; what it throws at once is a rejection like any other. */
export async function callRunnable<Input, Output, Chunk>(
  runnable: Runnable<Input, Output, Chunk>,
  input: Input,
  options: RunnableOptions,
): Promise<Output> {
  return typeof runnable === 'function' ? runnable(input, options) : runnable.invoke(input, options);
}

/**
 * Yields a runnable's chunks, or the text that it reports where it has no `stream`; returns the whole output, or
 * `undefined` where the chunks are all there is.
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

/** Maximum time in milliseconds that a stream may continue after it was stopped. */
const STOP_MS = 500;

/**
 * Forwards a stream, and reads it to its end even after the reader has stopped or `signal` has aborted: only the end
 * contains how the answer finished, and not every browser notifies a transform that its reader has left. A stream that
 * then stalls, because its model ignores the signal, is canceled.
 *
 * @param stop is called when the reader has left for any reason other than an error in the stream, to end its source
 */
export function readToEnd<Part extends { readonly type: string }>(
  stream: ReadableStream<Part>,
  signal: AbortSignal,
  stop: (reason: unknown) => void,
): ReadableStream<Part> {
  const reader = stream.getReader();
  let hasFailed = false;
  const drain = async (): Promise<void> => {
    const timer = setTimeout(() => void reader.cancel(signal.reason).catch(() => undefined), STOP_MS);
    try {
      while (!(await reader.read()).done);
    } catch {
      // The stream has ended anyway.
    } finally {
      clearTimeout(timer);
    }
  };
  signal.addEventListener('abort', () => void drain(), { once: true });
  return new ReadableStream<Part>({
    async pull(controller) {
      const { done, value } = await reader.read();
      hasFailed ||= value?.type === 'error';
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      if (!hasFailed) stop(reason);
      await drain();
    },
  });
}

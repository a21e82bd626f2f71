/** Longest time in milliseconds that a stream may go on after it was stopped. */
const STOP_MS = 500;

/**
 * Passes a stream on, and reads it to its end when the reader has stopped or `signal` aborts: only there does the SDK tell
 * how an answer has ended, and not every browser tells a transform that its reader has left. A stream that then stands
 * still, because its model does not listen to the signal, is canceled.
 *
 * @param stop is called when the reader has left for another reason than an error in the stream, to end what makes it
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
      // It has ended all the same.
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

/** A call that reports its text in pieces and should stop when the signal aborts. */
export type TokenCall<T> = (onToken: (text: string) => void, signal: AbortSignal) => T | Promise<T>;

/**
 * Converts a call that reports its text through a callback into an async iteration over that text.
 *
 * The call starts with the first `next`. Yields the pieces in order, then returns the call's result or throws its
 * error. An abort throws the signal's reason at once; leaving early aborts the signal that was passed to the call.
 */
export async function* tokenStream<T>(
  call: TokenCall<T>,
  signal?: AbortSignal,
): AsyncGenerator<string, T, undefined> {
  const left = new AbortController();
  const pieces: string[] = [];
  let isSettled = false;
  let wake: () => void = () => undefined;
  const wakeUp = (): void => wake();
  const onToken = (text: string): void => {
    if (text !== '') pieces.push(text);
    wakeUp();
  };
  signal?.addEventListener('abort', wakeUp);
  try {
    const both = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
    const result = (async () => call(onToken, both))();
    // The handlers also prevent an unhandled rejection if an abandoned call fails.
    const settle = (): void => {
      isSettled = true;
      wakeUp();
    };
    result.then(settle, settle);
    for (;;) {
      signal?.throwIfAborted();
      const piece = pieces.shift();
      if (piece !== undefined) yield piece;
      else if (isSettled) return await result;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', wakeUp);
    left.abort(new DOMException('The stream was closed before its end.', 'AbortError'));
  }
}

/** Like {@link tokenStream}, for a call that also returns the whole text: if it does not stream, that is the one piece. */
export async function* textStream(
  call: TokenCall<string>,
  signal?: AbortSignal,
): AsyncGenerator<string, string, undefined> {
  let hasPieces = false;
  const text = yield* tokenStream((onToken, stop) => {
    const pass = (piece: string): void => {
      hasPieces ||= piece !== '';
      onToken(piece);
    };
    return call(pass, stop);
  }, signal);
  if (!hasPieces && text !== '') yield text;
  return text;
}

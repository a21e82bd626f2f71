import { type LLM, MnemoraError } from '../../src/index.ts';

/** Limit of an answer, far above what a model writes at once. Longer ones are neither stored nor drawn whole. */
export const MAX_REPLY_CHARACTERS = 200_000;

/**
 * Wraps a model so that its request is aborted once its reply is too long. What was received until then remains as an
 * interrupted answer.
 *
 * @throws MnemoraError `llm-reply` (the returned model)
 */
export function limitedReply(llm: LLM): LLM {
  return async (request) => {
    const { onToken, signal } = request;
    const tooLong = new AbortController();
    const signals = signal ? [signal, tooLong.signal] : [tooLong.signal];
    let characters = 0;
    const check = (length: number): void => {
      if (length <= MAX_REPLY_CHARACTERS) return;
      const text = `The reply has more than ${MAX_REPLY_CHARACTERS} characters. Ask for a shorter one.`;
      tooLong.abort(new MnemoraError('llm-reply', text));
    };
    const reply = await llm({
      ...request,
      signal: AbortSignal.any(signals),
      ...(onToken && {
        onToken(text: string) {
          characters += text.length;
          check(characters);
          if (!tooLong.signal.aborted) onToken(text);
        },
      }),
    });
    check((typeof reply === 'string' ? reply : reply.text).length);
    tooLong.signal.throwIfAborted();
    return reply;
  };
}

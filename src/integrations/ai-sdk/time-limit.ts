import type { Memory, Warning } from '../../index.ts';
import { raiseWarning } from '../../model/memory-warnings.ts';

/** Maximum time in milliseconds that a chat waits for its memory before an answer, and again after it. */
export const PATIENCE_MS = 5_000;

/**
 * Resolves to the result of `work`, or to undefined, with a warning, if it fails or takes longer than `ms`; its signal
 * then aborts. The chat continues without its memory.
 */
export async function unlessLate<T>(
  memory: Memory,
  ms: number,
  { code, message }: Pick<Warning, 'code' | 'message'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const late = new AbortController();
  const reason = new DOMException(`No answer within ${ms} ms.`, 'TimeoutError');
  const timer = setTimeout(() => late.abort(reason), ms);
  const isLate = new Promise<never>((_resolve, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason));
  });
  try {
    return await Promise.race([work(late.signal), isLate]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    raiseWarning(memory, { code, message: `${message} ${why}`, cause });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

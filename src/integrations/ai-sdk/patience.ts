import type { Memory, Warning } from '../../index.ts';
import { withTimeLimit } from '../../model/abortable.ts';
import { raiseWarning } from '../../model/memory-warnings.ts';

/** Maximum time in milliseconds that a chat waits for its memory before an answer, and again after it. */
export const PATIENCE_MS = 5_000;

/** Warning that an answer was not stored. */
export const NOT_SAVED = { code: 'save-failed', message: 'The answer could not be stored.' } as const;

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
  const late = (): Error => new DOMException(`No answer within ${ms} ms.`, 'TimeoutError');
  try {
    return await withTimeLimit(ms, undefined, late, work);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    raiseWarning(memory, { code, message: `${message} ${why}`, cause });
    return undefined;
  }
}

import { MnemoraError } from '../model/error.ts';
import type { LLMRequest } from './llm.ts';

/**
 * Checks that a model was called with a request, and not with bare messages as a runnable is.
 *
 * @throws MnemoraError `invalid-input` if it was not
 */
export function checkRequest(request: LLMRequest | undefined): void {
  if (Array.isArray(request?.messages)) return;
  throw new MnemoraError(
    'invalid-input',
    'A model takes { messages: [...] }. To give it to withMessageHistory, wrap it: llmRunnable(llm).',
  );
}

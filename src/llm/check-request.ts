import { MnemoraError } from '../model/error.ts';
import type { LLMRequest } from './llm.ts';

/** Whoever hands a model over as a runnable calls it with bare messages. @throws MnemoraError `invalid-input` */
export function checkRequest(request: LLMRequest | undefined): void {
  if (Array.isArray(request?.messages)) return;
  throw new MnemoraError(
    'invalid-input',
    'A model takes { messages: [...] }. To give it to withMessageHistory, wrap it: llmRunnable(llm).',
  );
}

import { MnemoraError } from '../model/error.ts';
import type { LLMReply } from './llm.ts';

/** Returns the text of a reply. @throws MnemoraError `llm-reply` if the caller's model returned something else */
export function requireReplyText(reply: LLMReply): string {
  if (typeof reply?.text === 'string') return reply.text;
  throw new MnemoraError(
    'llm-reply',
    'The model answered with no text. The function given as a model must resolve to { text }, a string.',
  );
}

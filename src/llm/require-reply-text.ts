import { MnemoraError } from '../model/error.ts';
import type { LLMReply } from './llm.ts';

/** The text of a reply. @throws MnemoraError `llm-reply` where a hand-written model answered with something else */
export function requireReplyText(reply: LLMReply): string {
  if (typeof reply?.text === 'string') return reply.text;
  throw new MnemoraError(
    'llm-reply',
    'The model answered with no text. The function given as a model must resolve to { text }, a string.',
  );
}

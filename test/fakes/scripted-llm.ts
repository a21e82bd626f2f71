import type { LLM, LLMRequest } from '../../src/llm/llm.ts';
import { messageText } from '../../src/model/message.ts';

/** A model that answers by the rules given, and what it was asked. */
export interface ScriptedLLM {
  readonly llm: LLM;
  /** The text of every call, oldest first. */
  readonly prompts: readonly string[];
}

/** A reply, or what to do to get one. */
export type ScriptedReply = string | ((prompt: string, request: LLMRequest) => string | Promise<string>);

/** A model that gives the replies in order, then `NONE`. An `Error` is thrown. */
export function scriptedLLM(...replies: readonly (ScriptedReply | Error)[]): ScriptedLLM {
  const left = [...replies];
  const prompts: string[] = [];
  const llm: LLM = async (request) => {
    const prompt = request.messages.map(messageText).join('\n');
    prompts.push(prompt);
    const reply = left.shift() ?? 'NONE';
    if (reply instanceof Error) throw reply;
    return { text: typeof reply === 'string' ? reply : await reply(prompt, request) };
  };
  return { llm, prompts };
}

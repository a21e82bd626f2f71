import { MnemoraError } from '../model/error.ts';
import { messageText, type ChatMessage } from '../model/message.ts';
import type { LanguageModelMessage } from './language-model-api.ts';

/** A conversation for the Prompt API: the initial prompts of the session, and the prompt to answer. */
export interface Prompt {
  initialPrompts: LanguageModelMessage[];
  input: LanguageModelMessage[];
}

/**
 * Converts messages. All system texts are joined into the one system message that the API accepts.
 *
 * @throws MnemoraError `invalid-input` if a message is not text only, or there is no message to answer
 */
export function toPrompt(messages: readonly ChatMessage[]): Prompt {
  const system: string[] = [];
  const spoken: LanguageModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') system.push(message.content);
    else spoken.push({ role: speakerOf(message, index), content: spokenText(message, index) });
  }
  const last = spoken.pop();
  if (!last) throw invalid('The built-in language model needs a message of the user to answer');
  const instruction = system.filter((text) => text.trim() !== '').join('\n\n');
  return {
    initialPrompts: [
      ...(instruction === '' ? [] : [{ role: 'system' as const, content: instruction }]),
      ...spoken,
    ],
    input: [last],
  };
}

function speakerOf(message: ChatMessage, index: number): 'user' | 'assistant' {
  if (message.role === 'tool') throw notText(index, 'is the result of a tool');
  if (message.role === 'assistant' && message.tool_calls?.length) throw notText(index, 'calls a tool');
  return message.role === 'assistant' ? 'assistant' : 'user';
}

function spokenText(message: ChatMessage, index: number): string {
  const { content } = message;
  const other = Array.isArray(content) ? content.find((part) => part.type !== 'text') : undefined;
  if (other) throw notText(index, `has a part of type "${other.type}"`);
  return messageText(message);
}

function notText(index: number, what: string): MnemoraError {
  return invalid(
    `Message ${index} ${what}, and the built-in language model takes text only. Leave the message out, or use fetchLLM`,
  );
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', `${message}.`);
}

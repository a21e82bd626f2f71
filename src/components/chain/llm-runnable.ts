import type { LLM, LLMReply } from '../../llm/llm.ts';
import { promptTemplate, type PromptTemplate } from '../../llm/prompt-template.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Values } from '../langchain/base-memory.ts';
import { promptValues } from './prompt-values.ts';
import type { RunnableFunction, RunnableOptions } from './runnable.ts';

/**
 * A model as a runnable. Alone it takes a list of messages; with a prompt it takes the prompt's variables, of which
 * lists of messages are written out as text, and sends the rendered prompt as one user message.
 *
 * @throws MnemoraError `invalid-option` on a malformed prompt
 * @example withMessageHistory(llmRunnable(llm), { getSessionHistory })
 */
export function llmRunnable(llm: LLM): RunnableFunction<readonly ChatMessage[], LLMReply>;
export function llmRunnable(llm: LLM, prompt: string | PromptTemplate): RunnableFunction<Values, LLMReply>;
export function llmRunnable(
  llm: LLM,
  prompt?: string | PromptTemplate,
): RunnableFunction<readonly ChatMessage[], LLMReply> | RunnableFunction<Values, LLMReply> {
  if (prompt === undefined) {
    return (messages: readonly ChatMessage[], options: RunnableOptions) => llm({ messages, ...options });
  }
  const template = typeof prompt === 'string' ? promptTemplate(prompt) : prompt;
  return async (values: Values, options: RunnableOptions) =>
    llm({ messages: [{ role: 'user', content: template.format(promptValues(values)) }], ...options });
}

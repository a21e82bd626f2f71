import type { LLM, LLMReply } from '../../llm/llm.ts';
import { promptTemplate, type PromptTemplate } from '../../llm/prompt-template.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Values } from '../langchain/base-memory.ts';
import { promptValues } from './prompt-values.ts';
import type { RunnableFunction, RunnableOptions } from './runnable.ts';

/**
 * Returns a model as a runnable. Without a prompt its input is a list of messages. With a prompt its input is the
 * prompt's variables, and the rendered prompt is sent as one user message; lists of messages are rendered as text.
 *
 * @throws MnemoraError `invalid-option` if the prompt is malformed
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

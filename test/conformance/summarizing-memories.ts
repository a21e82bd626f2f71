import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import {
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
} from '../../src/components/langchain/summary-memories.ts';
import type { Given } from './case.ts';
import type { BuiltMemory } from './subject.ts';
import { tokenCounter } from './token-counters.ts';
import type { World } from './world.ts';

export async function buildSummaryMemory(
  given: Given,
  chatHistory: ChatMessageHistory,
  world: World,
): Promise<BuiltMemory> {
  const { fromMessages, ...options } = optionsOf(given, world);
  const history = chatHistory;
  const memory =
    fromMessages === undefined
      ? new ConversationSummaryMemory({ ...options, chatHistory })
      : await ConversationSummaryMemory.fromMessages(chatHistory, { ...options, ...fromMessages });
  return { memory, history, stored: async () => (await chatHistory.getMessages()).length };
}

export async function buildSummaryBufferMemory(
  given: Given,
  chatHistory: ChatMessageHistory,
  world: World,
): Promise<BuiltMemory> {
  const tokenizer = tokenCounter(given.llm?.tokenCounter ?? given.tokenCounter ?? 'words');
  const { fromMessages, ...rest } = optionsOf(given, world);
  const options = { ...rest, tokenizer };
  const memory =
    fromMessages === undefined
      ? new ConversationSummaryBufferMemory({ ...options, chatHistory })
      : await ConversationSummaryBufferMemory.fromMessages(chatHistory, { ...options, ...fromMessages });
  return { memory, history: chatHistory, stored: () => countBeyondCursor(chatHistory) };
}

/** Messages that no summary covers. */
async function countBeyondCursor(history: ChatMessageHistory): Promise<number> {
  const state = await history.summaries?.load('summary-buffer');
  const coversSeq = state?.summary?.coversSeq ?? -1;
  return (await history.list()).filter((message) => message.seq > coversSeq).length;
}

type CaseOptions = Readonly<Record<string, unknown>> & {
  readonly fromMessages?: { readonly summarizeStep?: number };
  readonly promptVariables?: readonly string[];
};

function optionsOf(given: Given, world: World) {
  const { promptVariables, ...options } = (given.options ?? {}) as CaseOptions;
  const variables = promptVariables ?? given.promptVariables;
  return {
    ...options,
    ...(variables
      ? { prompts: { summary: `A prompt. ${variables.map((name) => `{${name}}`).join(' ')}` } }
      : world.promptsOption(['summary'])),
    llm: world.newLLM(given),
    onWarning: world.onWarning,
  };
}

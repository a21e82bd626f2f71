import { describe, expect, it } from 'vitest';
import { coerceMessageLikeToMessage, HumanMessage } from '@langchain/core/messages';
import {
  CombinedMemory,
  ConversationBufferMemory,
  ConversationChain,
  ConversationEntityMemory,
  ConversationKGMemory,
  ConversationSummaryMemory,
  ConversationTokenBufferMemory,
  InMemoryChatMessageHistory,
  langChainHistory,
  trimMessages,
  withMessageHistory,
  type ChatMessage,
} from '../../../src/langchain.ts';
import { MessageWindowChatMemory } from '../../../src/langchain4j.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { collectUncaught } from '../../fixtures/faults/uncaught-errors.ts';

const thrown = new Error('from the listener');
const onWarning = (): never => {
  throw thrown;
};
const failing = (): Promise<never> => Promise.reject(new Error('The model is down.'));
const tokenizer = approximateTokenizer();
const user = (content: string): ChatMessage => ({ role: 'user', content });
const TURN = [{ input: 'I am Ada.' }, { output: 'Hello Ada!' }] as const;

/** A history whose writes fail. */
class FullHistory extends InMemoryChatMessageHistory {
  override addMessages(): Promise<void> {
    return Promise.reject(new Error('disk full'));
  }
}

/** Does what raises warnings, and returns what was reported as uncaught. */
async function uncaughtIn(work: () => Promise<void>): Promise<ReadonlySet<unknown>> {
  using uncaught = collectUncaught();
  await work();
  await new Promise((resolve) => setTimeout(resolve));
  return new Set(uncaught.errors);
}
const REPORTED = new Set([thrown]);

describe('a listener of warnings that throws', () => {
  it.each([
    ['ConversationSummaryMemory', ConversationSummaryMemory],
    ['ConversationEntityMemory', ConversationEntityMemory],
    ['ConversationKGMemory', ConversationKGMemory],
  ])('CMP-80: does not fail a save or a load of %s', async (_name, Component) => {
    const uncaught = await uncaughtIn(async () => {
      const memory = new Component({ llm: failing, onWarning });
      await memory.saveContext(...TURN);
      await memory.loadMemoryVariables({ input: 'Who am I?' });
      expect(await memory.chatHistory.getMessages()).toHaveLength(2);
    });
    expect(uncaught).toEqual(REPORTED);
  });

  it('CMP-80: does not fail a load that exceeds its limit', async () => {
    const uncaught = await uncaughtIn(async () => {
      for (const Component of [ConversationBufferMemory, ConversationTokenBufferMemory]) {
        const memory = new Component({ maxTokenLimit: 1, tokenizer, onWarning });
        await memory.saveContext(...TURN);
        expect(await memory.loadMemoryVariables({})).toHaveProperty('history');
      }
    });
    expect(uncaught).toEqual(REPORTED);
  });

  it('CMP-80: does not fail a save that guesses its output', async () => {
    const uncaught = await uncaughtIn(async () => {
      const memory = new CombinedMemory({ memories: [new ConversationBufferMemory({ onWarning })] });
      await memory.saveContext({ input: 'a' }, { answer: 'b', docs: 'c' });
      expect(await memory.loadMemoryVariables({})).toEqual({ history: 'Human: a\nAI: b' });
    });
    expect(uncaught).toEqual(REPORTED);
  });

  it('CMP-80: does not lose an answer of a chain that cannot be saved', async () => {
    const uncaught = await uncaughtIn(async () => {
      const chatHistory = new FullHistory();
      const memory = new ConversationBufferMemory({ chatHistory });
      const chain = new ConversationChain({ llm: async () => 'Hello!', memory, onWarning });
      expect(await chain.predict('Hi.')).toBe('Hello!');
      const chat = withMessageHistory(() => 'Hello!', { getSessionHistory: () => chatHistory, onWarning });
      expect(await chat.invoke('Hi.', { configurable: { sessionId: 's' } })).toBe('Hello!');
    });
    expect(uncaught).toEqual(REPORTED);
  });

  it('CMP-80: does not hide why messages of LangChain were not stored', async () => {
    const uncaught = await uncaughtIn(async () => {
      const history = langChainHistory(new FullHistory(), coerceMessageLikeToMessage, { onWarning });
      await expect(history.addMessages([new HumanMessage('Hi.')])).rejects.toThrow('disk full');
    });
    expect(uncaught).toEqual(REPORTED);
  });

  it('CMP-80: does not fail what is stored in a chat memory, or what is trimmed', async () => {
    const uncaught = await uncaughtIn(async () => {
      const memory = new MessageWindowChatMemory({ maxMessages: 1, onWarning });
      await memory.addAll([{ role: 'system', content: 'Be brief.' }, user('Hi.')]);
      expect(await memory.messages()).toHaveLength(2);
      expect(await trimMessages([user('Hello there.')], { maxTokens: 1, tokenizer, onWarning })).toHaveLength(
        1,
      );
    });
    expect(uncaught).toEqual(REPORTED);
  });
});

import { describe, expect, it } from 'vitest';
import { withMemory, type LLM } from '../../../src/index.ts';
import {
  ConversationBufferMemory,
  ConversationChain,
  InMemoryChatMessageHistory,
  llmRunnable,
  withMessageHistory,
} from '../../../src/langchain.ts';
import { llmExtractor } from '../../../src/extract.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const plain: LLM = async () => 'Hello Jack.';
const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('the reply of a model', () => {
  it('LLM-39: withMemory returns and stores a plain string, also as a stream', async () => {
    const memory = await memoryOf({ storage: 'memory', learning: false });
    const chat = withMemory(plain, memory);
    expect(await chat.send('I am Jack.')).toBe('Hello Jack.');
    const pieces: string[] = [];
    for await (const piece of chat.stream('Once more.')) pieces.push(piece);
    expect(pieces).toEqual(['Hello Jack.']);
    expect((await memory.history()).map(({ content, state }) => [content, state])).toEqual([
      ['I am Jack.', 'complete'],
      ['Hello Jack.', 'complete'],
      ['Once more.', 'complete'],
      ['Hello Jack.', 'complete'],
    ]);
  });

  it('LLM-39: an extractor reads a plain string', async () => {
    const summary = { summary: '', newLines: 'Human: I am Jack.' };
    expect(await llmExtractor(plain).summarize(summary)).toBe('Hello Jack.');
  });

  it('LLM-39: a chain and a runnable return a plain string, and store it', async () => {
    const chatHistory = new InMemoryChatMessageHistory();
    const chain = new ConversationChain({
      llm: plain,
      memory: new ConversationBufferMemory({ chatHistory }),
    });
    expect(await chain.predict('I am Jack.')).toBe('Hello Jack.');
    const runnable = llmRunnable(plain);
    expect(await runnable([{ role: 'user', content: 'Hi.' }], {})).toEqual({ text: 'Hello Jack.' });
    const chat = withMessageHistory(runnable, { getSessionHistory: () => chatHistory });
    await chat.invoke([{ role: 'user', content: 'Hi.' }], { configurable: { sessionId: 's' } });
    expect((await chatHistory.getMessages()).map(({ content }) => content)).toEqual([
      'I am Jack.',
      'Hello Jack.',
      'Hi.',
      'Hello Jack.',
    ]);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'a number'],
    [['Hello'], 'an array'],
    [new Response('secret'), 'an object whose text is a function'],
    [{}, 'an empty object'],
    [{ choices: ['secret'], usage: 1 }, 'an object with choices, usage'],
    [{ text: { value: 'secret' } }, 'an object whose text is an object with value'],
  ])('LLM-40: %j is rejected as %s', async (reply, description) => {
    const llm = (async () => reply) as unknown as LLM;
    const failure = llmExtractor(llm).summarize({ summary: '', newLines: 'x' });
    await expect(failure).rejects.toMatchObject({
      code: 'llm-reply',
      message: `The llm function returned ${description}. It must return a string, or an object { text } whose text is a string.`,
    });
  });

  it.each([
    ['that are not a list', {}],
    ['without a function', [{ id: 'c', name: 'f', args: {} }]],
    ['without an id', [{ type: 'function', function: { name: 'f', arguments: '{}' } }]],
    ['without a name', [{ id: 'c', type: 'function', function: { arguments: '{}' } }]],
    ['with parsed arguments', [{ id: 'c', type: 'function', function: { name: 'f', arguments: { a: 1 } } }]],
    ['one of which is null', [CALL, null]],
  ])('LLM-85: toolCalls %s reject with llm-reply, and the turn ends as failed', async (_which, toolCalls) => {
    const memory = await memoryOf({ storage: 'memory', learning: false });
    for (const text of ['', 'secret']) {
      const llm = (async () => ({ text, toolCalls })) as unknown as LLM;
      await expect(withMemory(llm, memory).send('Hi.')).rejects.toMatchObject({
        code: 'llm-reply',
        message: expect.stringMatching(
          /^The llm function returned toolCalls that are not a list of (?!.*secret)/,
        ),
      });
      expect((await memory.history()).at(-1)).toMatchObject({ content: 'Hi.', state: 'failed' });
    }
  });
});

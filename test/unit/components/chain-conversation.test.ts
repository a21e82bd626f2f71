import { describe, expect, it } from 'vitest';
import type { LLM, LLMReply, LLMRequest } from '../../../src/llm/llm.ts';
import { promptTemplate } from '../../../src/llm/prompt-template.ts';
import type { Warning } from '../../../src/model/warning.ts';
import {
  ConversationChain,
  type ConversationChainOptions,
} from '../../../src/components/chain/conversation-chain.ts';
import { chooseInputKey } from '../../../src/components/langchain/input-key.ts';
import type {
  BaseMemory,
  SaveContextOptions,
  Values,
} from '../../../src/components/langchain/base-memory.ts';

interface Saved {
  inputs: Values;
  outputs: Values;
  options: SaveContextOptions | undefined;
}

function memoryOf(
  loaded: Record<string, unknown>,
  inputKey?: string,
): BaseMemory & { saved: Saved[]; loads: number } {
  return {
    saved: [],
    loads: 0,
    memoryKeys: Object.keys(loaded),
    checkInputs(inputs) {
      chooseInputKey(inputs, { inputKey, exclude: this.memoryKeys });
    },
    async loadMemoryVariables() {
      this.loads += 1;
      return { ...loaded };
    },
    async saveContext(inputs, outputs, options) {
      this.saved.push({ inputs, outputs, options });
    },
    async clear() {},
  };
}

function llmOf(...replies: string[]): LLM & { requests: LLMRequest[] } {
  const requests: LLMRequest[] = [];
  const llm: LLM = async (request) => {
    requests.push(request);
    const text = replies.shift();
    if (text === undefined) throw new Error('llm down');
    return { text };
  };
  return Object.assign(llm, { requests });
}

describe('construction', () => {
  const build = (options: Partial<ConversationChainOptions>): (() => ConversationChain) => {
    return () => new ConversationChain({ llm: llmOf(), memory: memoryOf({ history: '' }), ...options });
  };
  const refusal = (text: string): unknown =>
    expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(text) });

  it('CHN-9: an input or output key that equals a memory variable is rejected', () => {
    expect(build({ memory: memoryOf({ foo: '' }), prompt: '{foo}', inputKey: 'foo' })).toThrow(
      refusal('overlap'),
    );
    expect(build({ outputKey: 'history' })).toThrow(refusal('overlap'));
    expect(build({ outputKey: 'input' })).toThrow(refusal('overlap'));
  });

  it('CHN-10: the prompt must use exactly the memory variables and the inputs', () => {
    const text = refusal('unexpected prompt input variables');
    for (const options of [
      { prompt: 'none', inputKey: 'input' },
      { prompt: 'none' },
      { prompt: '{input}' },
      { prompt: '{history}' },
      { prompt: '{history}{other}', inputKey: 'input' },
      { prompt: '{history}{input}{other}', inputKey: 'input' },
    ]) {
      expect(build(options), JSON.stringify(options)).toThrow(text);
    }
    expect(build({ prompt: promptTemplate('{history}{input}'), inputKey: 'input' })).not.toThrow();
    expect(build({})).not.toThrow();
  });

  it('CHN-10: unknown options and a missing model or memory are rejected', () => {
    for (const options of [{ outputkey: 'x' }, { llm: undefined }, { memory: undefined }]) {
      expect(build(options as unknown as Partial<ConversationChainOptions>)).toThrow(refusal(''));
    }
  });
});

describe('call', () => {
  it('CHN-11: the formatted prompt is sent as one user message and the turn is saved', async () => {
    const memory = memoryOf({ history: 'Human: a\nAI: {b}' });
    const llm = llmOf('hello');
    const chain = new ConversationChain({ llm, memory, prompt: '{history}\nHuman: {input}\nAI:' });
    expect(await chain.predict({ input: 'x' })).toBe('hello');
    expect(llm.requests).toEqual([
      { messages: [{ role: 'user', content: 'Human: a\nAI: {b}\nHuman: x\nAI:' }] },
    ]);
    expect(memory.saved).toEqual([{ inputs: { input: 'x' }, outputs: { text: 'hello' }, options: {} }]);
  });

  it('CHN-11: memory values that are messages or objects are formatted as text', async () => {
    const llm = llmOf('ok');
    const memory = memoryOf({
      history: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'ho' },
      ],
      facts: ['one', 'two'],
      entities: { Ada: 'a person' },
      none: [],
    });
    const chain = new ConversationChain({
      llm,
      memory,
      prompt: '{history}|{facts}|{entities}|{none}|{q}',
    });
    await chain.invoke('x');
    expect(llm.requests[0]?.messages[0]?.content).toBe('Human: hi\nAI: ho|one\ntwo|{"Ada":"a person"}||x');
  });

  it('CHN-12: invoke returns inputs, memory variables and the answer, and accepts a plain string', async () => {
    const chain = new ConversationChain({
      llm: llmOf('r'),
      memory: memoryOf({ baz: 'foo' }),
      prompt: '{baz}{foo}',
      outputKey: 'bar',
    });
    expect(await chain.invoke('str')).toEqual({ foo: 'str', baz: 'foo', bar: 'r' });
  });

  it('CHN-12: a plain string for several inputs and a missing input are rejected first', async () => {
    const memory = memoryOf({ history: '' }, 'a');
    const llm = llmOf('ok');
    const chain = new ConversationChain({ llm, memory, prompt: '{history}{a}{b}' });
    await expect(chain.invoke('x')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(chain.invoke({ a: '1' })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(memory.loads).toBe(0);
    expect(llm.requests).toEqual([]);
    expect(await chain.predict({ a: '1', b: '2' })).toBe('ok');
    expect(memory.saved).toHaveLength(1);
  });

  it('CHN-13: an ambiguous input is rejected before the model is called', async () => {
    const memory = memoryOf({ history: '' });
    const llm = llmOf('ok');
    const chain = new ConversationChain({ llm, memory, prompt: '{history}{a}{b}' });
    await expect(chain.invoke({ a: '1', b: '2' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('a, b'),
    });
    expect(llm.requests).toEqual([]);
  });

  it('CHN-14: when the model fails, nothing is stored', async () => {
    const memory = memoryOf({ history: '' });
    const chain = new ConversationChain({ llm: llmOf(), memory });
    await expect(chain.invoke({ input: 'x' })).rejects.toThrow('llm down');
    expect(memory.saved).toEqual([]);
  });

  it('CHN-15: when saving fails the answer is returned, with a warning', async () => {
    const cause = new Error('disk full');
    const memory = { ...memoryOf({ history: '' }), saveContext: () => Promise.reject(cause) };
    const warnings: Warning[] = [];
    const options = { memory, onWarning: (warning: Warning) => void warnings.push(warning) };
    const chain = new ConversationChain({ llm: llmOf('ok'), ...options });
    expect(await chain.predict('x')).toBe('ok');
    expect(warnings).toMatchObject([{ code: 'save-failed', cause }]);
  });

  it('CHN-16: signal reaches the model, turnId the memory, and an aborted call stores nothing', async () => {
    const memory = memoryOf({ history: '' });
    const llm = llmOf('one', 'two');
    const chain = new ConversationChain({ llm, memory });
    const controller = new AbortController();
    await chain.predict('x', { signal: controller.signal, turnId: 't1' });
    expect(llm.requests[0]?.signal).toBe(controller.signal);
    expect(memory.saved[0]?.options).toEqual({ turnId: 't1' });
    controller.abort();
    await expect(chain.predict('y', { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(memory.saved).toHaveLength(1);
    expect(llm.requests).toHaveLength(1);
  });

  it('CHN-19: a model that returns no text is rejected with llm-reply, and nothing is stored', async () => {
    const memory = memoryOf({ history: '' });
    const chain = new ConversationChain({ llm: (async () => ({ answer: 'x' })) as unknown as LLM, memory });
    await expect(chain.predict('x')).rejects.toMatchObject({ code: 'llm-reply' });
    expect(memory.saved).toEqual([]);
  });

  it('CHN-18: an abort ends the wait for a model that ignores it, and stores nothing', async () => {
    const memory = memoryOf({ history: '' });
    const controller = new AbortController();
    let answer: (reply: LLMReply) => void = () => undefined;
    const llm: LLM = () => {
      queueMicrotask(() => controller.abort());
      return new Promise((resolve) => (answer = resolve));
    };
    const chain = new ConversationChain({ llm, memory });
    await expect(chain.predict('x', { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    answer({ text: 'too late' });
    await Promise.resolve();
    expect(memory.saved).toEqual([]);
  });
});

describe('stream', () => {
  const tokens = ['a', 'b', 'c'];
  const streamingLLM: LLM = async ({ onToken, signal }) => {
    for (const token of tokens) {
      await Promise.resolve();
      signal?.throwIfAborted();
      onToken?.(token);
    }
    return { text: tokens.join('') };
  };

  it('CHN-17: stream yields the tokens and has saved the turn when it ends', async () => {
    const memory = memoryOf({ history: '' });
    const seen: string[] = [];
    for await (const token of new ConversationChain({ llm: streamingLLM, memory }).stream('x'))
      seen.push(token);
    expect(seen).toEqual(tokens);
    expect(memory.saved).toMatchObject([{ inputs: { input: 'x' }, outputs: { text: 'abc' } }]);
  });

  it('CHN-17: a model that does not stream yields its answer as one piece', async () => {
    const memory = memoryOf({ history: '' });
    const seen: string[] = [];
    for await (const token of new ConversationChain({ llm: llmOf('whole'), memory }).stream('x'))
      seen.push(token);
    expect(seen).toEqual(['whole']);
    expect(memory.saved).toHaveLength(1);
  });

  it('CHN-17: leaving a stream early or aborting it stops the model and stores nothing', async () => {
    const memory = memoryOf({ history: '' });
    let received: AbortSignal | undefined;
    const endless: LLM = ({ onToken, signal }) => {
      received = signal;
      onToken?.('a');
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const chain = new ConversationChain({ llm: endless, memory });
    for await (const token of chain.stream('x')) {
      expect(token).toBe('a');
      break;
    }
    expect(received?.aborted).toBe(true);

    const controller = new AbortController();
    const reason = new Error('stopped');
    const run = (async () => {
      for await (const _token of chain.stream('x', { signal: controller.signal })) controller.abort(reason);
    })();
    await expect(run).rejects.toBe(reason);
    expect(memory.saved).toEqual([]);
  });

  it('CHN-17: a failing model rejects the iteration and stores nothing', async () => {
    const memory = memoryOf({ history: '' });
    const chain = new ConversationChain({ llm: llmOf(), memory });
    await expect(chain.stream('x').next()).rejects.toThrow('llm down');
    expect(memory.saved).toEqual([]);
  });
});

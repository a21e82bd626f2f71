import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import type { LLM } from '../../../src/llm/llm.ts';
import { messageText, type ChatMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { llmRunnable, type RunnableOptions } from '../../../src/components/chain/runnable.ts';
import {
  withMessageHistory,
  type SessionConfig,
  type WithMessageHistoryOptions,
} from '../../../src/components/chain/with-message-history.ts';
import { eventually } from '../../fixtures/eventually.ts';

let histories: Map<string, InMemoryChatMessageHistory>;
let warnings: Warning[];
let options: WithMessageHistoryOptions;

beforeEach(() => {
  histories = new Map();
  warnings = [];
  options = {
    getSessionHistory(id) {
      const history = histories.get(id) ?? new InMemoryChatMessageHistory();
      histories.set(id, history);
      return history;
    },
    onWarning: (warning) => void warnings.push(warning),
  };
});

const keyed = { inputMessagesKey: 'input', historyMessagesKey: 'history' };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const ai = (content: string): ChatMessage => ({ role: 'assistant', content });
const session = (sessionId: string, signal?: AbortSignal): SessionConfig => ({
  configurable: { sessionId },
  ...(signal ? { signal } : {}),
});
const stored = async (id = '1'): Promise<ChatMessage[]> => (await histories.get(id)?.getMessages()) ?? [];
const states = async (id = '1'): Promise<string[]> =>
  ((await histories.get(id)?.list()) ?? []).map((message) => `${message.state} ${messageText(message)}`);
const turnIds = async (id = '1'): Promise<Set<string>> =>
  new Set(((await histories.get(id)?.list()) ?? []).map((message) => message.turnId));

function echoHumans(messages: readonly ChatMessage[]): string {
  return `you said: ${messages
    .filter((message) => message.role === 'user')
    .map(messageText)
    .join('\n')}`;
}

/** Gives a promise that a test settles by hand. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('input and output', () => {
  it('CHN-20: the runnable gets history and input, and only new messages are stored, as one turn per call', async () => {
    const chat = withMessageHistory(echoHumans, options);
    expect(await chat.invoke([user('hello')], session('1'))).toBe('you said: hello');
    expect(await chat.invoke(user('bye'), session('1'))).toBe('you said: hello\nbye');
    expect(await stored()).toEqual([
      user('hello'),
      ai('you said: hello'),
      user('bye'),
      ai('you said: hello\nbye'),
    ]);
    expect((await turnIds()).size).toBe(2);
  });

  it('CHN-20: a plain string is a user message, and sessions are independent', async () => {
    const chat = withMessageHistory(echoHumans, options);
    await chat.invoke('a', session('1'));
    await chat.invoke('b', session('2'));
    expect(await stored('1')).toEqual([user('a'), ai('you said: a')]);
    expect(await stored('2')).toEqual([user('b'), ai('you said: b')]);
  });

  it('CHN-21: the history is passed as messages under its key', async () => {
    const runnable = vi.fn((values: { input: string; history: ChatMessage[] }) => ({
      answer: 'A',
      output: `${values.history.length} before ${values.input}`,
    }));
    const chat = withMessageHistory(runnable, { ...options, ...keyed });
    await chat.invoke({ input: 'x', other: 1 }, session('1'));
    expect(await chat.invoke({ input: 'y' }, session('1'))).toEqual({
      answer: 'A',
      output: '2 before y',
    });
    expect(runnable.mock.calls[0]?.[0]).toEqual({ input: 'x', other: 1, history: [] });
    expect(await stored()).toEqual([user('x'), ai('0 before x'), user('y'), ai('2 before y')]);
    expect(warnings.map((warning) => warning.code)).toEqual(['ambiguous-output']);
  });

  it('CHN-21: a history key alone finds the only input, and an input key alone puts the history in front', async () => {
    const first = withMessageHistory(() => 'ok', { ...options, historyMessagesKey: 'history' });
    await first.invoke({ q: 'a' }, session('1'));
    expect(await stored()).toEqual([user('a'), ai('ok')]);
    await expect(first.invoke({ q: 'a', p: 'b' }, session('1'))).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const runnable = vi.fn((values: { q: ChatMessage[] }) => ai(String(values.q.length)));
    const second = withMessageHistory(runnable, { ...options, inputMessagesKey: 'q' });
    await second.invoke({ q: 'c' }, session('1'));
    expect(runnable.mock.calls[0]?.[0]).toEqual({ q: [user('a'), ai('ok'), user('c')] });
  });

  it('CHN-24: without inputMessagesKey, the input is found under `input` or under the only key', async () => {
    const runnable = vi.fn(echoHumans);
    const bare = withMessageHistory(runnable, options);
    await bare.invoke({ q: 'a' }, session('1'));
    await bare.invoke({ input: [user('b')], other: 'c' }, session('1'));
    expect(runnable.mock.lastCall?.[0]).toEqual([user('a'), ai('you said: a'), user('b')]);
    const keyedHistory = withMessageHistory(() => 'ok', { ...options, historyMessagesKey: 'history' });
    await keyedHistory.invoke({ input: 'd', other: 'e' }, session('2'));
    expect(await stored('2')).toEqual([user('d'), ai('ok')]);
    for (const input of [{}, { q: 'a', p: 'b' }, { role: 'user' }]) {
      await expect(bare.invoke(input, session('3'))).rejects.toMatchObject({
        code: expect.stringMatching(/^invalid-(input|message)$/) as string,
      });
    }
    expect(runnable).toHaveBeenCalledTimes(2);
  });

  it('CHN-22: answers can be text, messages, an LLM reply or an object with a usual key', async () => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    const tool: ChatMessage = { role: 'tool', content: 't', tool_call_id: 'c' };
    const asked: ChatMessage = { role: 'assistant', content: null, tool_calls: calls };
    const cases: [unknown, ChatMessage[]][] = [
      ['x', [ai('x')]],
      [ai('x'), [ai('x')]],
      [
        [asked, tool, ai('x')],
        [asked, tool, ai('x')],
      ],
      [{ text: '', toolCalls: calls, finishReason: 'tool_calls' }, [asked]],
      [{ foo: 'x' }, [ai('x')]],
      [{ answer: 'A', ctx: 'x' }, [ai('A')]],
      [{ answer: ai('A'), text: 'x' }, [ai('A')]],
    ];
    for (const [index, [output, expected]] of cases.entries()) {
      const chat = withMessageHistory(() => output, options);
      expect(await chat.invoke('q', session(`s${index}`))).toEqual(output);
      expect(await stored(`s${index}`)).toEqual([user('q'), ...expected]);
    }
  });

  it('CHN-22: outputMessagesKey names the answer, and the call rejects if none can be chosen', async () => {
    const both = { foo: 'F', bar: 'B' };
    const named = withMessageHistory(() => both, { ...options, outputMessagesKey: 'bar' });
    await named.invoke('q', session('1'));
    expect(await stored()).toEqual([user('q'), ai('B')]);
    for (const output of [both, 42, null, { foo: 42 }, {}]) {
      const chat = withMessageHistory(() => output, options);
      await expect(chat.invoke('q', session('2'))).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect(await stored('2')).toEqual([]);
  });

  it('CHN-23: a missing session id and invalid input are rejected before the model is called', async () => {
    const runnable = vi.fn(() => 'x');
    const chat = withMessageHistory(runnable, options);
    for (const config of [session(''), { configurable: {} }, {}, undefined]) {
      await expect(chat.invoke('x', config as SessionConfig)).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('sessionId is required'),
      });
    }
    for (const input of [42, null, undefined, { input: 42 }, { input: null, x: 'y' }, []]) {
      await expect(chat.invoke(input, session('1'))).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('Expected a string, a message or a list of messages'),
      });
    }
    await expect(chat.invoke([{ role: 'nobody', content: '' }], session('1'))).rejects.toMatchObject({
      code: 'invalid-message',
    });
    expect(runnable).not.toHaveBeenCalled();
    expect(histories.size).toBe(0);
  });

  it('CHN-23: unknown and invalid options are rejected', () => {
    for (const extra of [{ onAbort: 'maybe' }, { historyKey: 'x' }, { getSessionHistory: undefined }]) {
      const wrong = { ...options, ...extra } as WithMessageHistoryOptions;
      expect(() => withMessageHistory(() => 'x', wrong)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    }
    expect(() => withMessageHistory({} as never, options)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  it('CHN-25: llmRunnable wraps an LLM, alone for messages or with a prompt for named values', async () => {
    const llm = vi.fn<LLM>(async ({ messages }) => ({ text: `saw ${messages.length}` }));
    const chat = withMessageHistory(llmRunnable(llm), options);
    await chat.invoke('a', session('1'));
    expect((await chat.invoke('b', session('1'))).text).toBe('saw 3');
    expect(warnings).toEqual([]);

    const prompted = withMessageHistory(llmRunnable(llm, '{history}\nHuman: {input}'), {
      ...options,
      ...keyed,
    });
    await prompted.invoke({ input: 'a' }, session('2'));
    await prompted.invoke({ input: 'b' }, session('2'));
    expect(llm.mock.lastCall?.[0].messages).toEqual([user('Human: a\nAI: saw 1\nHuman: b')]);
  });
});

describe('turns', () => {
  it('CHN-26: turns of a session run in call order with the previous answer, and sessions do not wait for each other', async () => {
    const gates = new Map(['A', 'B', 'C'].map((name) => [name, gate()]));
    const started: string[] = [];
    const chat = withMessageHistory(async (messages: ChatMessage[]) => {
      const question = messageText(messages.at(-1) ?? user(''));
      started.push(`${question}/${messages.length}`);
      await gates.get(question)?.opened;
      return `re:${question}`;
    }, options);
    const order: string[] = [];
    const ask = (text: string, id: string): Promise<void> =>
      chat.invoke(text, session(id)).then((answer) => void order.push(answer));
    const all = [ask('A', '1'), ask('B', '1'), ask('C', '2')];
    gates.get('B')?.open();
    gates.get('C')?.open();
    await all[2];
    expect(started).toEqual(['A/1', 'C/1']);
    gates.get('A')?.open();
    await Promise.all(all);
    expect(order).toEqual(['re:C', 're:A', 're:B']);
    expect(started).toEqual(['A/1', 'C/1', 'B/3']);
    expect(await stored()).toEqual([user('A'), ai('re:A'), user('B'), ai('re:B')]);
  });

  it('CHN-26: after a turn that fails or stops waiting the next one runs, and nothing is stored', async () => {
    const first = gate();
    const chat = withMessageHistory(async (messages: ChatMessage[]) => {
      if (messageText(messages.at(-1) ?? user('')) !== 'A') return 'ok';
      await first.opened;
      throw new Error('llm down');
    }, options);
    const controller = new AbortController();
    const failing = chat.invoke('A', session('1'));
    const leaving = chat.invoke('B', session('1', controller.signal));
    const waiting = chat.invoke('C', session('1'));
    controller.abort();
    await expect(leaving).rejects.toBe(controller.signal.reason);
    first.open();
    await expect(failing).rejects.toThrow('llm down');
    expect(await waiting).toBe('ok');
    expect(await states()).toEqual(['complete C', 'complete ok']);
  });

  it('CHN-26: a history that cannot be opened or read rejects the call and frees the session', async () => {
    let failures = 1;
    const getSessionHistory = async (id: string): Promise<ChatMessageHistory> => {
      if (failures-- > 0) throw new Error('closed');
      return options.getSessionHistory(id);
    };
    const chat = withMessageHistory(echoHumans, { ...options, getSessionHistory });
    await expect(chat.invoke('a', session('1'))).rejects.toThrow('closed');
    expect(await chat.invoke('a', session('1'))).toBe('you said: a');
  });

  it('CHN-27: a turn is saved in one write, and if that fails the answer is returned with a warning', async () => {
    const history = new InMemoryChatMessageHistory();
    const write = vi.spyOn(history, 'addMessages');
    const chat = withMessageHistory(echoHumans, { ...options, getSessionHistory: () => history });
    await chat.invoke([user('a'), user('b')], session('1'));
    expect(write).toHaveBeenCalledTimes(1);
    const cause = new Error('disk full');
    write.mockRejectedValueOnce(cause);
    expect(await chat.invoke('c', session('1'))).toBe('you said: a\nb\nc');
    expect(warnings).toMatchObject([{ code: 'save-failed', cause }]);
  });

  it('CHN-27: later changes by the caller change nothing', async () => {
    const input = [user('a')];
    const chat = withMessageHistory((messages: ChatMessage[]) => {
      messages.length = 0;
      return 'ok';
    }, options);
    const call = chat.invoke(input, session('1'));
    input.push(user('b'));
    await call;
    expect(await stored()).toEqual([user('a'), ai('ok')]);
  });

  it('CHN-28: an aborted call stores its question as a cancelled turn, or nothing with discard', async () => {
    for (const onAbort of ['keep', 'discard'] as const) {
      const started = gate();
      const controller = new AbortController();
      const chat = withMessageHistory(
        () => {
          started.open();
          return new Promise<string>(() => undefined);
        },
        { ...options, onAbort },
      );
      const call = chat.invoke('a', session(onAbort, controller.signal));
      await started.opened;
      controller.abort();
      await expect(call).rejects.toBe(controller.signal.reason);
      expect(await stored(onAbort)).toEqual([]);
    }
    expect(await states('keep')).toEqual(['cancelled a']);
    expect(await states('discard')).toEqual([]);
  });
});

describe('stream', () => {
  async function* letters(): AsyncGenerator<string, void, undefined> {
    yield* 'hello';
  }
  const streamer = { invoke: () => 'hello', stream: letters };
  const teller = async (_input: ChatMessage[], { onToken, signal }: RunnableOptions): Promise<string> => {
    for (const letter of 'hello') {
      await Promise.resolve();
      signal?.throwIfAborted();
      onToken?.(letter);
    }
    return 'hello';
  };

  async function collect(chunks: AsyncIterable<unknown>, count = Infinity): Promise<unknown[]> {
    const seen: unknown[] = [];
    for await (const piece of chunks) {
      seen.push(piece);
      if (seen.length >= count) break;
    }
    return seen;
  }

  it("CHN-29: a stream yields the runnable's chunks or tokens and stores one answer", async () => {
    const runnables = [streamer, teller, () => 'hello', { invoke: async () => 'hello' }];
    const seen = [];
    for (const [index, runnable] of runnables.entries()) {
      const id = `s${index}`;
      seen.push(await collect(withMessageHistory(runnable, options).stream('A', session(id))));
      expect(await states(id)).toEqual(['complete A', 'complete hello']);
      expect((await stored(id)).at(-1)).toEqual(ai('hello'));
    }
    const letterByLetter = ['h', 'e', 'l', 'l', 'o'];
    expect(seen).toEqual([letterByLetter, letterByLetter, ['hello'], ['hello']]);
  });

  it('CHN-29: chunks that are messages or objects are joined to one answer', async () => {
    const messages = {
      invoke: () => '',
      async *stream() {
        yield { role: 'assistant', content: 'he' };
        yield { role: 'assistant', content: 'llo' };
      },
    };
    const objects = {
      invoke: () => '',
      stream: async () =>
        (async function* () {
          yield { docs: ['x'] };
          yield { answer: 'he' };
          yield { answer: 'llo' };
        })(),
    };
    await collect(withMessageHistory(messages, options).stream('A', session('1')));
    await collect(withMessageHistory(objects, options).stream('A', session('1')));
    expect(await stored()).toEqual([user('A'), ai('hello'), user('A'), ai('hello')]);
  });

  it('CHN-30: leaving a stream early stores question and partial answer as one cancelled turn, hidden from the model', async () => {
    for (const [id, runnable] of [
      ['object', streamer],
      ['function', teller],
    ] as const) {
      const chat = withMessageHistory(runnable, options);
      expect(await collect(chat.stream('A', session(id)), 3)).toEqual(['h', 'e', 'l']);
      expect(await states(id)).toEqual(['cancelled A', 'cancelled hel']);
      expect((await turnIds(id)).size).toBe(1);
      expect(await stored(id)).toEqual([]);
      await chat.invoke('B', session(id));
      expect(await stored(id)).toEqual([user('B'), ai('hello')]);
    }
  });

  it('CHN-30: an abort does the same and throws its reason, even if the source hangs', async () => {
    const hanging = {
      invoke: () => '',
      async *stream() {
        yield 'he';
        await new Promise(() => undefined);
      },
    };
    for (const [id, runnable, expected] of [
      ['object', hanging, ['cancelled A', 'cancelled he']],
      ['function', teller, ['cancelled A', 'cancelled h']],
    ] as const) {
      const controller = new AbortController();
      const reason = new Error('stopped');
      const chat = withMessageHistory(runnable, options);
      const run = (async () => {
        for await (const _piece of chat.stream('A', session(id, controller.signal))) {
          setTimeout(() => controller.abort(reason));
          if (id === 'function') controller.abort(reason);
        }
      })();
      await expect(run).rejects.toBe(reason);
      expect(await states(id)).toEqual(expected);
    }
  });

  it('CHN-30: with discard, neither leaving nor aborting stores anything', async () => {
    const chat = withMessageHistory(streamer, { ...options, onAbort: 'discard' });
    await collect(chat.stream('A', session('1')), 2);
    expect(await states()).toEqual([]);
  });

  it('CHN-31: a stream that fails halfway stores nothing and frees the session', async () => {
    const failing = {
      invoke: () => 'ok',
      async *stream(): AsyncGenerator<string> {
        yield 'he';
        throw new Error('llm down');
      },
    };
    const chat = withMessageHistory(failing, options);
    await expect(collect(chat.stream('A', session('1')))).rejects.toThrow('llm down');
    expect(await states()).toEqual([]);
    expect(await chat.invoke('B', session('1'))).toBe('ok');
  });

  it('CHN-31: leaving a stream stops the model', async () => {
    let received: AbortSignal | undefined;
    const endless = (_input: ChatMessage[], { onToken, signal }: RunnableOptions): Promise<string> => {
      received = signal;
      onToken?.('a');
      return new Promise(() => undefined);
    };
    await collect(withMessageHistory(endless, options).stream('A', session('1')), 1);
    await eventually(() => expect(received?.aborted).toBe(true));
    expect(await states()).toEqual(['cancelled A', 'cancelled a']);
  });
});

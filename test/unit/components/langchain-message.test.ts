import {
  AIMessage,
  ChatMessage as GenericMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { withMessageHistory } from '../../../src/components/chain/with-message-history.ts';
import { parseMessage, type ChatMessage } from '../../../src/model/message.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';

/** As it comes from JavaScript, which does not look at types. */
const given = (...messages: BaseMessage[]): ChatMessage[] => messages as unknown as ChatMessage[];

const EXCHANGE = [
  new SystemMessage('Be kind.'),
  new HumanMessage({ content: 'What time is it?', name: 'Ada' }),
  new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'clock', args: { zone: 'UTC' } }] }),
  new ToolMessage({ content: 'noon', tool_call_id: 'c1', name: 'clock' }),
  new AIMessage('It is noon.'),
];
const WIRE = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'What time is it?', name: 'Ada' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }],
  },
  { role: 'tool', content: 'noon', tool_call_id: 'c1' },
  { role: 'assistant', content: 'It is noon.' },
];

describe("messages of LangChain's classes", () => {
  it("MSG-13: a history accepts LangChain's messages one by one and as a list", async () => {
    const history = new InMemoryChatMessageHistory();
    await history.addMessages(given(...EXCHANGE));
    expect(await history.getMessages()).toEqual(WIRE);
    const single = new InMemoryChatMessageHistory(given(EXCHANGE[0] as BaseMessage));
    for (const message of given(...EXCHANGE.slice(1))) await single.addMessage(message);
    expect(await single.getMessages()).toEqual(WIRE);
  });

  it("MSG-13: a memory and a wrapped chain accept LangChain's messages", async () => {
    const memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
    await memory.remember({ messages: given(...EXCHANGE.slice(1)) });
    expect(await memory.history()).toMatchObject(WIRE.slice(1));
    await memory.close();

    const history = new InMemoryChatMessageHistory();
    const chain = withMessageHistory(async () => new AIMessage('hello') as never, {
      getSessionHistory: () => history,
    });
    await chain.invoke(new HumanMessage('hi') as never, { configurable: { sessionId: 's' } });
    expect(await history.getMessages()).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
  });

  it('MSG-13: messages of older releases are recognized by their older method, and text parts are joined', () => {
    const old = { _getType: () => 'system', content: [{ type: 'text', text: 'a' }, 'b'] };
    expect(parseMessage(old)).toEqual({ role: 'system', content: 'a\nb' });
  });

  it.each([
    ['generic', new GenericMessage('hi', 'critic')],
    ['a function result', new FunctionMessage({ content: 'x', name: 'f' } as never)],
    ['a removal', new RemoveMessage({ id: 'a' })],
    [
      'a picture as a tool result',
      new ToolMessage({ content: [{ type: 'image' }], tool_call_id: 'c' } as never),
    ],
    [
      'arguments that are no data',
      new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'f', args: { n: 1n } }] }),
    ],
  ])('MSG-13: %s is rejected and nothing is stored', async (_what, message) => {
    const history = new InMemoryChatMessageHistory();
    await expect(history.addMessages(given(message))).rejects.toMatchObject({ code: 'invalid-message' });
    expect(await history.list()).toEqual([]);
  });

  it('MSG-13: the error says what to pass instead', () => {
    expect(() => parseMessage(new GenericMessage('hi', 'critic'))).toThrow(/"generic".*HumanMessage/);
  });
});

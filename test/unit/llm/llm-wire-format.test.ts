import { afterAll, expect, it } from 'vitest';
import { fetchLLM, type WireFormat } from '../../../src/index.ts';
import { startScriptedLLMServer } from '../../fakes/scripted-llm-server.ts';

const server = await startScriptedLLMServer();
afterAll(() => server.close());

const lines: WireFormat = {
  requestBody: ({ messages }, { stream }) => ({ messages, stream }),
  addReply: (reply, body) => void reply.texts.push(JSON.stringify(body)),
  framing: 'lines',
  addData(reply, data) {
    const { message, done } = JSON.parse(data) as { message: { content: string }; done: boolean };
    reply.texts.push(message.content);
    reply.isClosed = done;
  },
};

it('LLM-41: a wire format of the caller can be of lines; the address is used as it is, and the key is sent', async () => {
  server.enqueue({ kind: 'stream', tokens: ['Hello ', 'Jack.'] });
  const llm = fetchLLM({ url: new URL('/api/chat', server.url).href, api: lines, apiKey: 'key-1234' });
  const tokens: string[] = [];
  const onToken = (token: string): void => void tokens.push(token);
  const reply = await llm({ messages: [{ role: 'user', content: 'I am Jack.' }], onToken });
  expect(reply).toEqual({ text: 'Hello Jack.' });
  expect(tokens).toEqual(['Hello ', 'Jack.']);
  const [request] = server.requests;
  expect(request?.path).toContain('api/chat');
  expect(request?.headers['authorization']).toBe('Bearer key-1234');
});

it('LLM-41: an error of a wire format is llm-reply, and does not contain the key', async () => {
  server.enqueue({ kind: 'reply', text: 'x' });
  const addReply = (): never => {
    throw new Error('unexpected field key-1234');
  };
  const api = { ...lines, addReply };
  const llm = fetchLLM({ url: new URL('/api/chat', server.url).href, api, apiKey: 'key-1234', retries: 0 });
  const error: unknown = await llm({ messages: [] }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'llm-reply' });
  const { cause } = error as Error;
  expect(String(cause)).toContain('unexpected field');
  expect(String(cause)).not.toContain('key-1234');
});

it.each([{}, { ...lines, addData: undefined }, { ...lines, framing: 'xml' }, 'grpc', 7, null, []])(
  'LLM-41: api %j is rejected',
  (api) => {
    expect(() => fetchLLM({ url: 'http://localhost', api: api as WireFormat })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  },
);

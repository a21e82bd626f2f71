import { expect, it } from 'vitest';
import { limitedReply, MAX_REPLY_CHARACTERS } from '../../../demo/answers/limited-reply.ts';
import type { LLMRequest } from '../../../src/index.ts';

const PIECE = 'x'.repeat(1000);

/** A model that talks until it is aborted. */
function endless(): { asked: LLMRequest[]; llm: (request: LLMRequest) => Promise<{ text: string }> } {
  const asked: LLMRequest[] = [];
  const llm = async (request: LLMRequest): Promise<{ text: string }> => {
    asked.push(request);
    for (;;) {
      request.signal?.throwIfAborted();
      request.onToken?.(PIECE);
    }
  };
  return { asked, llm };
}

it('DEMO-45: a streamed answer that is too long ends the request, and its beginning is passed on', async () => {
  const { asked, llm } = endless();
  let received = '';
  const reply = limitedReply(llm)({ messages: [], onToken: (text) => (received += text) });
  await expect(reply).rejects.toMatchObject({ code: 'llm-reply' });
  expect(asked[0]?.signal?.aborted).toBe(true);
  expect(received).toHaveLength(MAX_REPLY_CHARACTERS);
});

it('DEMO-45: a whole answer that is too long is refused, and a shorter one is passed on', async () => {
  const answering = (length: number) => limitedReply(async () => ({ text: 'x'.repeat(length) }));
  await expect(answering(MAX_REPLY_CHARACTERS + 1)({ messages: [] })).rejects.toMatchObject({
    code: 'llm-reply',
  });
  const text = 'x'.repeat(MAX_REPLY_CHARACTERS);
  expect(await answering(MAX_REPLY_CHARACTERS)({ messages: [] })).toEqual({ text });
});

it('DEMO-45: the caller’s abort ends the request with its own reason', async () => {
  const { llm } = endless();
  const stop = new AbortController();
  const onToken = (): void => stop.abort(new Error('stopped'));
  await expect(limitedReply(llm)({ messages: [], onToken, signal: stop.signal })).rejects.toThrow('stopped');
});

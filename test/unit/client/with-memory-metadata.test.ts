import { expect, it, vi } from 'vitest';
import { createMemory, withMemory, type LLM, type Memory } from '../../../src/index.ts';

const broken: LLM = async () => {
  throw new Error('no such model');
};
const brokenHalfway: LLM = async ({ onToken }) => {
  onToken?.('In Tu');
  throw new Error('connection lost');
};

function open(): Promise<Memory> {
  return createMemory({ storage: 'memory', embedder: false, sessionId: 's' });
}

async function stored(memory: Memory): Promise<unknown[]> {
  return (await memory.history()).map(({ content, state, metadata }) => ({ content, state, metadata }));
}

it('CHAT-60: metadata is stored with both messages of every turn, however it ends', async () => {
  const memory = await open();
  const metadata = { model: 'small', tags: ['a'] };
  await withMemory(async () => ({ text: 'In Turin.' }), memory, { metadata }).send('Where is Ada?');
  await withMemory(brokenHalfway, memory, { metadata })
    .send('And now?', { onToken: () => undefined })
    .catch(() => undefined);
  expect(await stored(memory)).toEqual([
    { content: 'Where is Ada?', state: 'complete', metadata },
    { content: 'In Turin.', state: 'complete', metadata },
    { content: 'And now?', state: 'failed', metadata },
    { content: 'In Tu', state: 'failed', metadata },
  ]);
});

it('CHAT-60: metadata that is not JSON data is rejected when the chat is made', async () => {
  const memory = await open();
  for (const metadata of ['model', 5n, [1]]) {
    expect(() => withMemory(broken, memory, { metadata: metadata as never })).toThrow(/^metadata must be/);
  }
});

it('CHAT-61: a failed turn is erased with discard, and the error is the model’s', async () => {
  const memory = await open();
  const chat = withMemory(broken, memory, { onFailure: 'discard' });
  await expect(chat.send('Where is Ada?')).rejects.toThrow('no such model');
  expect(await memory.sessions()).toEqual([]);
});

it.each(['discard', () => ({ reason: 'none' })] as const)(
  'CHAT-61: an aborted turn follows onAbort, whatever onFailure is (%s)',
  async (onFailure) => {
    const memory = await open();
    const controller = new AbortController();
    const aborting: LLM = async ({ onToken }) => {
      onToken?.('In Tu');
      controller.abort();
      throw new Error('stopped');
    };
    const chat = withMemory(aborting, memory, { onFailure });
    const sent = chat.send('Where is Ada?', { signal: controller.signal, onToken: () => undefined });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stored(memory)).toEqual([
      { content: 'Where is Ada?', state: 'cancelled', metadata: undefined },
      { content: 'In Tu', state: 'cancelled', metadata: undefined },
    ]);
  },
);

it('CHAT-61: a failed turn that was forgotten meanwhile is not missed', async () => {
  const memory = await open();
  const warned = vi.fn();
  memory.addEventListener('warning', warned);
  const forgetting: LLM = async () => {
    await memory.forget({ sessionId: 's' });
    throw new Error('no such model');
  };
  const sent = withMemory(forgetting, memory, { onFailure: 'discard' }).send('Where is Ada?');
  await expect(sent).rejects.toThrow('no such model');
  expect(warned).not.toHaveBeenCalled();
});

it('CHAT-62: what onFailure returns is stored with the answer alone, even if none has arrived', async () => {
  const memory = await open();
  const options = {
    metadata: { model: 'small' },
    onFailure: (error: unknown) => ({ reason: (error as Error).message }),
  };
  const halfway = withMemory(brokenHalfway, memory, options);
  await expect(halfway.send('Where is Ada?', { onToken: () => undefined })).rejects.toThrow(
    'connection lost',
  );
  await expect(withMemory(broken, memory, options).send('And now?')).rejects.toThrow('no such model');
  const state = 'failed';
  expect(await stored(memory)).toEqual([
    { content: 'Where is Ada?', state, metadata: { model: 'small' } },
    { content: 'In Tu', state, metadata: { model: 'small', reason: 'connection lost' } },
    { content: 'And now?', state, metadata: { model: 'small' } },
    { content: '', state, metadata: { model: 'small', reason: 'no such model' } },
  ]);
});

it('CHAT-62: a failed recall is a failure, too', async () => {
  const memory = await open();
  vi.spyOn(memory, 'recall').mockRejectedValue(new Error('no disk'));
  const chat = withMemory(broken, memory, { onFailure: (error) => ({ reason: String(error) }) });
  await expect(chat.send('Where is Ada?')).rejects.toThrow('no disk');
  expect(await stored(memory)).toContainEqual({
    content: '',
    state: 'failed',
    metadata: { reason: 'Error: no disk' },
  });
});

it.each([
  () => {
    throw new Error('a bug of the page');
  },
  () => 'text',
  () => ({ size: 5n }),
])(
  'CHAT-62: an onFailure that throws or returns no JSON data leaves the turn failed: %s',
  async (onFailure) => {
    const memory = await open();
    const codes: string[] = [];
    memory.addEventListener('warning', ({ detail }) => codes.push(detail.code));
    const chat = withMemory(broken, memory, { onFailure: onFailure as never });
    await expect(chat.send('Where is Ada?')).rejects.toThrow('no such model');
    expect(await stored(memory)).toEqual([
      { content: 'Where is Ada?', state: 'failed', metadata: undefined },
    ]);
    expect(codes).toEqual(['save-failed']);
  },
);

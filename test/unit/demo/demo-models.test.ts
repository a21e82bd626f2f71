import { afterEach, expect, it, vi } from 'vitest';
import { listModels } from '../../../demo/settings/connection.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const connection = { url: 'http://localhost:1234/v1/', model: '', apiKey: 'k' };
const list = JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }, {}] });

it('LLM-38: the list of models is read from the given address, and a redirect is an error', async () => {
  const asked = vi.fn(async () => new Response(list));
  vi.stubGlobal('fetch', asked);
  expect(await listModels(connection, new AbortController().signal)).toEqual(['small', 'large']);
  expect(asked).toHaveBeenCalledWith(
    'http://localhost:1234/v1/models',
    expect.objectContaining({ redirect: 'error' }),
  );
});

it('LLM-38: a list that does not end is given up', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000_000;
      controller.enqueue(new Uint8Array(1_000_000).fill(32));
    },
  });
  vi.stubGlobal('fetch', async () => new Response(endless));
  expect(await listModels(connection, new AbortController().signal)).toEqual([]);
  expect(sent).toBeLessThan(10_000_000);
});

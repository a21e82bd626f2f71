import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { checkedFetch } from '../../../src/embedding/checked-fetch.ts';

const WASM = 'https://chat.example/assets/ort.wasm';
const CONTENT = 'the content that was built';
const hashes = new Map([[WASM, createHash('sha256').update(CONTENT).digest('hex')]]);

function serving(
  content: string,
  status = 200,
): { fetched: typeof fetch; refusals: string[]; pieces: () => number } {
  const refusals: string[] = [];
  let pieces = 0;
  const fetched = checkedFetch({
    fetch: async () => new Response(content, { status, headers: { 'content-type': 'application/wasm' } }),
    hashes,
    onBytes: () => (pieces += 1),
    onRefusal: (reason) => refusals.push(reason),
  });
  return { fetched, refusals, pieces: () => pieces };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['with WebCrypto', true],
  ['without WebCrypto', false],
])('EMB-43 EMB-44: %s, the right file is read as it is and a wrong one is refused', async (_, hasSubtle) => {
  if (!hasSubtle) vi.stubGlobal('crypto', {});
  const right = serving(CONTENT);
  const response = await right.fetched(`${WASM}?v=1`);
  expect(response.headers.get('content-type')).toBe('application/wasm');
  expect(await response.text()).toBe(CONTENT);
  expect(right.refusals).toEqual([]);
  expect(right.pieces()).toBeGreaterThan(0);
  for (const content of [`${CONTENT} `, CONTENT.slice(1), CONTENT.replace('t', 'T')]) {
    const wrong = serving(content);
    const refused = await wrong.fetched(WASM);
    await expect(refused.arrayBuffer()).rejects.toThrow(`${WASM} is not the file`);
    expect(wrong.refusals).toEqual([expect.stringContaining('npx mnemora assets')]);
  }
});

it('EMB-43: files without a hash and answers with an error status pass unchecked', async () => {
  const other = serving('any content');
  expect(await (await other.fetched('https://chat.example/other/ort.wasm')).text()).toBe('any content');
  const missing = serving('There is no such file.', 404);
  expect((await missing.fetched(WASM)).status).toBe(404);
  expect([...other.refusals, ...missing.refusals]).toEqual([]);
});

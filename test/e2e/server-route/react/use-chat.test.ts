import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chatContract } from '../chat-contract.ts';
import { ask, openChat, shows } from '../chat-page.ts';
import { openRouteSite, pageReady } from '../route-site.ts';

const opened = chatContract(() =>
  // Only the development build of React mounts twice under StrictMode, and reports what is wrong.
  openRouteSite(join(import.meta.dirname, 'page'), 'ai 7', {
    define: { 'process.env.NODE_ENV': '"development"' },
  }),
);

it('AIR-20: an answer of useChat is shown with what it used once it is stored, after a reload, and until that is forgotten', async () => {
  const { site, page } = opened();
  const answer = page.getByRole('list', { name: 'Messages' }).getByRole('group').last();
  const ids = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse(await answer.locator('summary').innerText()) as Record<string, unknown>[];
  const texts = (): Promise<string[]> => answer.getByRole('listitem').allInnerTexts();
  const before = ['user: Where does my brother Anton keep alpacas?', 'assistant: In Bern.'];
  await openChat(page, 'second');
  await shows(page, before);
  site.endpoint.enqueue({ kind: 'reply', text: 'Still in Oslo.' });
  await ask(page, 'Where does my sister Hannah live?');
  const lines = [...before, 'user: Where does my sister Hannah live?', 'assistant: Still in Oslo.'];
  await shows(page, lines);
  await expect.poll(texts).toContain('My sister Hannah lives in Oslo. A fine city.');
  const used = await ids();
  expect(used).toContainEqual(expect.objectContaining({ kind: 'recalled', sessionId: 'before' }));
  expect(JSON.stringify(used)).not.toContain('Hannah');

  await page.reload();
  await pageReady(page);
  await openChat(page, 'second');
  await shows(page, lines);
  expect(await ids()).toEqual(used);
  await expect.poll(texts).toHaveLength(used.length);
  await page.evaluate(() => window.pageMemory.forget('before'));
  await expect.poll(async () => (await texts()).filter((text) => text.includes('Oslo'))).toEqual([]);
  expect(await ids()).toEqual(used);
});

import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { ask, click, openChat, shown, shows } from './chat-page.ts';
import { pageReady, type RouteSite } from './route-site.ts';
import { sentMessages } from './sent-messages.ts';

/** The page of a chat, once it is open. */
export interface ChatSite {
  readonly site: RouteSite;
  readonly page: Page;
}

/** Tests that every framework's chat passes, each going on where the one before it has ended. */
export function chatContract(open: () => Promise<RouteSite>): () => ChatSite {
  let site: RouteSite;
  let page: Page;
  /** What the page and its framework report as wrong. */
  const reported: string[] = [];

  beforeAll(async () => {
    site = await open();
    page = await site.openTab();
    page.on('pageerror', (error) => reported.push(error.message));
    page.on('console', (message) => {
      // The policy of the page refuses what zod tries.
      const isPolicy = message.text().includes('Content Security Policy');
      if (['error', 'warning'].includes(message.type()) && !isPolicy) reported.push(message.text());
    });
    await page.evaluate(() =>
      window.pageMemory.tell('before', 'My sister Hannah lives in Oslo.', 'A fine city.'),
    );
    return async () => {
      await site.close();
      expect([...reported, ...site.browser.outsideRequests]).toEqual([]);
    };
  }, 180_000);

  beforeEach(() => void site.endpoint.requests.splice(0));

  const reply = (text: string): void => site.endpoint.enqueue({ kind: 'reply', text });
  const stored = (): Promise<string[]> => page.evaluate(() => window.pageMemory.stored('trip'));
  const used = async (): Promise<string[]> => (await stored()).filter((each) => !each.startsWith('replaced'));

  it('AIR-1 AIR-19: the first question is sent with what was said in another chat', async () => {
    reply('In Oslo.');
    await ask(page, 'Where does my sister Hannah live?');
    await shows(page, ['user: Where does my sister Hannah live?', 'assistant: In Oslo.']);
    expect(site.endpoint.requests).toHaveLength(1);
    expect(sentMessages(site.endpoint)).toContain('> My sister Hannah lives in Oslo.');
    expect(await stored()).toEqual([
      'complete user: Where does my sister Hannah live?',
      'complete assistant: In Oslo.',
    ]);
  });

  it('AIR-2 AIR-19: a regenerated answer replaces its turn', async () => {
    reply('She lives in Oslo, Norway.');
    await click(page, 'Regenerate');
    await shows(page, ['user: Where does my sister Hannah live?', 'assistant: She lives in Oslo, Norway.']);
    expect(sentMessages(site.endpoint)).toContain('> My sister Hannah lives in Oslo.');
    expect(sentMessages(site.endpoint)).not.toContain('In Oslo.');
    expect(await stored()).toEqual([
      'replaced user: Where does my sister Hannah live?',
      'replaced assistant: In Oslo.',
      'complete user: Where does my sister Hannah live?',
      'complete assistant: She lives in Oslo, Norway.',
    ]);
  });

  it('AIR-2 AIR-19: an edited question replaces its turn', async () => {
    reply('Since May.');
    await click(page, 'Edit');
    await ask(page, 'Since when does my sister Hannah live there?');
    await shows(page, ['user: Since when does my sister Hannah live there?', 'assistant: Since May.']);
    expect(await used()).toEqual([
      'complete user: Since when does my sister Hannah live there?',
      'complete assistant: Since May.',
    ]);
  });

  it('AIR-3 AIR-19: a stopped answer is kept with what had arrived, the server stops, and the chat goes on', async () => {
    site.endpoint.enqueue({ kind: 'stream', tokens: ['Once ', 'upon ', 'a ', 'time '], delayMs: 400 });
    await ask(page, 'Tell me a story.');
    await expect.poll(async () => (await shown(page)).lines.at(-1)).toMatch(/^assistant: Once/);
    await click(page, 'Stop');
    await expect.poll(() => site.endpoint.requests.at(-1)?.wasAborted).toBe(true);
    await expect.poll(async () => (await stored()).at(-1)).toMatch(/^cancelled assistant: Once/);
    await expect.poll(() => shown(page)).toMatchObject({ status: 'ready', errors: [] });
    const { lines } = await shown(page);
    reply('Noted.');
    await ask(page, 'My brother Anton keeps alpacas in Bern.');
    await shows(page, [...lines, 'user: My brother Anton keeps alpacas in Bern.', 'assistant: Noted.']);
  });

  it('AIR-4 AIR-19: what the server’s tools did is shown, stored and there after a reload, and the answer can be regenerated', async () => {
    const before = await used();
    site.endpoint.enqueue({
      kind: 'reply',
      text: null,
      toolCalls: [{ id: 'call-1', name: 'weather', arguments: '{}' }],
    });
    reply('It snows.');
    const { lines } = await shown(page);
    await ask(page, 'What is the weather?');
    const asked = [...lines, 'user: What is the weather?'];
    await shows(page, [...asked, 'assistant: It snows.']);
    await page.reload();
    await pageReady(page);
    await shows(page, [...asked, 'assistant: It snows.']);
    expect((await used()).slice(before.length)).toEqual([
      'complete user: What is the weather?',
      expect.stringMatching(/^complete assistant: /u),
      'complete tool: Snow.',
      'complete assistant: It snows.',
    ]);
    expect(site.endpoint.requests).toHaveLength(2);
    reply('It still snows.');
    await click(page, 'Regenerate');
    await shows(page, [...asked, 'assistant: It still snows.']);
    expect(await used()).toEqual([
      ...before,
      'complete user: What is the weather?',
      'complete assistant: It still snows.',
    ]);
  });

  it('AIR-1 AIR-19: a second chat begins without the messages of the first, and is sent what was said there', async () => {
    const { lines } = await shown(page);
    await openChat(page, 'second');
    await shows(page, []);
    reply('In Bern.');
    await ask(page, 'Where does my brother Anton keep alpacas?');
    await shows(page, ['user: Where does my brother Anton keep alpacas?', 'assistant: In Bern.']);
    expect(site.endpoint.requests.at(-1)?.body.messages).toHaveLength(2);
    expect(sentMessages(site.endpoint)).toContain('> My brother Anton keeps alpacas in Bern.');
    await openChat(page, 'trip');
    await shows(page, lines);
  });

  return () => ({ site, page });
}

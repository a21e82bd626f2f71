import { expect } from 'vitest';
import type { ChatSite } from './chat-contract.ts';

/** Checks that the facts on a page follow what another tab remembers and forgets. */
export async function expectFollowedFacts({ site, page }: ChatSite): Promise<void> {
  const facts = (): Promise<string[]> =>
    page.getByRole('list', { name: 'Facts' }).getByRole('listitem').allInnerTexts();
  const before = [
    'user has sister Hannah',
    'Hannah lives in Oslo',
    'user has brother Anton',
    'Anton keeps alpacas',
  ];
  await expect.poll(facts).toEqual(before);
  const other = await site.openTab();
  await other.evaluate(() => window.pageMemory.tell('other', 'I live in Lisbon.', 'Noted.'));
  await expect.poll(facts).toEqual([...before, 'user lives in Lisbon']);
  await other.evaluate(() => window.pageMemory.forget('other'));
  await expect.poll(facts).toEqual(before);
  await other.close();
}

import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Sends what a user types into the page of a chat, which has the same names in every framework. */
export async function ask(page: Page, text: string): Promise<void> {
  const input = page.getByLabel('Message', { exact: true });
  await input.fill(text);
  await input.press('Enter');
}

/** Resolves when the page shows these messages and is ready for another one. */
export async function shows(page: Page, lines: readonly string[]): Promise<void> {
  await expect.poll(() => shown(page)).toEqual({ status: 'ready', errors: [], lines });
}

/** Status of the chat, errors, and role and text of each message. */
export async function shown(page: Page): Promise<{ status: string; errors: string[]; lines: string[] }> {
  const status = await page.getByRole('status').innerText();
  const errors = await page.getByRole('alert').allInnerTexts();
  const lines = await page.getByRole('list', { name: 'Messages' }).locator('p').allInnerTexts();
  return { status, errors, lines };
}

/** Clicks a button, such as that of the only question that can be edited. */
export async function click(page: Page, name: 'Edit' | 'Regenerate' | 'Stop'): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

export async function openChat(page: Page, id: 'trip' | 'second'): Promise<void> {
  await page.getByLabel('Chat').selectOption(id);
}

import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const SCHEMES = [
  { colorScheme: 'light', paper: 'rgb(247, 245, 240)' },
  { colorScheme: 'dark', paper: 'rgb(22, 24, 23)' },
] as const;

/** Expects that axe reports no serious violation on the current page, in light and dark. */
export async function expectNoFinding(page: Page, place: string): Promise<void> {
  for (const { colorScheme, paper } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The colors change with the next frame.
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(paper);
    await page.evaluate(axe.source);
    const findings = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await checker.run(document);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(findings, `${place}, ${colorScheme}`).toEqual([]);
  }
}

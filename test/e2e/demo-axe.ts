import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { atEachSize, expectInPlace } from './demo-boxes.ts';

/** Of the rules, only those of colors can have another result in the dark. */
const SCHEMES: readonly { colorScheme: 'light' | 'dark'; paper: string; rules: axe.RunOptions }[] = [
  { colorScheme: 'light', paper: 'rgb(247, 245, 240)', rules: {} },
  {
    colorScheme: 'dark',
    paper: 'rgb(22, 24, 23)',
    rules: { runOnly: ['color-contrast', 'link-in-text-block'] },
  },
];

/** Expects that axe reports no serious violation on the current page, in light and dark. */
export async function expectNoFinding(page: Page, place: string): Promise<void> {
  for (const { colorScheme, paper, rules } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The colors change with the next frame.
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(paper);
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
    const findings = await page.evaluate(async (options) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await checker.run(document, options);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    }, rules);
    expect(findings, `${place}, ${colorScheme}`).toEqual([]);
  }
}

/** Expects that at each size nothing is cut off or covered, and that axe finds nothing. */
export async function expectInOrder(page: Page, place: string): Promise<void> {
  await atEachSize(page, async () => {
    await expectInPlace(page, place);
    await expectNoFinding(page, place);
  });
}

import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Viewports of a phone, a tablet and a laptop, in CSS pixels. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const;
export type Size = (typeof SIZES)[number];
export const PHONE: Size = SIZES[0];

/** Minimum size of touch targets, in CSS pixels. */
const MIN_TARGET = 44;

/** Expects that nothing is wider than its column, no control is covered, and on a phone every control is large enough. */
export async function expectInPlace(page: Page, place: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const faults = await page.evaluate(findFaults, width <= 760 ? MIN_TARGET : 0);
  expect(faults, `${place}, ${width} wide`).toEqual([]);
}

/** Shows the page as it is now in each of the sizes, and checks it there. */
export async function atEachSize(page: Page, check: () => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // What the page changes because of its size is there with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await check();
  }
  if (before) await page.setViewportSize(before);
}

/** Runs in the page. */
function findFaults(minTarget: number): string[] {
  const columns = '.turns, .memory-panel, .sidebar, .composer, .chat-header, dialog[open]';
  const content =
    '.turn, .message, .message-text > *, .context, .context-body *, .state-note, .banner, .composer-box, .known-item, .known-item *, .result, .session, .tab, .button';
  const controls = 'button, a[href], summary, input:not([hidden]), textarea, [role="tab"]';

  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.className.toString()} ${(element.textContent ?? '').slice(0, 40)}`;
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
    element.getBoundingClientRect().width > 1;
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter(isShown);
  /** Whether the center of the element is visible within all scrolling ancestors. */
  const isInView = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (!/auto|scroll|hidden/.test(getComputedStyle(outer).overflowY)) continue;
      const view = outer.getBoundingClientRect();
      if (x < view.left || x > view.right || y < view.top || y > view.bottom) return false;
    }
    return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
  };
  const isReachable = (element: Element): boolean =>
    !element.closest('[inert]') &&
    (!document.querySelector('dialog[open]') || element.closest('dialog') !== null);

  const wide = all(content).flatMap((element) => {
    // Elements inside a scrolling element may be wider than the column.
    if (element.parentElement?.closest('pre, table')) return [];
    const column = element.closest(columns);
    if (!column || element.closest('.visually-hidden')) return [];
    const [inner, outer] = [element.getBoundingClientRect(), column.getBoundingClientRect()];
    const overflows = inner.right > outer.right + 1 || inner.left < outer.left - 1;
    return overflows ? [`overflows its column (${inner.left} to ${inner.right}): ${nameOf(element)}`] : [];
  });
  const scrolls = all(
    'html, .conversation, .memory-panel, .tabpanel, .sidebar, .results, dialog[open]',
  ).flatMap((element) =>
    element.scrollWidth > element.clientWidth + 1 ? [`scrolls horizontally: ${nameOf(element)}`] : [],
  );
  const covered = all(controls).flatMap((element) => {
    if (!isInView(element) || !isReachable(element) || element.matches('.skip-link')) return [];
    const box = element.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isFree = top !== null && (element.contains(top) || top.contains(element));
    return isFree ? [] : [`covered by ${top ? nameOf(top) : 'nothing'}: ${nameOf(element)}`];
  });
  const small = all(controls).flatMap((element) => {
    // Links in text are as high as their line, and checkboxes are pressed by their label.
    if (minTarget === 0 || element.matches('.message-text a, .skip-link, .check input')) return [];
    if (!isReachable(element)) return [];
    const { width, height } = element.getBoundingClientRect();
    // Sizes in rem may be rounded by half a pixel.
    return Math.min(width, height) < minTarget - 0.5
      ? [`is small, ${Math.round(width)} x ${Math.round(height)}: ${nameOf(element)}`]
      : [];
  });
  return [...wide, ...scrolls, ...covered, ...small];
}

/** Whether the end of the newest turn is visible. */
export function newestIsInView(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const view = document.querySelector('.conversation')?.getBoundingClientRect();
    const turn = [...document.querySelectorAll('.turn')].at(-1)?.getBoundingClientRect();
    return view !== undefined && turn !== undefined && turn.bottom <= view.bottom + 1;
  });
}

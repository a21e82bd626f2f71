/**
 * Draws a list again without losing the keyboard's place in it: the control of the same name in the same item gets the
 * focus again, or the list itself where that item is gone. Items have a `data-key`, their controls a `data-action`.
 */
export function keepFocus(list: HTMLElement, draw: () => void): void {
  const focused = document.activeElement;
  const isInside = focused instanceof HTMLElement && focused !== list && list.contains(focused);
  const action = isInside ? focused.dataset['action'] : undefined;
  const key = isInside ? keyOf(focused) : undefined;
  draw();
  if (!isInside || list.contains(document.activeElement)) return;
  const items = [...list.children].filter((item) => item instanceof HTMLElement);
  const item = items.find((each) => each.dataset['key'] === key);
  const control = [...(item?.querySelectorAll<HTMLElement>('[data-action]') ?? [])].find(
    (each) => each.dataset['action'] === action,
  );
  (control ?? list).focus();
}

function keyOf(element: HTMLElement): string | undefined {
  return element.closest<HTMLElement>('[data-key]')?.dataset['key'];
}

/**
 * Redraws a list and keeps the focus in it: the control with the same `data-action` in the item with the same `data-key`
 * is focused again, or the list itself if that item is gone.
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

export interface KeyedItem {
  /** Identifies the item; unique in its list. */
  key: string;
  /** A string that changes with what the element shows. A new value recreates the element. */
  version: string;
  make: () => HTMLElement;
}

const created = new WeakMap<Node, { key: string; version: string }>();

/**
 * Updates the container to exactly these items and leaves unchanged elements alone, so that focus, open details and the
 * position of a screen reader are kept.
 */
export function updateKeyedList(container: HTMLElement, items: readonly KeyedItem[]): void {
  const wanted = new Map(items.map(({ key, version }) => [key, version]));
  const kept = new Map<string, Node>();
  for (const child of [...container.childNodes]) {
    const known = created.get(child);
    if (known && wanted.get(known.key) === known.version) kept.set(known.key, child);
    else child.remove();
  }
  let cursor = container.firstChild;
  for (const { key, version, make } of items) {
    const element = kept.get(key) ?? make();
    created.set(element, { key, version });
    if (element === cursor) cursor = cursor.nextSibling;
    else container.insertBefore(element, cursor);
  }
}

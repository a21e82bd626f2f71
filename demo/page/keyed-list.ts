export interface KeyedItem {
  /** Names the thing; unique in its list. */
  key: string;
  /** Everything that its element shows: another value has it made again. */
  version: string;
  make: () => HTMLElement;
}

const made = new WeakMap<Node, { key: string; version: string }>();

/**
 * Makes the container hold exactly these items, and touches only what differs: focus, open details and what a
 * screen reader has already read stay as they are.
 */
export function updateKeyedList(container: HTMLElement, items: readonly KeyedItem[]): void {
  const wanted = new Map(items.map(({ key, version }) => [key, version]));
  const kept = new Map<string, Node>();
  for (const child of [...container.childNodes]) {
    const known = made.get(child);
    if (known && wanted.get(known.key) === known.version) kept.set(known.key, child);
    else child.remove();
  }
  let cursor = container.firstChild;
  for (const { key, version, make } of items) {
    const element = kept.get(key) ?? make();
    made.set(element, { key, version });
    if (element === cursor) cursor = cursor.nextSibling;
    else container.insertBefore(element, cursor);
  }
}

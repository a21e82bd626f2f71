/** Position of a message in its thread. It contains no text, and remains when the message is forgotten. */
export interface MessageLink {
  readonly parentId: string | null;
  /** Increases with each message of the thread. */
  readonly position: number;
  /** Id of the stored turn that the message belongs to, where it is known. */
  readonly turnId?: string;
}

export interface MessageTree {
  /** Messages in the order in which they were written, each after its parent. */
  readonly messages: readonly { readonly id: string; readonly parentId: string | null }[];
  /** Last message of the branch that was written to last; null without messages. */
  readonly headId: string | null;
}

/**
 * Returns the messages of a thread as a tree. The parent of a message is its nearest remaining ancestor.
 *
 * @param links positions of all messages that were ever written, by id
 * @param present ids of the messages that remain
 * @param spoken ids of the messages that the memory has stored, in the order of the conversation. A message without a
 *   link follows the one before it
 */
export function messageTree(
  links: ReadonlyMap<string, MessageLink>,
  present: ReadonlySet<string>,
  spoken: readonly string[],
): MessageTree {
  const parents = new Map<string, string | null>();
  const places = new Map<string, readonly [position: number, offset: number]>();
  for (const [id, { parentId, position }] of links) {
    parents.set(id, parentId);
    places.set(id, [position, 0]);
  }
  let before: string | null = null;
  for (const id of spoken) {
    const [position, offset] = places.get(before ?? '') ?? [-1, 0];
    if (!places.has(id)) {
      parents.set(id, before);
      places.set(id, [position, offset + 1]);
    }
    before = id;
  }
  const inOrder = [...present].toSorted(
    (a, b) => comparePlaces(places.get(a), places.get(b)) || (a < b ? -1 : 1),
  );
  const messages = parentsFirst(inOrder, (id) => nearestPresent(parents, present, id));
  const newest = spoken.at(-1);
  const headId = newest !== undefined && !links.has(newest) ? newest : inOrder.at(-1);
  return { messages, headId: headId ?? null };
}

function nearestPresent(
  parents: ReadonlyMap<string, string | null>,
  present: ReadonlySet<string>,
  id: string,
): string | null {
  const seen = new Set([id]);
  let parent = parents.get(id) ?? null;
  while (parent !== null && !present.has(parent)) {
    // Rows of two backups can form a circle.
    if (seen.has(parent)) return null;
    seen.add(parent);
    parent = parents.get(parent) ?? null;
  }
  return parent;
}

function parentsFirst(
  inOrder: readonly string[],
  parentOf: (id: string) => string | null,
): { id: string; parentId: string | null }[] {
  const placed = new Map<string, string | null>();
  for (const id of inOrder) {
    const path = new Set<string>();
    for (let next: string | null = id; next !== null && !placed.has(next) && !path.has(next);) {
      path.add(next);
      next = parentOf(next);
    }
    for (const each of [...path].toReversed()) {
      const parentId = parentOf(each);
      // A parent that is not placed yet is in a circle.
      placed.set(each, parentId !== null && placed.has(parentId) ? parentId : null);
    }
  }
  return Array.from(placed, ([id, parentId]) => ({ id, parentId }));
}

type Place = readonly [position: number, offset: number];

function comparePlaces(a: Place = [Infinity, 0], b: Place = [Infinity, 0]): number {
  return a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1;
}

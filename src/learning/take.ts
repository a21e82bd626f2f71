/** So many from the beginning; no further ones are asked for. */
export function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count === 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

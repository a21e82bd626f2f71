/** So many from the beginning; no further ones are asked for. */
export function firstOf<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  if (count === 0) return first;
  for (const item of items) {
    first.push(item);
    if (first.length === count) break;
  }
  return first;
}

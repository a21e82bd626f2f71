/** Far more turns than a page has open at the same time. */
const MAX_ENTRIES = 100;

/** Sets an entry of a map, and removes the oldest one if the map has become too large. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}

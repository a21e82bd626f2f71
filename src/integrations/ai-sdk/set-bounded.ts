/** Far more turns than a page leaves open at a time. */
const MAX_ENTRIES = 100;

/** Sets an entry of a map, and drops the oldest one of a map that has become too large. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}

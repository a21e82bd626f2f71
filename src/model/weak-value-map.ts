/** A cache of objects by key. Each object is shared by all who hold it, and dropped once nothing refers to it. */
export interface WeakValueMap<Value extends object> {
  /** Returns the object of the key that is still in use, or a new one. */
  get(key: string): Value;
  /** Number of keys that are remembered. */
  readonly size: number;
}

/** @param make is called for a key without a live object */
export function weakValueMap<Value extends object>(make: (key: string) => Value): WeakValueMap<Value> {
  const values = new Map<string, WeakRef<Value>>();
  const dropped = new FinalizationRegistry<string>((key) => {
    // Another object may have been made for the key since.
    if (values.get(key)?.deref() === undefined) values.delete(key);
  });
  return {
    get(key) {
      const held = values.get(key)?.deref();
      if (held) return held;
      const value = make(key);
      values.set(key, new WeakRef(value));
      dropped.register(value, key);
      return value;
    },
    get size() {
      return values.size;
    },
  };
}

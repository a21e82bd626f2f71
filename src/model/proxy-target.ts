const SELF = Symbol();

/**
 * Makes {@link targetOf} find an object. Vue and Svelte put a proxy around what a page keeps in its state, as in
 * `ref(memory)`, and nothing is known of the proxy.
 */
export function behindProxy<T extends object>(object: T): T {
  return Object.defineProperty(object, SELF, { value: () => object });
}

/** Returns the object behind a proxy; any other value as it is. */
export function targetOf<T>(value: T): T {
  return (value as { [SELF]?: () => T } | undefined)?.[SELF]?.() ?? value;
}

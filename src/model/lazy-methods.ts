/**
 * Returns an object with these methods of another one, such as a room of a memory. Its code is loaded by the first call of
 * any of them. If loading fails, that call rejects, and the next one tries again.
 *
 * @param names of asynchronous methods
 */
export function lazyMethods<Loaded extends object>(
  names: { readonly [Name in keyof Loaded]: true },
  load: () => Promise<Loaded>,
): Loaded {
  const methods: Record<string, unknown> = {};
  for (const name of Object.keys(names) as (keyof Loaded & string)[]) {
    methods[name] = async (...args: unknown[]): Promise<unknown> => {
      const loaded = await load();
      return (loaded[name] as (...args: unknown[]) => unknown)(...args);
    };
  }
  return methods as Loaded;
}

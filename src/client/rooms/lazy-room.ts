/**
 * Returns an object with these methods of a memory. Their code is loaded by the first call of any of them. If loading
 * fails, that call rejects, and the next one tries again.
 */
export function lazyRoom<Room extends object>(
  names: { readonly [Name in keyof Room]: true },
  load: () => Promise<Room>,
): Room {
  const room: Record<string, unknown> = {};
  for (const name of Object.keys(names) as (keyof Room & string)[]) {
    room[name] = async (...args: unknown[]): Promise<unknown> => {
      const loaded = await load();
      return (loaded[name] as (...args: unknown[]) => unknown)(...args);
    };
  }
  return room as Room;
}

/** Runs work of one owner after its earlier work, whether that has failed or not. Rejects as the work does. */
export type RunInTurn = <T>(owner: object, work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs the work of each owner one after the other. */
export function oneAtATime(): RunInTurn {
  const last = new WeakMap<object, Promise<unknown>>();
  return (owner, work) => {
    const result = (last.get(owner) ?? Promise.resolve()).then(work);
    last.set(
      owner,
      result.catch(() => undefined),
    );
    return result;
  };
}

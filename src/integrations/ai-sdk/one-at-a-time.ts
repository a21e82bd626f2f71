/** Runs work of one owner after the owner's earlier work has settled. Rejects if the work rejects. */
export type RunInTurn = <T>(owner: object, work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs the work of each owner in sequence. */
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

/** By store, then by name: the end of the queue. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs tasks of one owner and name after each other, in the order of the calls; a task that fails stops no other. */
export function oneAtATime<R>(owner: object, name: string, task: () => Promise<R>): Promise<R> {
  const names = queues.get(owner) ?? new Map<string, Promise<unknown>>();
  queues.set(owner, names);
  const result = (names.get(name) ?? Promise.resolve()).then(task);
  const settled = result.then(forget, forget);
  names.set(name, settled);
  return result;

  function forget(): void {
    if (names.get(name) === settled) names.delete(name);
  }
}

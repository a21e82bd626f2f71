import { abortable } from './abortable.ts';

/** Lets one task of a name run at a time, in the order in which they came. Names do not wait for each other. */
export interface NamedQueue {
  /**
   * Waits until all earlier tasks of the name have left; resolves with the function that leaves.
   * An abort while waiting rejects with the signal's reason and gives the place up.
   */
  enter(name: string, signal?: AbortSignal): Promise<() => void>;
}

/** The order holds within this queue only: other tabs have queues of their own. */
export function namedQueue(): NamedQueue {
  const lastTasks = new Map<string, Promise<void>>();
  return {
    async enter(name, signal) {
      const before = lastTasks.get(name) ?? Promise.resolve();
      let leave: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => (leave = resolve));
      const last = before.then(() => gone);
      lastTasks.set(name, last);
      void last.then(() => {
        if (lastTasks.get(name) === last) lastTasks.delete(name);
      });
      try {
        await abortable(before, signal);
      } catch (reason) {
        leave();
        throw reason;
      }
      return leave;
    },
  };
}

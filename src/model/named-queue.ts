import { abortable } from './abortable.ts';

/**
 * Runs one task at a time under each name, in the order of arrival. Tasks of different names do not wait for each
 * other.
 */
export interface NamedQueue {
  /**
   * Waits until all earlier tasks of the name are done, and resolves with a function that ends this one. An abort
   * while waiting rejects with the signal's reason and leaves the queue.
   */
  enter(name: string, signal?: AbortSignal): Promise<() => void>;
}

/** Returns a new queue. It orders tasks of this page only: every tab has its own. */
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

const queues = new WeakMap<object, NamedQueue>();

/**
 * Runs tasks of one owner and name one after another, in the order of the calls. A task that fails does not stop the
 * next.
 */
export async function oneAtATime<R>(owner: object, name: string, task: () => Promise<R>): Promise<R> {
  const queue = queues.get(owner) ?? namedQueue();
  queues.set(owner, queue);
  const leave = await queue.enter(name);
  try {
    return await task();
  } finally {
    leave();
  }
}

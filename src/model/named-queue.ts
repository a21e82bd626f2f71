import { abortable, deferred } from './abortable.ts';

/**
 * Runs one task at a time under each name, in the order of arrival. Tasks of different names do not wait for each
 * other. It orders tasks of this page only: every tab has its own.
 */
export class NamedQueue {
  readonly #lastTasks = new Map<string, Promise<void>>();

  /**
   * Waits until all earlier tasks of the name are done, and resolves with a function that ends this one. An abort
   * while waiting rejects with the signal's reason and leaves the queue.
   */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    const before = this.#lastTasks.get(name) ?? Promise.resolve();
    const { promise: gone, resolve: leave } = deferred<void>();
    const last = before.then(() => gone);
    this.#lastTasks.set(name, last);
    void last.then(() => {
      if (this.#lastTasks.get(name) === last) this.#lastTasks.delete(name);
    });
    try {
      await abortable(before, signal);
    } catch (reason) {
      leave();
      throw reason;
    }
    return leave;
  }
}

const queues = new WeakMap<object, NamedQueue>();

/**
 * Runs tasks of one owner and name one after another, in the order of the calls. A task that fails does not stop the
 * next. An abort while a task waits rejects with the signal's reason.
 */
export async function oneAtATime<R>(
  owner: object,
  name: string,
  task: () => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  const queue = queues.get(owner) ?? new NamedQueue();
  queues.set(owner, queue);
  const leave = await queue.enter(name, signal);
  try {
    return await task();
  } finally {
    leave();
  }
}

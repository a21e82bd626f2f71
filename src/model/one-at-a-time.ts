import { namedQueue, type NamedQueue } from './named-queue.ts';

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

import { namedQueue, type NamedQueue } from './named-queue.ts';

const queues = new WeakMap<object, NamedQueue>();

/** Runs tasks of one owner and name after each other, in the order of the calls; a task that fails stops no other. */
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

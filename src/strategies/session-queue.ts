import { abortable } from './abortable.ts';

/** Lets one turn of a session run at a time, in the order in which they came. Sessions do not wait for each other. */
export interface SessionQueue {
  /**
   * Waits until all earlier turns of the session have left; resolves with the function that leaves.
   * An abort while waiting rejects with the signal's reason and gives the place up.
   */
  enter(sessionId: string, signal?: AbortSignal): Promise<() => void>;
}

/** The order holds within this queue only: other tabs have queues of their own. */
export function sessionQueue(): SessionQueue {
  const lastTurns = new Map<string, Promise<void>>();
  return {
    async enter(sessionId, signal) {
      const before = lastTurns.get(sessionId) ?? Promise.resolve();
      let leave: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => (leave = resolve));
      const last = before.then(() => gone);
      lastTurns.set(sessionId, last);
      void last.then(() => {
        if (lastTurns.get(sessionId) === last) lastTurns.delete(sessionId);
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

import { inBackground } from '../model/event-loop.ts';
import { nextTimerTask } from './next-timer-task.ts';

/** How soon a tab notices that the leader is frozen. */
export interface LeadershipTimings {
  /** Milliseconds between two heartbeat requests of a waiting tab. */
  askEveryMs: number;
  /** Number of heartbeat requests without an answer after which a waiting tab takes the leadership. */
  patience: number;
  /** Milliseconds that a tab waits for a leader's answer before it leads, if there are no Web Locks. */
  electionMs: number;
}

/** Replaces a frozen leader within 12 seconds, and a dead one at once, because the browser frees its lock. */
export const LEADERSHIP_TIMINGS: Readonly<LeadershipTimings> = {
  askEveryMs: 3_000,
  patience: 3,
  electionMs: 300,
};

/**
 * Messages between tabs on the channel of one lock. `ask`: is the leader alive? `alive` and `alive-hidden`: answer of
 * the leader, whose tab is visible or hidden. `yield`: a visible tab asks a hidden leader for the leadership.
 */
type LeaderMessage = 'ask' | 'alive' | 'alive-hidden' | 'yield';

/** Result of one candidacy. */
type Outcome = 'done' | 'again';

/**
 * Runs a task in one tab at a time: in the leader under this name. The signal of its term aborts when another tab
 * takes over, because this one was frozen, or because it is hidden and the other one is visible. The task must end
 * soon after, and runs again when this tab leads again. Resolves when the task has ended in a term that was not cut
 * short.
 *
 * A frozen tab does not know that it is no longer the leader, so whatever a task writes must check a fencing token of
 * its term, or be idempotent.
 *
 * Without Web Locks (an insecure origin) tabs agree over the channel alone, and two may lead for a moment. Without
 * other tabs the task just runs.
 *
 * @throws what the task throws within its term; the signal's reason once it is aborted
 */
export async function lead(
  name: string,
  signal: AbortSignal,
  task: (term: AbortSignal) => Promise<void>,
  timings: Readonly<LeadershipTimings> = LEADERSHIP_TIMINGS,
): Promise<void> {
  for (let outcome: Outcome = 'again'; outcome === 'again';) {
    signal.throwIfAborted();
    outcome = await new Candidacy(name, signal, task, timings).run();
  }
}

/** One wait for the leadership, and the term that follows it. */
class Candidacy {
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #task: (term: AbortSignal) => Promise<void>;
  readonly #timings: Readonly<LeadershipTimings>;
  readonly #channel: BroadcastChannel | undefined;
  readonly #locks: LockManager | undefined = globalThis.navigator?.locks;
  /** Aborts the wait in the queue of the lock. */
  readonly #waiting = new AbortController();
  readonly #term = new AbortController();
  #isOver = false;
  #isLeading = false;
  #isStolen = false;
  #unanswered = 0;
  #outcome: Promise<Outcome> | undefined;

  constructor(
    name: string,
    signal: AbortSignal,
    task: (term: AbortSignal) => Promise<void>,
    timings: Readonly<LeadershipTimings>,
  ) {
    this.#name = name;
    this.#signal = signal;
    this.#task = task;
    this.#timings = timings;
    this.#channel = hasTabs() ? openChannel(name, (message) => void this.#onMessage(message)) : undefined;
  }

  async run(): Promise<Outcome> {
    const abort = (): void => {
      this.#waiting.abort(this.#signal.reason);
      this.#term.abort(this.#signal.reason);
    };
    const timer = inBackground(setInterval(() => this.#ask(), this.#timings.askEveryMs));
    // A hidden leader yields when a tab that is visible now asks.
    const greet = (): void => this.#post('ask');
    const page = globalThis.document;
    this.#signal.addEventListener('abort', abort);
    page?.addEventListener('visibilitychange', greet);
    try {
      if (this.#locks) await this.#leadWithLock(this.#locks);
      else await this.#leadWithoutLock();
      this.#signal.throwIfAborted();
      return (await this.#outcome) ?? 'again';
    } finally {
      this.#isOver = true;
      clearInterval(timer);
      this.#signal.removeEventListener('abort', abort);
      page?.removeEventListener('visibilitychange', greet);
      this.#channel?.close();
    }
  }

  async #leadWithLock(locks: LockManager): Promise<void> {
    const serve = (): Promise<void> => this.#serve();
    try {
      const queued = locks.request(this.#name, { signal: this.#waiting.signal }, serve);
      this.#ask();
      await queued;
      return;
    } catch (error) {
      if (await this.#endStolenTerm()) return;
      this.#signal.throwIfAborted();
      // A sandboxed frame may be refused locks; it has no other tabs to agree with.
      if (!this.#waiting.signal.aborted) {
        if (isRefused(error)) return serve();
        throw error;
      }
    }
    try {
      await locks.request(this.#name, { steal: true }, serve);
    } catch (error) {
      if (!(await this.#endStolenTerm())) throw error;
    }
  }

  async #leadWithoutLock(): Promise<void> {
    if (this.#channel) {
      this.#ask();
      // Random, so that tabs that were opened together do not become leader together.
      await pause(this.#timings.electionMs * (1 + Math.random()), this.#waiting.signal);
      // An answer means that there is a leader: wait, as for a lock, until it stops answering.
      if (this.#unanswered === 0) await aborted(this.#waiting.signal);
    }
    if (!this.#signal.aborted) await this.#serve();
  }

  /** Ends the term of a stolen lock. The browser rejects its request while the task is still running. */
  async #endStolenTerm(): Promise<boolean> {
    if (!this.#isLeading) return false;
    this.#isStolen = true;
    await nextTimerTask(); // a frozen tab must not run the task's cleanup either
    this.#term.abort(new DOMException('Another tab is the leader now.', 'AbortError'));
    await this.#outcome?.catch(() => undefined); // its term was cut short, so the task runs again
    return true;
  }

  /** Runs the task and never rejects: its error is kept for the end. */
  async #serve(): Promise<void> {
    if (this.#signal.aborted || this.#isOver) return;
    this.#isLeading = true;
    await nextTimerTask();
    if (this.#isStolen || this.#signal.aborted) return;
    this.#post(this.#aliveMessage());
    const { signal: term } = this.#term;
    this.#outcome = this.#task(term).then(
      () => (term.aborted ? 'again' : 'done'),
      (error: unknown) => {
        if (term.aborted) return 'again';
        throw error;
      },
    );
    await this.#outcome.catch(() => undefined);
  }

  async #onMessage(message: LeaderMessage): Promise<void> {
    if (this.#isLeading) {
      await nextTimerTask(); // a frozen tab must not answer
      if (this.#isStolen) return;
      if (message === 'ask') this.#post(this.#aliveMessage());
      else if (message === 'yield' && isHidden()) this.#endTerm('A visible tab is the leader now.');
      // Without a lock two tabs may have begun at once; the later one leads.
      else if (message !== 'yield' && !this.#locks) this.#endTerm('Another tab is the leader now.');
    } else if (message === 'alive' || message === 'alive-hidden') {
      this.#unanswered = 0;
      // Without a lock there is no queue in which this tab would be next.
      if (message === 'alive-hidden' && !isHidden() && this.#locks) this.#post('yield');
    }
  }

  #endTerm(reason: string): void {
    this.#term.abort(new DOMException(reason, 'AbortError'));
  }

  #ask(): void {
    if (!this.#channel || this.#isLeading || this.#waiting.signal.aborted) return;
    // Requests are counted rather than time, because a tab that was frozen itself has received no answer either.
    if (this.#unanswered >= this.#timings.patience) this.#waiting.abort();
    else {
      this.#unanswered += 1;
      this.#post('ask');
    }
  }

  #aliveMessage(): LeaderMessage {
    return isHidden() ? 'alive-hidden' : 'alive';
  }

  #post(message: LeaderMessage): void {
    if (!this.#isOver) this.#channel?.postMessage(message);
  }
}

/** Returns whether there can be other tabs. Outside of browsers there are none. */
function hasTabs(): boolean {
  return typeof BroadcastChannel !== 'undefined' && (globalThis.document !== undefined || hasLocks());
}

function hasLocks(): boolean {
  return globalThis.navigator?.locks !== undefined;
}

function isHidden(): boolean {
  return globalThis.document?.visibilityState === 'hidden';
}

function openChannel(name: string, onMessage: (message: LeaderMessage) => void): BroadcastChannel {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LeaderMessage>) => onMessage(data);
  return inBackground(channel);
}

function isRefused(error: unknown): boolean {
  return (
    error instanceof DOMException && (error.name === 'SecurityError' || error.name === 'InvalidStateError')
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = inBackground(setTimeout(resolve, ms));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

import { abortable, aborted, backgroundPause } from '../model/abortable.ts';
import { inBackground, nextTimerTask } from '../model/event-loop.ts';
import { newId } from '../model/id.ts';
import { memoizeAsync } from '../model/loading.ts';
import { PageLife } from './page-life.ts';
import { openChannel } from './tab-channel.ts';

/** Timings by which a tab detects that the leader is frozen. */
export interface LeadershipTimings {
  /** Milliseconds between two heartbeat requests of a waiting tab. */
  askEveryMs: number;
  /** Number of delivered heartbeat requests without an answer after which a waiting tab takes the leadership. */
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

/** Follows an `ask` on the channel. The tab that posted it receives it too, and then knows that the `ask` was delivered. */
type Echo = `echo:${string}`;

/**
 * Runs a task in one tab at a time: in the leader under this name. The signal of its term aborts when another tab
 * takes over, because this one was frozen, or because it is hidden and the other one is visible. The task must end
 * soon after, and runs again when this tab leads again. Resolves when the task has ended in a term that was not cut
 * short.
 *
 * A tab that is frozen or put into the back/forward cache gives up the leadership at once, whatever its task is doing,
 * and waits for it again when it is resumed. One that freezes without an event does not know that it is no longer the
 * leader, so whatever a task writes must check a fencing token of its term, or be idempotent.
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
  const over = new AbortController();
  const page = new PageLife(over.signal);
  try {
    for (let isDone = false; !isDone;) {
      await abortable(page.running(), signal);
      signal.throwIfAborted();
      isDone = await new Candidacy(name, { signal, task, timings, page }).run();
    }
  } finally {
    over.abort();
  }
}

interface Candidate {
  readonly signal: AbortSignal;
  readonly task: (term: AbortSignal) => Promise<void>;
  readonly timings: Readonly<LeadershipTimings>;
  readonly page: PageLife;
}

/** One wait for the leadership, and the term that follows it. */
class Candidacy {
  readonly #name: string;
  readonly #candidate: Candidate;
  readonly #channel: BroadcastChannel | undefined;
  /** Receives what this tab posts on the channel, which the channel itself does not. */
  readonly #ownChannel: BroadcastChannel | undefined;
  readonly #locks: LockManager | undefined = globalThis.navigator?.locks;
  /** Aborts the wait in the queue of the lock. */
  readonly #waiting = new AbortController();
  readonly #term = new AbortController();
  /** Aborts when the candidacy has ended. */
  readonly #over = new AbortController();
  /** Aborts when the tab is frozen or cached, which releases the lock. */
  readonly #suspended = new AbortController();
  #isLeading = false;
  #isStolen = false;
  #hasLeader = false;
  /** Posted with each heartbeat request until one of them was delivered. */
  #echo: Echo = newEcho();
  /** Number of delivered heartbeat requests since the last answer. */
  #unanswered = 0;
  /** Resolves when the task has ended: to true in a term that was not cut short. */
  #outcome: Promise<boolean> | undefined;

  constructor(name: string, candidate: Candidate) {
    this.#name = name;
    this.#candidate = candidate;
    if (!hasTabs()) return;
    this.#channel = openChannel(name);
    this.#ownChannel = this.#channel && openChannel(name);
    if (!this.#channel || !this.#ownChannel) return;
    this.#channel.onmessage = ({ data }: MessageEvent<LeaderMessage | Echo>) => this.#onMessage(data);
    this.#ownChannel.onmessage = ({ data }: MessageEvent<LeaderMessage | Echo>) => this.#onOwnMessage(data);
  }

  /** Returns whether the task has ended in a term that was not cut short. */
  async run(): Promise<boolean> {
    const { signal, timings, page } = this.#candidate;
    const abort = (): void => {
      this.#waiting.abort(signal.reason);
      this.#term.abort(signal.reason);
    };
    const timer = inBackground(setInterval(() => this.#ask(), timings.askEveryMs));
    // A hidden leader yields when a tab that is visible now asks.
    const greet = (): void => this.#post('ask');
    const unfollow = page.onSuspend(() => {
      this.#suspended.abort();
      this.#waiting.abort();
      this.#endTerm('The page was suspended.');
    });
    const whileOpen = { signal: this.#over.signal };
    signal.addEventListener('abort', abort, whileOpen);
    globalThis.document?.addEventListener('visibilitychange', greet, whileOpen);
    try {
      if (this.#locks) await this.#leadWithLock(this.#locks);
      else await this.#leadWithoutLock();
      signal.throwIfAborted();
      return (await this.#outcome) ?? false;
    } finally {
      this.#over.abort();
      unfollow();
      clearInterval(timer);
      this.#channel?.close();
      this.#ownChannel?.close();
    }
  }

  async #leadWithLock(locks: LockManager): Promise<void> {
    try {
      const queued = locks.request(this.#name, { signal: this.#waiting.signal }, this.#serve);
      this.#ask();
      await queued;
      return;
    } catch (error) {
      if (this.#suspended.signal.aborted || (await this.#endStolenTerm())) return;
      this.#candidate.signal.throwIfAborted();
      // A sandboxed frame may be refused locks; it has no other tabs to agree with.
      if (!this.#waiting.signal.aborted) {
        if (isRefused(error)) return this.#serve();
        if (isStolenEarly(error)) return;
        throw error;
      }
    }
    try {
      const stealing = locks.request(this.#name, { steal: true }, this.#serve);
      // A lock is stolen at once, unless the lock manager answers nobody: then this tab leads without one.
      const unanswered = backgroundPause(this.#candidate.timings.askEveryMs, this.#over.signal).then(
        this.#serve,
      );
      await Promise.race([stealing, unanswered]);
    } catch (error) {
      if (!(await this.#endStolenTerm()) && !isStolenEarly(error)) throw error;
    }
  }

  async #leadWithoutLock(): Promise<void> {
    if (this.#channel) {
      this.#ask();
      // Random, so that tabs that were opened together do not become leader together.
      const electionMs = this.#candidate.timings.electionMs * (1 + Math.random());
      await backgroundPause(electionMs, this.#waiting.signal);
      // An answer means that there is a leader: wait, as for a lock, until it stops answering.
      if (this.#hasLeader) await aborted(this.#waiting.signal);
    }
    await this.#serve();
  }

  /** Ends the term of a stolen lock. The browser rejects its request while the task is still running. */
  async #endStolenTerm(): Promise<boolean> {
    if (!this.#isLeading) return false;
    this.#isStolen = true;
    await nextTimerTask(); // a frozen tab must not run the task's cleanup either
    this.#endTerm('Another tab is the leader now.');
    await this.#outcome?.catch(() => undefined); // its term was cut short, so the task runs again
    return true;
  }

  /** Runs the task, once, and never rejects: its error is kept for the end. */
  readonly #serve = memoizeAsync(async (): Promise<void> => {
    const { signal } = this.#candidate;
    const suspended = this.#suspended.signal;
    if (signal.aborted || suspended.aborted || this.#over.signal.aborted) return;
    this.#isLeading = true;
    await Promise.race([nextTimerTask(), aborted(suspended)]);
    if (this.#isStolen || signal.aborted || suspended.aborted) return;
    this.#post(aliveMessage());
    this.#outcome = this.#runTask();
    await Promise.race([this.#outcome.catch(() => undefined), aborted(suspended)]);
  });

  async #runTask(): Promise<boolean> {
    const { signal: term } = this.#term;
    try {
      await this.#candidate.task(term);
    } catch (error) {
      if (!term.aborted) throw error;
    }
    return !term.aborted;
  }

  async #onMessage(message: LeaderMessage | Echo): Promise<void> {
    if (this.#isLeading) {
      await nextTimerTask(); // a frozen tab must not answer
      if (this.#isStolen) return;
      if (message === 'ask') this.#post(aliveMessage());
      else if (message === 'yield' && isHidden()) this.#endTerm('A visible tab is the leader now.');
      // Without a lock two tabs may have begun at once; the later one leads.
      else if (isAlive(message) && !this.#locks) this.#endTerm('Another tab is the leader now.');
    } else if (isAlive(message)) {
      this.#hasLeader = true;
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
    if (this.#unanswered >= this.#candidate.timings.patience) this.#waiting.abort();
    else {
      this.#post('ask');
      this.#post(this.#echo);
    }
  }

  /**
   * Counts a request that was delivered. Delivered requests are counted rather than time or posted requests: on a busy
   * machine messages take longer than several intervals, and a tab that was frozen itself has received no answer either.
   * The next request that counts is posted after this one was delivered, so the answer to this one overtakes it.
   */
  #onOwnMessage(message: LeaderMessage | Echo): void {
    if (message !== this.#echo) return;
    this.#echo = newEcho();
    this.#unanswered += 1;
  }

  #post(message: LeaderMessage | Echo): void {
    if (!this.#over.signal.aborted) this.#channel?.postMessage(message);
  }
}

/** Returns whether there can be other tabs. Outside of browsers there are none. */
function hasTabs(): boolean {
  return (globalThis.document ?? globalThis.navigator?.locks) !== undefined;
}

function isHidden(): boolean {
  return globalThis.document?.visibilityState === 'hidden';
}

function newEcho(): Echo {
  return `echo:${newId()}`;
}

function isAlive(message: LeaderMessage | Echo): boolean {
  return message === 'alive' || message === 'alive-hidden';
}

function aliveMessage(): LeaderMessage {
  return isHidden() ? 'alive-hidden' : 'alive';
}

/** Returns whether WebKit rejected the request for a lock that was stolen before its callback ran: it is requested again. */
function isStolenEarly(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function isRefused(error: unknown): boolean {
  return error instanceof DOMException && ['SecurityError', 'InvalidStateError'].includes(error.name);
}

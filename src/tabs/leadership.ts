import { inBackground } from '../model/in-background.ts';
import { nextTimerTask } from './next-timer-task.ts';

/** How soon a tab notices that the leader is frozen. */
export interface LeadershipTimings {
  /** How often a waiting tab asks whether the leader is alive. */
  askEveryMs: number;
  /** After how many questions without an answer in between it takes the lead. */
  patience: number;
  /** Without Web Locks: how long a tab waits for a leader to answer before it leads. */
  electionMs: number;
}

/** A frozen leader is replaced within 12 seconds; a dead one at once, because the browser frees its lock. */
export const LEADERSHIP_TIMINGS: Readonly<LeadershipTimings> = {
  askEveryMs: 3_000,
  patience: 3,
  electionMs: 300,
};

/**
 * What tabs say to each other on the channel of one lock. `ask`: is the leader alive? `alive` and `alive-hidden`: the
 * leader, whose tab is visible or hidden. `yield`: a visible tab wants the lead of a hidden one.
 */
type LeaderMessage = 'ask' | 'alive' | 'alive-hidden' | 'yield';

/** What came of waiting for the lead once. */
type Outcome = 'done' | 'again';

/**
 * Runs a task in one tab at a time, in the one that leads under this name. The signal of its term aborts when another
 * tab takes over: because this one was frozen, or because it is hidden and another one is visible. The task must end
 * soon after; it is run again when this tab leads again. Resolves when the task has, in a term that was not cut short.
 *
 * A frozen tab does not know that it no longer leads, so that what a task writes must be fenced by a number of its
 * term, or do no harm when it is done twice.
 *
 * Where there are no Web Locks (an insecure origin) tabs agree over the channel alone, and two may lead for a moment.
 * Where there are no tabs either, the task just runs.
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

/** One wait for the lead, and the term that follows it. */
class Candidacy {
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #task: (term: AbortSignal) => Promise<void>;
  readonly #timings: Readonly<LeadershipTimings>;
  readonly #channel: BroadcastChannel | undefined;
  readonly #locks: LockManager | undefined = globalThis.navigator?.locks;
  /** Ends the wait in the queue of the lock. */
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
    this.#channel = hasTabs() ? openChannel(name, (message) => void this.#hear(message)) : undefined;
  }

  async run(): Promise<Outcome> {
    const abort = (): void => {
      this.#waiting.abort(this.#signal.reason);
      this.#term.abort(this.#signal.reason);
    };
    const timer = inBackground(setInterval(() => this.#ask(), this.#timings.askEveryMs));
    // Asked by a tab that is visible now, a hidden leader yields.
    const greet = (): void => this.#say('ask');
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
      // Tabs that were opened together must not be ready together.
      await pause(this.#timings.electionMs * (1 + Math.random()), this.#waiting.signal);
      // With an answer, the leader is there: from now on as with a lock, until it stops answering.
      if (this.#unanswered === 0) await aborted(this.#waiting.signal);
    }
    if (!this.#signal.aborted) await this.#serve();
  }

  /** The browser rejects the request of a lock that was stolen, while the task is still running. */
  async #endStolenTerm(): Promise<boolean> {
    if (!this.#isLeading) return false;
    this.#isStolen = true;
    await nextTimerTask(); // what the task does about its end is not for a frozen tab either
    this.#term.abort(new DOMException('Another tab has taken the lead.', 'AbortError'));
    await this.#outcome?.catch(() => undefined); // its term was cut short: it is run again
    return true;
  }

  /** Runs the task and never rejects: what it throws is kept for the end. */
  async #serve(): Promise<void> {
    if (this.#signal.aborted || this.#isOver) return;
    this.#isLeading = true;
    await nextTimerTask();
    if (this.#isStolen || this.#signal.aborted) return;
    this.#say(this.#aliveMessage());
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

  async #hear(message: LeaderMessage): Promise<void> {
    if (this.#isLeading) {
      await nextTimerTask(); // or it would be no sign of life
      if (this.#isStolen) return;
      if (message === 'ask') this.#say(this.#aliveMessage());
      else if (message === 'yield' && isHidden()) this.#endTerm('A visible tab leads now.');
      // Without a lock two may have begun at once; the later one leads.
      else if (message !== 'yield' && !this.#locks) this.#endTerm('Another tab has taken the lead.');
    } else if (message === 'alive' || message === 'alive-hidden') {
      this.#unanswered = 0;
      // Without a lock there is no queue in which it would be next.
      if (message === 'alive-hidden' && !isHidden() && this.#locks) this.#say('yield');
    }
  }

  #endTerm(reason: string): void {
    this.#term.abort(new DOMException(reason, 'AbortError'));
  }

  #ask(): void {
    if (!this.#channel || this.#isLeading || this.#waiting.signal.aborted) return;
    // Questions are counted and not the time: a tab that was frozen itself has not been left without an answer.
    if (this.#unanswered >= this.#timings.patience) this.#waiting.abort();
    else {
      this.#unanswered += 1;
      this.#say('ask');
    }
  }

  #aliveMessage(): LeaderMessage {
    return isHidden() ? 'alive-hidden' : 'alive';
  }

  #say(message: LeaderMessage): void {
    if (!this.#isOver) this.#channel?.postMessage(message);
  }
}

/** Outside of browsers a page is alone. */
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

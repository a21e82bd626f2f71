import { throwUncaught } from '../event-loop.ts';
import { asError, LOADING, type MemoryRead } from './memory-read.ts';

/** The part of a memory that reports changes. */
export interface ChangeSource {
  addEventListener(type: 'change', listener: () => void): void;
  removeEventListener(type: 'change', listener: () => void): void;
}

/**
 * Reads immediately and again after each change of the memory, until the last subscriber has left. At most one read
 * runs at a time; all changes during it cause one more.
 */
export class LiveRead<T> {
  readonly #source: ChangeSource;
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #onEnd: () => void;
  readonly #subscribers = new Set<() => void>();
  readonly #end = new AbortController();
  #state: MemoryRead<T> = LOADING;
  #isReading = false;
  #isStale = false;

  /** @param onEnd called once, when the last subscriber has left and the running read was aborted */
  constructor(source: ChangeSource, read: (signal: AbortSignal) => Promise<T>, onEnd: () => void) {
    this.#source = source;
    this.#read = read;
    this.#onEnd = onEnd;
    source.addEventListener('change', this.#onChange);
    void this.#readUntilFresh();
  }

  get state(): MemoryRead<T> {
    return this.#state;
  }

  /** Returns the function that unsubscribes. */
  subscribe(onChange: () => void): () => void {
    // Wrapped, because the same callback may subscribe twice.
    const subscriber = (): void => onChange();
    this.#subscribers.add(subscriber);
    return () => {
      if (!this.#subscribers.delete(subscriber)) return;
      // StrictMode subscribes again in the same commit, and another component may start to use the same arguments.
      queueMicrotask(() => this.#endIfUnused());
    };
  }

  readonly #onChange = (): void => {
    if (this.#isReading) this.#isStale = true;
    else void this.#readUntilFresh();
  };

  async #readUntilFresh(): Promise<void> {
    const { signal } = this.#end;
    this.#isReading = true;
    do {
      this.#isStale = false;
      if (!this.#state.isLoading) this.#publish({ ...this.#state, isLoading: true });
      const answer = await this.#readOnce();
      // A custom implementation of a memory may ignore the signal and answer late.
      if (signal.aborted) return;
      this.#publish({ ...answer, isLoading: this.#isStale });
    } while (this.#isStale);
    this.#isReading = false;
  }

  async #readOnce(): Promise<Pick<MemoryRead<T>, 'data' | 'error'>> {
    try {
      return { data: await this.#read(this.#end.signal), error: undefined };
    } catch (thrown) {
      return { data: this.#state.data, error: asError(thrown) };
    }
  }

  #publish(state: MemoryRead<T>): void {
    this.#state = state;
    for (const subscriber of this.#subscribers) {
      try {
        subscriber();
      } catch (error) {
        throwUncaught(error);
      }
    }
  }

  #endIfUnused(): void {
    if (this.#subscribers.size > 0 || this.#end.signal.aborted) return;
    this.#source.removeEventListener('change', this.#onChange);
    this.#end.abort();
    this.#onEnd();
  }
}

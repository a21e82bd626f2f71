import { nextTimerTask } from '../model/event-loop.ts';

/**
 * Tracks whether the page is suspended: hidden, frozen, or in the back/forward cache. In WebKit a transaction that is
 * open at that moment stays open in the cache and blocks every other tab, until the user comes back.
 *
 * Without a document, in a worker, nothing is tracked: a worker keeps running whatever happens to the page.
 */
export class PageLife {
  readonly #onSuspend = new Set<() => void>();
  #stays: Promise<void> | undefined;

  constructor(signal: AbortSignal) {
    if (!globalThis.document) return;
    // Listeners that capture at the window run before those of the page, which may ask for a write.
    const first = { capture: true, signal };
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden') this.#hold();
    };
    globalThis.addEventListener('visibilitychange', onHidden, first);
    globalThis.addEventListener('freeze', () => this.#suspend(), first);
    globalThis.addEventListener('pagehide', ({ persisted }) => persisted && this.#suspend(), first);
  }

  /** True while the page is being suspended, and as long as it is frozen or cached. */
  get isLeaving(): boolean {
    return this.#stays !== undefined;
  }

  /** Resolves when the page runs on: in a timer task, because timers do not run in a page that is frozen or cached. */
  async running(): Promise<void> {
    while (this.#stays) await this.#stays;
  }

  /** Calls the listener when the page is frozen or cached, until the returned function is called. */
  onSuspend(listener: () => void): () => void {
    this.#onSuspend.add(listener);
    return () => this.#onSuspend.delete(listener);
  }

  #suspend(): void {
    this.#hold();
    for (const listener of this.#onSuspend) listener();
  }

  #hold(): void {
    const stays = nextTimerTask().then(() => {
      if (this.#stays === stays) this.#stays = undefined;
    });
    this.#stays = stays;
  }
}

import { openChannel } from './tab-channel.ts';

/**
 * Signs of life of long writes to one database, from this tab and others: what waits for such a write waits longer than
 * for a tab that does nothing. A frozen tab gives none.
 */
export class WriteProgress {
  readonly #name: string;
  readonly #closed: AbortSignal;
  #channel: BroadcastChannel | undefined;
  #heard = 0;

  constructor(databaseName: string, closed: AbortSignal) {
    this.#name = `mnemora-writing:${databaseName}`;
    this.#closed = closed;
    closed.addEventListener('abort', () => this.#channel?.close(), { once: true });
  }

  /** Tells everybody that a write goes on. */
  tell(): void {
    this.#heard += 1;
    this.#opened()?.postMessage('writing');
  }

  /** Number of signs so far. Those of other tabs count from the first call on. */
  get heard(): number {
    this.#opened();
    return this.#heard;
  }

  #opened(): BroadcastChannel | undefined {
    if (this.#channel || this.#closed.aborted) return this.#channel;
    this.#channel = openChannel(this.#name);
    if (this.#channel) this.#channel.onmessage = () => void (this.#heard += 1);
    return this.#channel;
  }
}

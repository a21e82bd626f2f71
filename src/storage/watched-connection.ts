import type { WarningListener } from '../model/warning.ts';
import { revisionOf } from './change-log.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Losses } from './data-loss.ts';
import { forgetMark } from './loss-entries.ts';
import type { LossMarker } from './loss-marker.ts';
import type { StorageEngine, WriteTransaction } from './storage-engine.ts';

const loadMarker = () => import('./loss-marker.ts');

/** A connection that notices when the database was lost: see `loss-marker.ts`. */
export class WatchedConnection implements StorageEngine {
  readonly #connection: Connection;
  readonly #listeners = new Set<WarningListener>();
  /** Belongs to the current opening of the database; undefined if its code cannot be loaded or the database not read. */
  #marker: Promise<LossMarker | undefined> = Promise.resolve(undefined);

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection({ ...options, onOpened: () => this.#check() });
    if (options.onWarning) this.losses.tell(options.onWarning);
  }

  get name(): string {
    return this.#connection.name;
  }

  get presence(): Connection['presence'] {
    return this.#connection.presence;
  }

  get closed(): AbortSignal {
    return this.#connection.closed;
  }

  readonly losses: Losses = {
    last: async () => (await this.#marker)?.loss,
    acknowledge: async () => (await this.#marker)?.acknowledge(),
    tell: (listener) => {
      this.#listeners.add(listener);
      this.#warn(listener);
    },
  };

  /** @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
  open(): Promise<void> {
    return this.#connection.open();
  }

  readonly read: StorageEngine['read'] = (...request) => this.#connection.read(...request);

  readonly write: StorageEngine['write'] = async (stores, body, signal) => {
    const marker = this.#marker;
    let written: WriteTransaction | undefined;
    const noting: typeof body = (transaction) => body((written = transaction));
    const result = await this.#connection.write(stores, noting, signal);
    const revision = written && revisionOf(written);
    // A write into a database that was opened again since then is noted by the next one.
    if (revision !== undefined && marker === this.#marker) void marker.then((known) => known?.note(revision));
    return result;
  };

  close(): void {
    this.#connection.close();
  }

  async delete(): Promise<void> {
    forgetMark(this.name); // before, in case the tab does not live to do it afterwards
    await this.#connection.delete();
    forgetMark(this.name); // another tab may have written in between
  }

  #check(): void {
    this.#marker = loadMarker()
      .then(({ LossMarker: Marker }) => Marker.open(this.#connection))
      .catch(() => undefined); // the next opening checks again
    for (const listener of this.#listeners) this.#warn(listener);
  }

  #warn(listener: WarningListener): void {
    void this.#marker.then((marker) => marker?.warn(listener));
  }
}

import type { WarningListener } from '../model/warning.ts';
import { revisionOf } from './change-log.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Losses } from './data-loss.ts';
import { forgetMark } from './loss-entries.ts';
import type { LossMarker } from './loss-marker.ts';
import type { StorageEngine, WriteTransaction } from './storage-engine.ts';

const loadMarker = () => import('./loss-marker.ts');

/** A connection to a database, with the losses that were noticed. */
export type WatchedConnection = StorageEngine & Pick<Connection, 'open'> & { readonly losses: Losses };

/** Returns a connection that notices when the database was lost: see `loss-marker.ts`. */
export function watchedConnection(options: ConnectionOptions): WatchedConnection {
  const { name, onWarning } = options;
  const listeners = new Set<WarningListener>();
  /** Belongs to the current opening of the database; undefined if its code cannot be loaded or the database not read. */
  let current: Promise<LossMarker | undefined> = Promise.resolve(undefined);
  const warn = (listener: WarningListener): void =>
    void current.then((marker) => {
      if (listeners.has(listener)) marker?.warn(listener);
    });
  /** The state that the database had reached when the browser closed it. */
  let reached: Promise<LossMarker | undefined> = Promise.resolve(undefined);
  const onOpened = (): void => {
    const before = reached;
    reached = Promise.resolve(undefined);
    current = loadMarker()
      .then(async ({ openLossMarker }) => openLossMarker(connection, (await before)?.mark()))
      .catch(() => undefined); // the next opening checks again
    for (const listener of listeners) warn(listener);
  };
  const connection = new Connection({ ...options, onOpened, onClosed: () => void (reached = current) });
  const losses: Losses = {
    last: async () => (await current)?.loss(),
    acknowledge: async () => (await current)?.acknowledge(),
    tell: (listener) => {
      listeners.add(listener);
      warn(listener);
      return () => void listeners.delete(listener);
    },
  };
  if (onWarning) losses.tell(onWarning);
  return {
    name,
    presence: connection.presence,
    closed: connection.closed,
    losses,
    open: () => connection.open(),
    read: connection.read,
    async write(stores, body, signal) {
      const marker = current;
      let written: WriteTransaction | undefined;
      const noting: typeof body = (transaction) => body((written = transaction));
      const result = await connection.write(stores, noting, signal);
      const revision = written && revisionOf(written);
      // A write into a database that was opened again since then is noted by the next one.
      if (revision !== undefined && marker === current) void marker.then((known) => known?.note(revision));
      return result;
    },
    close: () => connection.close(),
    async delete() {
      forgetMark(name); // before, in case the tab does not live to do it afterwards
      await connection.delete();
      forgetMark(name); // another tab may have written in between
    },
  };
}

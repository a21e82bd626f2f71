import type { WarningListener } from '../model/warning.ts';

/** A loss of data that the browser did not report. Times are in milliseconds since 1970, by this machine's clock. */
export interface DataLoss {
  /**
   * `gone`: the database was lost, and an empty one was created. `replaced`: another database has its name.
   * `older`: the database has an earlier state.
   */
  kind: 'gone' | 'replaced' | 'older';
  /** Time when the loss was detected. */
  at: number;
  /** Time of the last write before the loss that is known. */
  lastWriteAt: number;
  /** Number of entries of the change log that are missing, at least. */
  missingChanges: number;
}

/** Detected losses of a database. */
export interface Losses {
  /** Returns the last loss, until it is acknowledged. */
  last(): Promise<DataLoss | undefined>;
  acknowledge(): Promise<void>;
  /**
   * Calls the listener, at every opening, for a loss that is not acknowledged, until the returned function is called.
   */
  tell(listener: WarningListener): () => void;
}

/** Returns a description of a loss, with advice. */
export function describeLoss(name: string, { kind, lastWriteAt, missingChanges }: DataLoss): string {
  const until = new Date(lastWriteAt).toISOString();
  const what = {
    gone: `The database "${name}", last written at ${until}, was lost, and an empty one was created.`,
    replaced: `The database "${name}", last written at ${until}, was lost, and another one has its name.`,
    older: `The database "${name}" has an earlier state: its last ${missingChanges} changes, up to ${until}, are missing.`,
  }[kind];
  return `${what} Import a backup, or call device.acknowledgeLoss() to continue without it.`;
}

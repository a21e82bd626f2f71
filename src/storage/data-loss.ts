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

/** The state that a database had reached: ids and numbers only, no text. */
export interface Mark {
  /** Computed from the secret of the database, so that it is as old and as random as the database. */
  readonly id: string;
  /** Newest entry of the change log that is known to be on disk. */
  readonly revision: number;
  /** Time when it was written. */
  readonly at: number;
}

/** Detected losses of a database. */
export interface Losses {
  /** Returns the last loss, until it is acknowledged. */
  last(): Promise<DataLoss | undefined>;
  acknowledge(): Promise<void>;
  /** Calls the listener, at every opening, for a loss that is not acknowledged. */
  tell(listener: WarningListener): void;
}

/** Returns what the database that left the mark has lost, or undefined if it is complete. */
export function lossBetween(
  mark: Mark,
  { id, revision }: Pick<Mark, 'id' | 'revision'>,
  now: number,
): DataLoss | undefined {
  const isSame = id === mark.id;
  if (isSame && revision >= mark.revision) return undefined;
  return {
    kind: isSame ? 'older' : revision === 0 ? 'gone' : 'replaced',
    at: now,
    lastWriteAt: mark.at,
    missingChanges: isSame ? mark.revision - revision : mark.revision,
  };
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

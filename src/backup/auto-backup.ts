import { abortable, backgroundPause, LONGEST_TIMER_MS } from '../model/abortable.ts';
import { checkFunction, checkOptions, checkString, objectWith, wholeNumber } from '../model/check-options.ts';
import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import { readMissed, type ChangeCursor } from '../storage/change-log.ts';
import type { Change, LastBackup } from '../storage/schema.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import { lead } from '../tabs/leadership.ts';
import { exportBackup } from './export-backup.ts';

export interface AutoBackupOptions {
  /** Minimum time between two backups, in milliseconds. */
  everyMs: number;
  /**
   * Stores a backup wherever the page chooses: a file that the user has picked, the origin private file system, or the
   * page's own server. The backup counts as made when this resolves. A call that takes longer than ten minutes counts
   * as failed, and its signal aborts.
   */
  write: (backup: Blob, options: { signal: AbortSignal }) => void | Promise<void>;
  /** Encrypts the backups, as in `export`. @default plain text */
  passphrase?: string;
  /** Stops the backups. */
  signal?: AbortSignal;
}

/** The parts of a memory that its backups use. */
export interface BackupParts {
  /** Name of the database. */
  readonly name: string;
  readonly settings: { readonly scope: string; readonly clock: Clock };
  readonly stores: { readonly engine: StorageEngine };
  readonly events: {
    readonly warn: WarningListener;
    add(type: 'change', listener: () => void): void;
    remove(type: 'change', listener: () => void): void;
  };
  /** Aborts when the memory is closed. */
  readonly closing: AbortSignal;
}

/** Delay after a failed backup; it doubles with each further failure, up to `everyMs`. */
const RETRY_MS = 60_000;
const WRITE_TIMEOUT_MS = 600_000;

/**
 * Backs up the scope of a memory, in one tab at a time, whenever something has changed and the last backup is old
 * enough; at once if it is overdue. Returns a function that stops it.
 *
 * @throws MnemoraError `invalid-option`, `crypto-unavailable`
 */
export async function autoBackup(parts: BackupParts, options: AutoBackupOptions): Promise<() => void> {
  checkOptions<AutoBackupOptions>('backup.auto', options, {
    everyMs: wholeNumber(1),
    write: checkFunction,
    passphrase: checkString,
    signal: objectWith('throwIfAborted'),
  });
  wholeNumber(1)('everyMs', options.everyMs);
  checkFunction('write', options.write);
  if (options.passphrase !== undefined) {
    const { checkNewPassphrase } = await import('./encrypted-backup.ts');
    checkNewPassphrase(options.passphrase);
  }
  const stopping = new AbortController();
  const signals = [stopping.signal, parts.closing, ...(options.signal ? [options.signal] : [])];
  const stopped = AbortSignal.any(signals);
  const lockName = `mnemora:backup:${parts.name}:${parts.settings.scope}`;
  const backups = lead(lockName, stopped, (term) => backUpInTerm(parts, options, term));
  backups.catch((cause: unknown) => {
    if (!stopped.aborted) warnOfFailure(parts, cause, 'Call backup.auto again.');
  });
  return () => stopping.abort();
}

/** Makes the backups of one term as leader, until the term ends. */
async function backUpInTerm(
  parts: BackupParts,
  options: AutoBackupOptions,
  term: AbortSignal,
): Promise<void> {
  const { settings, stores, events } = parts;
  const { everyMs, write, passphrase } = options;
  let failures = 0;
  let retryAt = -Infinity;

  /** Makes a backup if one is due. Returns the milliseconds after which to look again. */
  const backUpIfDue = async (): Promise<number> => {
    const now = settings.clock();
    const { last, cursor } = await lookForChanges(parts);
    if (!cursor) return LONGEST_TIMER_MS;
    // A clock that was set back must not delay backups.
    const dueAt = Math.max(retryAt, last && last.at <= now ? last.at + everyMs : now);
    if (now < dueAt) return dueAt - now;
    const backup = await exportBackup(stores.engine, {
      scope: settings.scope,
      signal: term,
      ...(passphrase === undefined ? {} : { passphrase }),
    });
    const signal = AbortSignal.any([term, AbortSignal.timeout(WRITE_TIMEOUT_MS)]);
    await abortable(Promise.resolve(write(backup, { signal })), signal);
    const made = { key: `backup:${settings.scope}`, value: { at: now, cursor } } as const;
    await stores.engine.write(['meta'], (transaction) => transaction.objectStore('meta').put(made));
    failures = 0;
    return everyMs;
  };

  /** Warns of a failure. Returns the milliseconds after which to try again. */
  const failed = (cause: unknown): number => {
    if (term.aborted) return 0;
    const delayMs = Math.min(RETRY_MS * 2 ** failures, Math.max(RETRY_MS, everyMs));
    failures += 1;
    retryAt = settings.clock() + delayMs;
    warnOfFailure(parts, cause, 'It will be retried.');
    return delayMs;
  };

  while (!term.aborted) {
    // Listens from here on, so that no change is missed while a backup is being made.
    const changed = new AbortController();
    const onChange = (): void => changed.abort();
    events.add('change', onChange);
    const waitMs = await backUpIfDue().catch(failed);
    await backgroundPause(Math.min(waitMs, LONGEST_TIMER_MS), term, changed.signal);
    events.remove('change', onChange);
  }
}

/** Returns the last backup and the cursor up to which to make the next one; no cursor if nothing has changed since. */
function lookForChanges({
  settings: { scope },
  stores,
}: BackupParts): Promise<{ last: LastBackup | undefined; cursor: ChangeCursor | undefined }> {
  return stores.engine.read(['meta', 'changes', 'documents'], async (transaction) => {
    const row = await transaction.objectStore('meta').get(`backup:${scope}`);
    const last = row?.value as LastBackup | undefined;
    const { cursor, missed } = await readMissed(transaction, last?.cursor);
    const isChanged = missed ? await concernAny(transaction, missed, scope) : cursor.revision > 0;
    return { last, cursor: isChanged ? cursor : undefined };
  });
}

/** Whether any of these changes concerns a scope. Those of documents name a collection, which can be any. */
async function concernAny(
  transaction: Transaction,
  changes: readonly Change[],
  scope: string,
): Promise<boolean> {
  if (changes.some((change) => change.scope === scope)) return true;
  const keys = changes.flatMap((change) =>
    change.kind === 'documents' ? change.ids.map((id): [string, string] => [change.scope, id]) : [],
  );
  const rows = await Promise.all(keys.map((key) => transaction.objectStore('documents').get(key)));
  // One that is gone may have been of the scope.
  return rows.some((document) => document === undefined || document.scope === scope);
}

function warnOfFailure({ events }: BackupParts, cause: unknown, outcome: string): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  events.warn({
    code: 'backup-failed',
    message: `The automatic backup could not be made. ${outcome} ${reason}`,
    cause,
  });
}

import { abortable, backgroundPause, LONGEST_TIMER_MS } from '../model/abortable.ts';
import { checkFunction, checkOptions, checkString, objectWith, wholeNumber } from '../model/check-options.ts';
import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import { readMissed, type ChangeCursor } from '../storage/change-log.ts';
import type { LastBackup } from '../storage/schema.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
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
  const backups = lead(lockName, stopped, (term) => new AutoBackup(parts, options, term).run());
  backups.catch((cause: unknown) => {
    if (!stopped.aborted) warnOfFailure(parts, cause, 'Call backup.auto again.');
  });
  return () => stopping.abort();
}

/** The backups of one term as leader. */
class AutoBackup {
  readonly #parts: BackupParts;
  readonly #options: AutoBackupOptions;
  readonly #term: AbortSignal;
  #failures = 0;
  #retryAt = -Infinity;

  constructor(parts: BackupParts, options: AutoBackupOptions, term: AbortSignal) {
    this.#parts = parts;
    this.#options = options;
    this.#term = term;
  }

  /** Runs until the term ends. */
  async run(): Promise<void> {
    while (!this.#term.aborted) {
      // Listens from here on, so that no change is missed while a backup is being made.
      const changed = new AbortController();
      const onChange = (): void => changed.abort();
      this.#parts.events.add('change', onChange);
      const waitMs = await this.#backUpIfDue().catch((cause: unknown) => this.#failed(cause));
      await backgroundPause(Math.min(waitMs, LONGEST_TIMER_MS), this.#term, changed.signal);
      this.#parts.events.remove('change', onChange);
    }
  }

  /** Makes a backup if one is due. Returns the milliseconds after which to look again. */
  async #backUpIfDue(): Promise<number> {
    const { settings, stores } = this.#parts;
    const { everyMs, write, passphrase } = this.#options;
    const now = settings.clock();
    const { last, cursor } = await this.#look();
    if (!cursor) return LONGEST_TIMER_MS;
    // A clock that was set back must not delay backups.
    const dueAt = Math.max(this.#retryAt, last && last.at <= now ? last.at + everyMs : now);
    if (now < dueAt) return dueAt - now;
    const backup = await exportBackup(stores.engine, {
      scope: settings.scope,
      signal: this.#term,
      ...(passphrase === undefined ? {} : { passphrase }),
    });
    const signal = AbortSignal.any([this.#term, AbortSignal.timeout(WRITE_TIMEOUT_MS)]);
    await abortable(Promise.resolve(write(backup, { signal })), signal);
    await this.#keep({ at: now, cursor });
    this.#failures = 0;
    return everyMs;
  }

  /**
   * Returns the last backup and the cursor up to which to make the next one; no cursor if nothing has changed since.
   */
  #look(): Promise<{ last: LastBackup | undefined; cursor: ChangeCursor | undefined }> {
    const { settings, stores } = this.#parts;
    return stores.engine.read(['meta', 'changes'], async (transaction) => {
      const row = await transaction.objectStore('meta').get(`backup:${settings.scope}`);
      const last = row?.value as LastBackup | undefined;
      const { cursor, missed } = await readMissed(transaction, last?.cursor);
      const isChanged = missed ? missed.some(({ scope }) => scope === settings.scope) : cursor.revision > 0;
      return { last, cursor: isChanged ? cursor : undefined };
    });
  }

  async #keep(value: LastBackup): Promise<void> {
    const { settings, stores } = this.#parts;
    await stores.engine.write(['meta'], (transaction) =>
      transaction.objectStore('meta').put({ key: `backup:${settings.scope}`, value }),
    );
  }

  /** Warns of a failure. Returns the milliseconds after which to try again. */
  #failed(cause: unknown): number {
    if (this.#term.aborted) return 0;
    const delayMs = Math.min(RETRY_MS * 2 ** this.#failures, Math.max(RETRY_MS, this.#options.everyMs));
    this.#failures += 1;
    this.#retryAt = this.#parts.settings.clock() + delayMs;
    warnOfFailure(this.#parts, cause, 'It will be retried.');
    return delayMs;
  }
}

function warnOfFailure({ events }: BackupParts, cause: unknown, outcome: string): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  events.warn({
    code: 'backup-failed',
    message: `The automatic backup could not be made. ${outcome} ${reason}`,
    cause,
  });
}

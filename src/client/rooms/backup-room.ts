import type { AutoBackupOptions } from '../../backup/auto-backup.ts';
import type { ExportOptions } from '../../backup/export-backup.ts';
import type { ImportOptions } from '../../backup/import-backup.ts';
import type { VerifyReport } from '../../backup/verify-derived.ts';
import type { RebuildOptions } from '../../learning/rebuild/rebuild.ts';
import type { SignalOption } from '../../model/call-options.ts';
import { checkOptionNames } from '../../model/check-options.ts';
import type { ImportReceipt } from '../../storage/receipts.ts';
import type { MemoryParts } from '../memory-parts.ts';

/** Backups of a memory, and verification and rebuilding of its derived data. */
export interface MemoryBackup {
  /**
   * Returns a backup file. Equal states give equal bytes unless a `passphrase` encrypts the file. It contains no keys,
   * secrets or configuration.
   *
   * @throws MnemoraError `invalid-option`, `crypto-unavailable`, and the `storage-…` codes
   */
  export(options?: Omit<ExportOptions, 'scope'>): Promise<Blob>;
  /**
   * Merges a file made by `export`, either completely or not at all. Existing data is kept. Forgotten data is not
   * restored unless `restoreForgotten` is set. Importing the same file again changes nothing.
   *
   * @throws MnemoraError `backup-invalid` and `backup-newer`, each naming the line; `passphrase-needed`,
   *   `wrong-passphrase`, `crypto-unavailable`, `turn-conflict`, `invalid-input`, `invalid-option`, and the `storage-…`
   *   codes; nothing is changed then
   */
  import(backup: Blob, options?: ImportOptions): Promise<ImportReceipt>;
  /**
   * Passes a backup to `write` whenever something has changed and the last backup is at least `everyMs` old. An overdue
   * backup is made at once. Only one tab at a time makes backups. A failure raises a `backup-failed` warning and is
   * retried, the first time after a minute. Returns a function that stops the backups; the signal and `close()` stop
   * them as well.
   *
   * @throws MnemoraError `invalid-option`, `crypto-unavailable`
   *
   * @example
   * const stop = await memory.backup.auto({
   *   everyMs: 3_600_000,
   *   write: async (backup) => {
   *     const root = await navigator.storage.getDirectory();
   *     const file = await (await root.getFileHandle('backup.jsonl', { create: true })).createWritable();
   *     await backup.stream().pipeTo(file);
   *   },
   * });
   */
  auto(options: AutoBackupOptions): Promise<() => void>;
  /** Checks derived data against the messages, and reports problems. It repairs nothing: `rebuild` does. */
  verify(options?: SignalOption): Promise<VerifyReport>;
  /**
   * Rebuilds summaries, entities, facts and claims from the messages. Corrections, confirmations and pins are kept, and
   * what was forgotten stays forgotten. The old facts and claims are used until all new ones are there. What is done
   * survives the page; forgetting something that was read again begins the work again. Resolves when the work is done. If
   * the signal aborts the wait, the work continues in the background.
   *
   * @throws MnemoraError `invalid-option` for a memory with `learning: false`; `learning-failed` if the work failed, or
   *   waits for a network or another model: the old facts stay, and the next call continues
   */
  rebuild(options?: RebuildOptions): Promise<void>;
}

/** Returns the `backup` methods of a memory. */
export function openBackup(parts: MemoryParts): MemoryBackup {
  const { scope } = parts.settings;
  return {
    async export(options = {}) {
      checkOptionNames('backup.export', options, ['passphrase', 'vectors', 'signal', 'onProgress']);
      const { exportBackup } = await import('../../backup/export-backup.ts');
      return exportBackup(parts.stores.engine, { ...options, scope });
    },
    async import(backup, options = {}) {
      const { importBackup, IMPORT_OPTIONS } = await import('../../backup/import-backup.ts');
      checkOptionNames('backup.import', options, IMPORT_OPTIONS);
      const receipt = await importBackup(parts.stores.engine, backup, {
        ...options,
        scope,
        readsClaims: true,
      });
      await parts.stores.engine.losses?.acknowledge();
      parts.written();
      parts.readAgain();
      return receipt;
    },
    auto: async (options) => (await import('../../backup/auto-backup.ts')).autoBackup(parts, options),
    async verify(options = {}) {
      const { verifyDerived } = await import('../../backup/verify-derived.ts');
      return verifyDerived(parts.stores.engine, scope, options);
    },
    rebuild: async (options = {}) =>
      (await import('../../learning/rebuild/rebuild.ts')).rebuild(parts, options),
  };
}

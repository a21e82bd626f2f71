import { checkBoolean, checkOptionNames, checkWord } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { STORE_NAMES } from '../storage/schema.ts';
import type { BackupProgress } from './backup-format.ts';
import { FileScopes, intoScope } from './into-scope.ts';
import { asOwnedBy, BACKUP_OWNERS, type BackupOwner } from './backup-owner.ts';
import { BackupMerge } from './backup-merge.ts';
import { BackupReader } from './backup-reader.ts';
import type { ImportReceipt } from '../storage/receipts.ts';
import { keepTransactionAlive } from './keep-transaction-alive.ts';

export interface ImportOptions {
  /**
   * Owner of the file. Nothing in a `foreign` file counts as the user's own word: its facts wait in `review`,
   * unpinned, and its tombstones erase nothing here.
   *
   * @default 'own'
   */
  as?: BackupOwner;
  /**
   * Imports what the file contains even if it was forgotten here, because the user asks for it. What the file itself
   * marks as forgotten is erased all the same.
   *
   * @default false
   */
  restoreForgotten?: boolean;
  signal?: AbortSignal;
  /** Called with the number of bytes read so far. Each byte is read twice, so `total` is twice the file size. */
  onProgress?: (progress: BackupProgress) => void;
}

export const IMPORT_OPTIONS: readonly (keyof ImportOptions)[] = [
  'as',
  'restoreForgotten',
  'signal',
  'onProgress',
];

/**
 * Merges a backup into the database: all of it in one transaction, or nothing. The whole file is checked before
 * anything is written. Importing the same file again changes nothing.
 *
 * - Stored data stays as it is. If a message, fact, summary, text or list has the same id here and in the file, the
 *   stored one is kept; a fact gains the additional messages that support it, an entity gains the additional
 *   mentions, and a pending turn ends as it did in the file.
 * - If a session has continued both here and in the file, the new messages of the file come after those here.
 * - What was forgotten, here or where the file was made, is forgotten: a message with a tombstone here is not
 *   imported, and a stored message with a tombstone in the file is erased with everything derived from it. With
 *   `restoreForgotten`, the file brings back what was forgotten here.
 * - A summary is imported only if the session is the same as the one that it summarizes. Turns that still wait for
 *   background work are queued again, with all attempts left.
 * - New sessions get a new fence mark; sessions here keep theirs.
 *
 * With a scope, everything is imported into that scope, and a file with several scopes is refused.
 *
 * Memory needed: the ids in the file, the messages of one session that is already here, and what the browser keeps
 * for an open transaction.
 *
 * @throws MnemoraError `backup-invalid`, which names line and field, and `backup-newer`; `turn-conflict` and
 *   `invalid-input` if a turn or session of the file belongs to another session or scope here; and the `storage-…`
 *   codes. Nothing is changed then
 */
export async function importBackup(
  engine: StorageEngine,
  blob: Blob,
  options: ImportOptions & { readonly scope?: string } = {},
): Promise<ImportReceipt> {
  checkOptionNames('import', options, [...IMPORT_OPTIONS, 'scope']);
  if (!(blob instanceof Blob)) throw new MnemoraError('invalid-input', 'A backup must be a Blob or a File.');
  const { signal, scope, onProgress = () => undefined } = options;
  const owner = checkWord('as', options.as ?? 'own', BACKUP_OWNERS);
  const restoreForgotten = checkBoolean('restoreForgotten', options.restoreForgotten ?? false);
  const report = (bytes: number): void =>
    onProgress({ done: Math.min(bytes, 2 * blob.size), total: 2 * blob.size });
  const check = new BackupReader(blob);
  signal?.throwIfAborted();
  const scopes = new FileScopes();
  for (;;) {
    const entries = await check.next();
    if (!entries) break;
    signal?.throwIfAborted();
    for (const entry of entries) scopes.add(entry);
    report(check.bytesRead);
  }
  const from = scope === undefined ? undefined : scopes.only();
  return engine.write(
    [...STORE_NAMES],
    'strict',
    async (transaction) => {
      // Read and checked a second time, because the file on the disk may have been changed in the meantime.
      const reader = new BackupReader(blob);
      const merge = new BackupMerge(transaction, { restoreForgotten });
      for (;;) {
        const entries = await keepTransactionAlive(transaction, reader.next());
        if (!entries) return merge.finish();
        const owned = entries.flatMap((entry) => asOwnedBy(entry, owner) ?? []);
        await merge.put(scope === undefined ? owned : owned.map((entry) => intoScope(entry, from, scope)));
        report(blob.size + reader.bytesRead);
      }
    },
    signal,
  );
}

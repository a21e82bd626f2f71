import { checkBoolean, checkOptionNames, checkWord } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { STORE_NAMES } from '../storage/stores.ts';
import type { BackupProgress } from './backup-format.ts';
import { FileScopes, intoScope } from './into-scope.ts';
import { asOwnedBy, BACKUP_OWNERS, type BackupOwner } from './backup-owner.ts';
import { BackupMerge } from './backup-merge.ts';
import { BackupReader } from './backup-reader.ts';
import type { ImportReceipt } from '../storage/receipts.ts';
import { keepTransactionAlive } from './keep-transaction-alive.ts';

export interface ImportOptions {
  /**
   * Whose file it is. Of a `foreign` one nothing is the user's word: its facts wait in `review`, unpinned, and nothing here
   * is forgotten for it.
   *
   * @default 'own'
   */
  as?: BackupOwner;
  /**
   * Brings back what the file has and was forgotten here, because the person says so. What the file itself says was
   * forgotten is erased all the same.
   *
   * @default false
   */
  restoreForgotten?: boolean;
  signal?: AbortSignal;
  /** Hears of bytes read: each is read twice. */
  onProgress?: (progress: BackupProgress) => void;
}

export const IMPORT_OPTIONS: readonly (keyof ImportOptions)[] = [
  'as',
  'restoreForgotten',
  'signal',
  'onProgress',
];

/**
 * Merges a backup into the database: all of it, in one transaction, or nothing. The whole file is checked before
 * anything is written. Importing the same file again changes nothing.
 *
 * - What is here stays as it is. Of a message, fact, summary, text or list that is there under the same id the one here
 *   counts, whatever the file says; a fact gets the other messages that told it, an entity what else is told of it; a
 *   pending turn is ended by the file's.
 * - Where a session has gone on here and in the file, the file's new messages come after those that are here.
 * - What was forgotten, here or where the file was made, stays or gets forgotten: a message with a tombstone does not
 *   come in, and one that is here and has a tombstone in the file is erased with all that was made of it. With
 *   `restoreForgotten`, what was forgotten here comes back with the file.
 * - A summary comes in only where the session is the one that it tells of. Turns that nobody has worked on yet are
 *   queued again, with all attempts left.
 * - Sessions get a new fence mark; those that are here keep theirs.
 *
 * With a scope, all of it becomes that scope's, and a file with the memories of several scopes is refused.
 *
 * Memory needed: the ids in the file, the messages of one session that is here already, and what the browser keeps of
 * an open transaction.
 *
 * @throws MnemoraError `backup-invalid`, which names line and field, and `backup-newer`; `turn-conflict` and
 *   `invalid-input` where a turn or session of the file is that of another session or scope here;
 *   and the `storage-…` codes. Nothing is changed then
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
      // Read and checked again: what was picked may have been changed on the disk meanwhile.
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

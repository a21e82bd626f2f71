import { checkBoolean, checkOptionNames, oneOf } from '../model/check-options.ts';
import { describe } from '../model/describe.ts';
import { invalidInput, MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { DEFAULT_SCOPE } from '../model/scope.ts';
import type { BackupStore } from '../storage/codec/backup-rows.ts';
import { restateQueue } from '../storage/forgetting/read-again.ts';
import { planWithoutNames } from '../storage/forgetting/plan-without-names.ts';
import { ImportTarget, type StoreMerge } from '../storage/importing/import-target.ts';
import { mergeOf } from '../storage/importing/store-merges.ts';
import { keepTransactionAlive } from '../storage/codec/keep-alive.ts';
import { applyPlans } from '../storage/plan.ts';
import type { ImportReceipt } from '../storage/receipts.ts';
import { groupedBy } from '../storage/rows.ts';
import { STORE_NAMES } from '../storage/schema.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { BACKUP_STORES, rulesOf } from '../storage/store-rules.ts';
import type { BackupEntry, BackupProgress } from './backup-format.ts';
import { BackupReader } from './backup-reader.ts';
import { openBackup } from './encrypted-backup.ts';

/** Owner of a backup: the user of this database, or somebody else. */
export type BackupOwner = 'own' | 'foreign';

export interface ImportOptions {
  /**
   * Owner of the file. Nothing in a `foreign` file counts as a claim of the user: its facts wait in `review`,
   * unpinned, and its tombstones erase nothing here.
   *
   * @default 'own'
   */
  as?: BackupOwner;
  /**
   * Also imports data that was forgotten here. Data that the file itself marks as forgotten is still erased.
   *
   * @default false
   */
  restoreForgotten?: boolean;
  /** Decrypts a file that was exported with this passphrase. */
  passphrase?: string;
  signal?: AbortSignal;
  /** Called with the number of bytes read so far. Each byte is read twice, so `total` is twice the size. */
  onProgress?: (progress: BackupProgress) => void;
}

export const IMPORT_OPTIONS: readonly (keyof ImportOptions)[] = [
  'as',
  'restoreForgotten',
  'passphrase',
  'signal',
  'onProgress',
];

/** Options of an import into one scope. */
export interface ImportSettings extends ImportOptions {
  /** @default the scopes of the file */
  readonly scope?: string;
  /** Whether a job is queued that reads claims from the messages: a backup has none. @default false */
  readonly readsClaims?: boolean;
}

/**
 * Merges a backup into the database: all of it in one transaction, or nothing. The whole file is checked before
 * anything is written. Importing the same file again changes nothing.
 *
 * - Stored data is kept. If a message, fact, summary, text or list has the same id here and in the file, the stored one
 *   is kept; a fact gains the additional messages that support it, an entity gains the additional mentions, and a
 *   pending turn ends as it did in the file.
 * - If a session has continued both here and in the file, the new messages of the file come after those here.
 * - Data that was forgotten, here or where the file was made, stays forgotten: a message with a tombstone here is not
 *   imported, and a stored message with a tombstone in the file is erased with everything derived from it. A name that
 *   was forgotten is also erased from what the user entered, even later. With `restoreForgotten`, the file brings back
 *   what was forgotten here.
 * - A summary is imported only if the session is the same as the one that it summarizes. Turns that still wait for
 *   background work are queued again, with all attempts left.
 * - New sessions get a new fence mark; sessions here keep theirs.
 *
 * With a scope, everything is imported into that scope, and a file with several scopes is refused.
 *
 * Memory needed: the ids in the file, the messages of one session that is already here, and what the browser keeps
 * for an open transaction.
 *
 * @throws MnemoraError `backup-invalid`, which names line and field, and `backup-newer`; `passphrase-needed` for an
 *   encrypted file, and `wrong-passphrase`; `turn-conflict` if a turn of the file belongs to another session here; and the `storage-…`
 *   codes. Nothing is changed then
 */
export async function importBackup(
  engine: StorageEngine,
  blob: Blob,
  { readsClaims = false, ...options }: ImportSettings = {},
): Promise<ImportReceipt> {
  checkOptionNames('import', options, [...IMPORT_OPTIONS, 'scope']);
  if (!(blob instanceof Blob)) {
    throw invalidInput(
      `A backup must be a Blob or a File; got ${describe(blob)}. Wrap a text in new Blob([text]).`,
    );
  }
  const { signal, scope, onProgress = () => undefined } = options;
  const owner = oneOf('own', 'foreign')('as', options.as ?? 'own');
  const restoreForgotten = checkBoolean('restoreForgotten', options.restoreForgotten ?? false);
  signal?.throwIfAborted();
  const backup = await openBackup(blob, options.passphrase, signal);
  const total = 2 * backup.size;
  const report = (bytes: number): void => onProgress({ done: Math.min(bytes, total), total });
  const scopes = new Set<string>();
  const check = new BackupReader(backup);
  for (let entries = await check.next(); entries; entries = await check.next()) {
    signal?.throwIfAborted();
    for (const { row } of entries) if ('scope' in row) scopes.add(row.scope);
    report(check.bytesRead);
  }
  const from = scope === undefined ? undefined : onlyOne(scopes);
  return engine.write(
    STORE_NAMES,
    async (transaction) => {
      // Read and checked a second time, because the file on the disk may have been changed in the meantime.
      const reader = new BackupReader(backup);
      const target = new ImportTarget(transaction, restoreForgotten, scope);
      const merges = BACKUP_STORES.map((store) => ({ store, merge: mergeOf(store, target) }));
      for (;;) {
        const entries = await keepTransactionAlive(transaction, reader.next());
        if (!entries) return finish(target, merges, scope === undefined ? scopes : [scope], readsClaims);
        const owned = owner === 'own' ? entries : entries.flatMap((entry) => asForeign(entry) ?? []);
        await put(merges, scope === undefined ? owned : owned.map((entry) => intoScope(entry, from, scope)));
        report(backup.size + reader.bytesRead);
      }
    },
    signal,
  );
}

/** Returns the only scope, or undefined if there is none. @throws MnemoraError `backup-invalid` if there are several */
function onlyOne(scopes: ReadonlySet<string>): string | undefined {
  const [scope, ...others] = scopes;
  if (others.length === 0) return scope;
  throw new MnemoraError(
    'backup-invalid',
    `This backup holds the memories of ${scopes.size} scopes, but a memory can import only one. Export each scope from its own memory; nothing was changed.`,
  );
}

/** Merges of the stores from the current one on. A file has its records store by store. */
type Merges = { readonly store: BackupStore; readonly merge: StoreMerge<BackupStore> }[];

/** Merges records. @throws MnemoraError `turn-conflict` if they conflict with stored data */
async function put(merges: Merges, entries: readonly BackupEntry[]): Promise<void> {
  for (const [store, run] of groupedBy(entries, (entry) => entry.store)) {
    await advanceTo(store, merges);
    await merges[0]?.merge.put(run.map(({ row }) => row));
  }
}

/** Ends the merges of the stores before this one, whose records have been read completely. */
async function advanceTo(store: string | undefined, merges: Merges): Promise<void> {
  while (merges[0] && merges[0].store !== store) await merges.shift()?.merge.end?.();
}

/** Ends the import, and makes open tabs read everything again. */
async function finish(
  target: ImportTarget,
  merges: Merges,
  scopes: Iterable<string>,
  readsClaims: boolean,
): Promise<ImportReceipt> {
  const { transaction, forgotten, receipt, work } = target;
  await advanceTo(undefined, merges);
  const messageIds = await forgotten.messagesHere((scope) => target.concerns(scope));
  if (await forgotten.keep(messageIds)) target.isChanged = true;
  // Runs before the sources are erased, because they show in which messages somebody was forgotten.
  for (const scope of scopes) await eraseNames(target, scope);
  for (const id of messageIds) await applyPlans(transaction, await forgotten.plan(id));
  for (const each of work) await target.enqueue(each);
  if (target.isChanged) {
    // Queued here, so that claims are read even if the page ends now, or learns nothing itself.
    for (const scope of readsClaims ? scopes : []) {
      const job = { queue: restateQueue(scope), scope, sessionId: '', turnIds: [] };
      await target.enqueue({ ...job, createdAt: Date.now() });
    }
    await transaction.objectStore('meta').put({ key: 'generation', value: newId() });
    await transaction.objectStore('packedKnowledge').clear(); // it may contain what the backup has erased
  }
  return receipt;
}

/**
 * Erases the names that were forgotten here or where the file was made, also from what was entered by hand: it is
 * unknown which came first, and all orders of imports have to give the same result.
 */
async function eraseNames(target: ImportTarget, scope: string): Promise<void> {
  const { transaction, forgotten } = target;
  const plans = await planWithoutNames(transaction, scope, await forgotten.names());
  const isChange = plans
    .flatMap(({ puts = {}, deletes = {} }) => [...Object.values(puts), ...Object.values(deletes)])
    .some((rows) => rows.length > 0);
  if (!isChange) return;
  await applyPlans(transaction, plans);
  target.isChanged = true;
}

/** Returns a record of somebody else's file, changed for import; undefined if it is not imported. */
function asForeign({ store, row }: BackupEntry): BackupEntry | undefined {
  const { foreign } = rulesOf(store).backup ?? {};
  const changed = foreign ? foreign(row) : row;
  return changed && { store, row: changed };
}

/** Returns a record moved to another scope, including queue and collection names that contain the scope. */
function intoScope(entry: BackupEntry, from: string | undefined, to: string): BackupEntry {
  if (from === undefined || from === to) return entry;
  const { row } = entry;
  const queue = 'queue' in row && row.queue !== undefined ? { queue: queueInto(row.queue, from, to) } : {};
  const scope = 'scope' in row ? { scope: to } : {};
  const collection = 'collection' in row && row.collection === from ? { collection: to } : {};
  return { ...entry, row: { ...row, ...scope, ...queue, ...collection } };
}

/** Returns the name of the same queue in another scope. */
function queueInto(queue: string, from: string, to: string): string {
  const end = `/${from}`;
  const name = queue.endsWith(end) ? queue.slice(0, -end.length) : queue;
  // Those of components do not name the default scope: see `background-work.ts`.
  return to === DEFAULT_SCOPE && name.includes('/') ? name : `${name}/${to}`;
}

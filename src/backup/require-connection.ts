import { MnemoraError } from '../model/error.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';

/** @throws MnemoraError `storage-unavailable` where there is none, because the memory is kept in RAM */
export function requireConnection(connection: StorageEngine | undefined): StorageEngine {
  if (connection) return connection;
  throw new MnemoraError(
    'storage-unavailable',
    `A memory that is not in a database has no backups. Create it with history: 'indexeddb'.`,
  );
}

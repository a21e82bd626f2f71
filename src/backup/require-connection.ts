import { MnemoraError } from '../model/error.ts';
import type { Connection } from '../storage/connection.ts';

/** @throws MnemoraError `storage-unavailable` where there is none, because the memory is kept in RAM */
export function requireConnection(connection: Connection | undefined): Connection {
  if (connection) return connection;
  throw new MnemoraError(
    'storage-unavailable',
    `A memory that is not in a database has no backups. Create it with history: 'indexeddb'.`,
  );
}

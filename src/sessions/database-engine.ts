import { MnemoraError } from '../model/error.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { MemoryDatabase } from './memory-database.ts';

const engines = new WeakMap<object, StorageEngine>();

/** Remembers the storage engine of a database, for the parts of the library that work on it directly. */
export function registerEngine(database: MemoryDatabase, engine: StorageEngine): MemoryDatabase {
  engines.set(database, engine);
  return database;
}

/**
 * Returns the storage engine of a database.
 *
 * @throws MnemoraError `invalid-option` if `openDatabase` did not return it
 */
export function engineOf(database: MemoryDatabase): StorageEngine {
  const engine = typeof database === 'object' && database !== null ? engines.get(database) : undefined;
  if (!engine)
    throw new MnemoraError('invalid-option', 'database must be an object that openDatabase returned.');
  return engine;
}

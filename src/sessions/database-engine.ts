import { MnemoraError } from '../model/error.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { MemoryDatabase } from './memory-database.ts';

const engines = new WeakMap<object, StorageEngine>();

/** Says what a database stores its rows in, for those parts of the library that are built on it. */
export function keepEngine(database: MemoryDatabase, engine: StorageEngine): MemoryDatabase {
  engines.set(database, engine);
  return database;
}

/** @throws MnemoraError `invalid-option` where it is not what `openDatabase` gave */
export function engineOf(database: MemoryDatabase): StorageEngine {
  const engine = typeof database === 'object' && database !== null ? engines.get(database) : undefined;
  if (!engine) throw new MnemoraError('invalid-option', 'database must be what openDatabase gave.');
  return engine;
}

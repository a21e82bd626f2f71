import { openDatabase, type MemoryDatabase } from '../sessions/open-database.ts';
import type { WarningListener } from '../model/warning.ts';
import type { MemorySettings } from './options.ts';

/** Where a memory keeps everything. */
export type MemoryStores = Pick<
  MemoryDatabase,
  'transcript' | 'summaries' | 'knowledge' | 'jobs' | 'connection' | 'close'
>;

/** @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
export function openStores(
  { name, clock, history }: MemorySettings,
  onWarning: WarningListener,
): Promise<MemoryStores> {
  return openDatabase({ name, clock, history, onWarning });
}

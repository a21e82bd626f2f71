import type { DataLoss } from '../../storage/data-loss.ts';
import type { SignalOption } from '../call-options.ts';

/** Storage of this site, as reported by the browser. */
export interface StorageUse {
  /** Estimate for the whole origin. */
  usedBytes: number;
  quotaBytes?: number;
  /** Whether the browser has promised not to evict it. */
  persisted?: boolean;
}

/** Browser storage of a memory: usage, persistence and data loss. */
export interface MemoryDevice {
  /**
   * Returns how much storage this site uses.
   *
   * @throws MnemoraError `storage-unavailable` if the browser refuses to report it
   */
  usage(options?: SignalOption): Promise<StorageUse>;
  /**
   * Asks the browser not to evict this site's storage, and returns whether it agreed. Firefox asks the user, and this
   * does not settle before the user has answered: pass a signal to stop waiting.
   *
   * @throws MnemoraError `storage-unavailable` if the browser refuses the request
   */
  persist(options?: SignalOption): Promise<boolean>;
  /**
   * Returns the last loss of data: the database existed, and came back empty or in an earlier state, as after damage to
   * the disk. Undefined once a backup was imported or `acknowledgeLoss` was called. Until then, every opening also
   * raises a `data-lost` warning. Forgetting, deleting the database through the library and clearing all data of the
   * site do not count as losses. Losses are detected with an entry in `localStorage`, so none are detected in workers
   * or where `localStorage` is refused.
   */
  lastLoss(options?: SignalOption): Promise<DataLoss | undefined>;
  /** Accepts a loss: `lastLoss` returns undefined from now on. */
  acknowledgeLoss(options?: SignalOption): Promise<void>;
}

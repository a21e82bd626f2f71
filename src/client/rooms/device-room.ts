import { abortable } from '../../model/abortable.ts';
import { signalOf, type SignalOption } from '../../model/call-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { DataLoss } from '../../storage/data-loss.ts';
import type { MemoryParts } from '../memory-parts.ts';

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
   * raises a `data-lost` warning. Forgetting and deleting the database through the library do not count as losses.
   * Losses are detected with an entry in `localStorage`, so none are detected in workers or where `localStorage` is
   * refused, and clearing all data of the site is detected only by pages that are open.
   */
  lastLoss(options?: SignalOption): Promise<DataLoss | undefined>;
  /** Accepts a loss: `lastLoss` returns undefined from now on. */
  acknowledgeLoss(options?: SignalOption): Promise<void>;
}

/** Returns the `device` methods of a memory. */
export function openDevice(parts: MemoryParts): MemoryDevice {
  return {
    usage: async (options = {}) => abortable(storageUse(), signalOf('device.usage', options)),
    async persist(options = {}) {
      const signal = signalOf('device.persist', options);
      const asked = askStorageManager(async (manager) => manager?.persist?.());
      return (await abortable(asked, signal)) ?? false;
    },
    async lastLoss(options = {}) {
      const signal = signalOf('device.lastLoss', options);
      return abortable(Promise.resolve(parts.stores.engine.losses?.last()), signal);
    },
    async acknowledgeLoss(options = {}) {
      signalOf('device.acknowledgeLoss', options);
      await parts.stores.engine.losses?.acknowledge();
    },
  };
}

function storageUse(): Promise<StorageUse> {
  return askStorageManager(async (manager) => {
    if (!manager?.estimate) return { usedBytes: 0 };
    const [{ usage = 0, quota }, persisted] = await Promise.all([manager.estimate(), manager.persisted()]);
    return { usedBytes: usage, ...(quota === undefined ? {} : { quotaBytes: quota }), persisted };
  });
}

/** Some pages, such as sandboxed frames, have a storage manager that refuses every call. */
async function askStorageManager<T>(ask: (manager: StorageManager | undefined) => Promise<T>): Promise<T> {
  try {
    return await ask(globalThis.navigator?.storage);
  } catch (cause) {
    throw new MnemoraError('storage-unavailable', 'The browser refused to report storage usage.', { cause });
  }
}

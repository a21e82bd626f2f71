import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import { signalOf } from '../call-options.ts';
import type { Engine } from '../engine.ts';
import type { MemoryDevice, StorageUse } from './memory-device.ts';

/** Returns the `device` methods of a memory. */
export function openDevice(engine: Engine): MemoryDevice {
  return {
    usage: async (options = {}) => abortable(storageUse(), signalOf('device.usage', options)),
    async persist(options = {}) {
      const signal = signalOf('device.persist', options);
      const asked = askStorageManager(async (manager) => manager?.persist?.());
      return (await abortable(asked, signal)) ?? false;
    },
    async lastLoss(options = {}) {
      const signal = signalOf('device.lastLoss', options);
      return abortable(Promise.resolve(engine.stores.engine.losses?.last()), signal);
    },
    async acknowledgeLoss(options = {}) {
      signalOf('device.acknowledgeLoss', options);
      await engine.stores.engine.losses?.acknowledge();
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

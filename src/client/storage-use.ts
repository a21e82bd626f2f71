/** What this site keeps on disk, as far as the browser tells. */
export interface StorageUse {
  /** Of the whole origin, as the browser estimates it. */
  usedBytes: number;
  quotaBytes?: number;
  /** The browser has promised not to evict it. */
  persisted?: boolean;
}

export async function storageUse(): Promise<StorageUse> {
  const manager = globalThis.navigator?.storage;
  if (!manager?.estimate) return { usedBytes: 0 };
  const [{ usage = 0, quota }, persisted] = await Promise.all([manager.estimate(), manager.persisted()]);
  return { usedBytes: usage, ...(quota === undefined ? {} : { quotaBytes: quota }), persisted };
}

export async function persistStorage(): Promise<boolean> {
  return (await globalThis.navigator?.storage?.persist?.()) ?? false;
}

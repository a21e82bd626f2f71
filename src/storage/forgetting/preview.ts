import type { StorageEngine, WriteTransaction } from '../storage-engine.ts';
import { STORE_NAMES } from '../schema.ts';

/**
 * Erases in one transaction over all stores. A preview does the same and then rolls back, so that its result is
 * exactly what would happen.
 */
export async function eraseOrPreview<T>(
  engine: StorageEngine,
  isPreview: boolean,
  body: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  const preview: { result?: T } = {};
  const takenBack = new Error('A preview changes nothing.');
  try {
    return await engine.write([...STORE_NAMES], isPreview ? 'relaxed' : 'strict', async (transaction) => {
      const result = await body(transaction);
      if (!isPreview) return result;
      preview.result = result;
      throw takenBack;
    });
  } catch (error) {
    if (error === takenBack) return preview.result as T;
    throw error;
  }
}

import { randomHex } from '../model/id.ts';
import type { Connection } from './connection.ts';

/** The secret of a database. Made where it has none, which happens once, when it is opened for the first time. */
export async function databaseSecret(connection: Connection): Promise<string> {
  const known = await connection.read(['meta'], (transaction) =>
    transaction.objectStore('meta').get('secret'),
  );
  if (known?.key === 'secret') return known.value;
  return connection.write(['meta'], 'strict', async (transaction) => {
    const store = transaction.objectStore('meta');
    const stored = await store.get('secret'); // by another tab, since
    if (stored?.key === 'secret') return stored.value;
    const value = randomHex(32);
    await store.put({ key: 'secret', value });
    return value;
  });
}

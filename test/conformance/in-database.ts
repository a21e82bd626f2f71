import { openDatabase } from '../../src/sessions/open-database.ts';
import type { WithDatabase } from './player.ts';

let opened = 0;

/** Plays in a database of its own, which is deleted afterwards. */
export const inDatabase: WithDatabase = async (play) => {
  opened += 1;
  const database = await openDatabase({ name: `conformance-${Date.now()}-${opened}` });
  try {
    return await play(database);
  } finally {
    await database.delete();
  }
};

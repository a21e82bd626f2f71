import { expect, it } from 'vitest';
import { exportBackup } from '../../src/backup/export-backup.ts';
import type { MemoryDatabase } from '../../src/index.ts';
import { recordsOf } from '../fixtures/backup-file.ts';
import { countRows } from '../fixtures/databases/counted-rows.ts';
import { rowsOf } from '../fixtures/rows-of.ts';

/** More than are sorted at a time. */
const MESSAGES = 9_000;

/** The rules of an export that depend on the storage engine. */
export function exportContract(open: () => Promise<MemoryDatabase>): void {
  it('BAK-78: an export reads each block of the vectors of its scope once, and none without vectors', async () => {
    const database = await open();
    const { connection, transcript, search } = rowsOf(database);
    const ids: Record<string, string[]> = {};
    for (const [scope, size] of Object.entries({ bob: 70, user: MESSAGES })) {
      const { messageIds } = await transcript.append({
        ...{ sessionId: 's', scope, turnId: `t-${scope}`, state: 'complete', createdAt: 1 },
        messages: Array.from({ length: size }, (_unused, at) => ({ role: 'user', content: `${at}` })),
      });
      ids[scope] = messageIds;
      await search.appendVectors(
        'e',
        scope,
        messageIds.map((id, at) => ({ id, vector: new Float32Array([at, 1]) })),
      );
    }
    const blocks = await connection.read(['vectors'], (transaction) =>
      transaction.objectStore('vectors').getAll(),
    );
    const ofUser = blocks.filter(({ scope }) => scope === 'user').length;
    expect(ofUser).toBeGreaterThan(8);

    const exported = async (options: { scope?: string; vectors?: boolean }) => {
      let file = new Blob();
      const { rowsOf: read } = await countRows(
        connection,
        async () => (file = await exportBackup(connection, options)),
        ['getAll'],
      );
      const { records } = recordsOf(await file.text());
      return {
        blocks: read['vectors'],
        ids: records.flatMap(({ store, row }) => (store === 'vectors' ? row['id'] : [])),
      };
    };
    const { user = [], bob = [] } = ids;
    expect(await exported({ scope: 'user' })).toEqual({ blocks: ofUser, ids: user.toSorted() });
    expect(await exported({})).toEqual({
      blocks: blocks.length,
      ids: [...bob.toSorted(), ...user.toSorted()],
    });
    expect(await exported({ vectors: false })).toEqual({ blocks: undefined, ids: [] });
    database.close();
  });
}

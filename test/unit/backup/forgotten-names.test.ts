import { expect, it } from 'vitest';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { createMemory, type Memory } from '../../../src/index.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { entityTombstone } from '../../../src/storage/entity-tombstone.ts';
import { mention } from '../../fixtures/derived-rows.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

function open(sessionId: string): Promise<Memory> {
  return createMemory({ storage: 'memory', sessionId, embedder: false, learning: { delayMs: 0 } });
}

async function said(memory: Memory): Promise<string[]> {
  return (await memory.facts.list()).map(({ subject, predicate, object }) =>
    [subject, predicate, object].join(' '),
  );
}

it('FGT-41: a correction whose turn was forgotten is erased with a name that was forgotten on another device, in any order of imports', async () => {
  await using tab = await open('home');
  await using device = await open('away');
  for (const memory of [tab, device]) {
    await memory.remember({ user: 'My friend Xanthippe lives in Oslo.', assistant: 'I see.' });
    await memory.remember({ user: 'I moved to Lyon.', assistant: 'I see.' });
    await memory.work.settled();
  }
  await device.forget({ entity: 'Xanthippe' });
  const fact = (await tab.facts.list({ about: 'Xanthippe' })).find(({ object }) => object === 'Oslo');
  await tab.facts.correct(fact?.id ?? '', { object: 'Zaphod' });
  await tab.forget({ turnId: (await tab.history())[0]?.turnId ?? '' });
  expect(await said(tab)).toEqual(['user lives in Lyon', 'Xanthippe lives in Zaphod']);

  const [ofTab, ofDevice] = [await tab.backup.export(), await device.backup.export()];
  for (const files of [
    [ofTab, ofDevice],
    [ofDevice, ofTab],
  ]) {
    await using merged = await open('home');
    for (const file of files) await merged.backup.import(file);
    await merged.work.settled();
    expect(new Set(await said(merged))).toEqual(new Set(['user lives in Lyon']));
  }
});

it('FGT-41: a note and a fact that the user entered under another name of the entity are erased with it', async () => {
  const scope = 'user';
  await using entered = await openDatabase({ storage: 'memory' });
  await using forgot = await openDatabase({ storage: 'memory' });
  const graph = new ScopeGraph({ store: rowsOf(entered).knowledge, scope, clock: () => 1_000 });
  await graph.update((draft) => {
    draft.addMention('Robert', mention([], { note: 'Plays chess.', aliases: ['Bob'] }));
    draft.addMention('Ada', mention([], { note: 'Plays chess.' }));
    draft.graph.addTriple({ subject: 'Bob', predicate: 'likes', object: 'rum', source: 'user', sources: [] });
  });
  await rowsOf(forgot).connection.write(['tombstones'], async (transaction) => {
    await transaction.objectStore('tombstones').put(true, entityTombstone('', 'robert'));
  });
  const files = await Promise.all([entered, forgot].map((each) => exportBackup(rowsOf(each).connection)));
  for (const order of [files, files.toReversed()]) {
    await using merged = await openDatabase({ storage: 'memory' });
    for (const file of order) await importBackup(rowsOf(merged).connection, file, { scope });
    const { facts, entities } = await rowsOf(merged).knowledge.read(scope);
    expect(facts).toEqual([]);
    expect(entities.map(({ name }) => name)).toEqual(['Ada']);
  }
});

import { NO_CHANGE } from '../../../src/storage/knowledge-store.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import { newId } from '../../../src/model/id.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';
import {
  describeKnowledge,
  describeSummaries,
  type DerivedStores,
} from '../../contracts/derived-contract.ts';

async function open(): Promise<DerivedStores> {
  return rowsOf(await openDatabase({ name: newId() }));
}

describeKnowledge('IndexedDbKnowledgeStore', open);
describeSummaries('IndexedDbSummaryStore', open);

it('TAB-4: a reader whose changes were compacted reads everything again before it can store a change', async () => {
  const database = await openDatabase({ name: newId() });
  onTestFinished(() => database.close());
  const { knowledge, connection } = rowsOf(database);
  const graphs = [1, 2].map(() => new ScopeGraph({ store: knowledge, scope: 'user' }));
  const [one, two] = graphs;
  const likes = (graph: ScopeGraph | undefined, object: string): Promise<boolean> | undefined =>
    graph?.update(({ graph: facts }) => void facts.addTriple({ subject: 'Sam', predicate: 'likes', object }));
  await likes(one, 'tea');
  const { cursor } = await knowledge.read('user');
  await two?.rows();
  await likes(one, 'gin');
  await likes(one, 'rum');
  await connection.write(['changes'], (transaction) =>
    transaction.objectStore('changes').delete(IDBKeyRange.upperBound(cursor.revision + 1)),
  );
  expect(await knowledge.read('user', cursor)).toMatchObject({ reset: true, facts: [{}, {}, {}] });
  expect(await knowledge.commit('user', NO_CHANGE, cursor)).toBe(false);
  expect(await likes(two, 'milk')).toBe(true);
  const said = ['tea', 'gin', 'rum', 'milk'].map((object) => `Sam likes ${object}`);
  for (const graph of graphs) expect((await graph.read()).entityFacts('Sam')).toEqual(said);
  await database.delete();
});

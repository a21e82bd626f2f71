import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import type { KnowledgeDraft } from '../../../src/learning/knowledge-draft.ts';
import type { NameErasure } from '../../../src/storage/forgetting/erase-name.ts';
import { forgetEntity, namesOfEntity } from '../../../src/learning/user-edits.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { graphChange, likes, makeChange } from '../../fixtures/graph-changes.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { mention } from '../../fixtures/derived-rows.ts';

const SCOPE = 'user';

async function tell(database: MemoryDatabase, text: string): Promise<string> {
  const messages = [{ role: 'user', content: text } as const];
  const turn = { sessionId: 's', scope: SCOPE, messages, state: 'complete', createdAt: 1 } as const;
  return (await rowsOf(database).transcript.append(turn)).messageIds[0] ?? '';
}

function graphOf(database: MemoryDatabase): ScopeGraph {
  return new ScopeGraph({ store: rowsOf(database).knowledge, scope: SCOPE, clock: () => 1_000 });
}

/** All rows of facts and entities. An entity that only facts are about has an id of its own in each database. */
async function knownIn(database: MemoryDatabase): Promise<unknown> {
  const { facts, entities } = await rowsOf(database).knowledge.read(SCOPE);
  return {
    facts: facts.toSorted((a, b) => a.seq - b.seq),
    entities: entities.map(({ id: _id, ...entity }) => entity).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

async function copyInto(target: MemoryDatabase, source: MemoryDatabase): Promise<void> {
  await importBackup(rowsOf(target).connection, await exportBackup(rowsOf(source).connection));
}

/** Bob likes beer and Rob, who is somebody else, likes rum. */
async function expectTwoPersons(graph: ScopeGraph): Promise<void> {
  const rows = await graph.rows();
  const ends = [...rows.facts.values()].map((fact) => [fact.subjectKey, fact.objectKey].join(' '));
  expect(ends.toSorted()).toEqual(['bob beer', 'rob rum']);
  const names = [...rows.entities.values()].map((entity) => entity.name);
  expect(names.toSorted()).toEqual(['Bob', 'Rob', 'beer', 'rum']);
  expect(rows.graph.entityFacts('Bob')).toEqual(['Bob likes beer']);
  expect(rows.graph.entityFacts('Rob')).toEqual(['Rob likes rum']);
}

async function forgetting(
  database: MemoryDatabase,
  draft: KnowledgeDraft,
  name: string,
): Promise<NameErasure> {
  const { knowledge } = rowsOf(database);
  const found = await knowledge.findNames(draft.rows.scope, namesOfEntity(draft.rows, name));
  return { ...forgetEntity(draft, name, []), found, withTurns: false };
}

it('BAK-36: importing an erasure gives the same as erasing here, including lost names and moved facts', async () => {
  await using here = await openDatabase({ storage: 'memory' });
  await using there = await openDatabase({ storage: 'memory' });
  const [bob, alias, rob] = [await tell(here, 'bob'), await tell(here, 'alias'), await tell(here, 'rob')];
  const graph = graphOf(here);
  await graph.update((draft) => {
    likes(draft, 'Bob', 'beer', bob);
    draft.addMention('Bob', mention([alias], { aliases: ['Rob'] }));
    likes(draft, 'Rob', 'rum', rob);
  });
  await copyInto(there, here);
  await rowsOf(here).transcript.forget({ messageId: alias }, SCOPE);
  await copyInto(there, here);
  expect(await knownIn(there)).toEqual(await knownIn(here));
  await expectTwoPersons(graphOf(there));
});

it('BAK-36: an entity forgotten elsewhere loses its given names here, and its facts move', async () => {
  await using here = await openDatabase({ storage: 'memory' });
  await using there = await openDatabase({ storage: 'memory' });
  const alias = await tell(here, 'alias');
  const graph = graphOf(here);
  await graph.update((draft) => draft.addMention('Bob', mention([alias], { aliases: ['Rob'] })));
  await copyInto(there, here);
  const [bob, rob] = [await tell(there, 'bob'), await tell(there, 'rob')];
  const other = graphOf(there);
  await other.update((draft) => {
    likes(draft, 'Bob', 'beer', bob);
    likes(draft, 'Rob', 'rum', rob);
  });
  expect((await other.read()).entityFacts('Bob')).toEqual(['Bob likes beer', 'Rob likes rum']);
  await graph.forget((draft) => forgetting(here, draft, 'Bob'));
  await copyInto(there, here);
  await expectTwoPersons(other);
  await expectTwoPersons(graphOf(there));
});

it('BAK-36: importing an erasure gives the same as erasing here, for anything learned and any messages or entities forgotten', async () => {
  const story = fc.array(fc.record({ message: fc.nat(4), change: graphChange }), {
    minLength: 2,
    maxLength: 12,
  });
  const forgotten = fc.oneof(
    fc.record({ messages: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }) }),
    fc.record({ entity: fc.nat(9) }),
  );
  await fc.assert(
    fc.asyncProperty(story, forgotten, async (changes, target) => {
      await using here = await openDatabase({ storage: 'memory' });
      await using there = await openDatabase({ storage: 'memory' });
      const graph = graphOf(here);
      const messageIds: string[] = [];
      for (let n = 0; n < 5; n++) messageIds.push(await tell(here, `message ${n}`));
      for (const { message, change } of changes) {
        await graph.update((draft) => makeChange(draft, change, messageIds[message] ?? ''));
      }
      await copyInto(there, here);
      fc.pre(JSON.stringify(await knownIn(there)) === JSON.stringify(await knownIn(here)));
      if ('messages' in target) {
        for (const message of target.messages) {
          await rowsOf(here).transcript.forget({ messageId: messageIds[message] ?? '' }, SCOPE);
        }
      } else {
        await graph.forget((draft) => {
          const names = [...draft.rows.entities.values()].map((entity) => entity.name);
          const name = names[target.entity % names.length];
          return name === undefined ? Promise.resolve(undefined) : forgetting(here, draft, name);
        });
      }
      await copyInto(there, here);
      expect(await knownIn(there)).toEqual(await knownIn(here));
    }),
    { numRuns: 100, interruptAfterTimeLimit: 20_000 },
  );
});

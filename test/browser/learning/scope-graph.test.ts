import * as fc from 'fast-check';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { exportBackup } from '../../../src/backup/export-backup.ts';
import { importBackup } from '../../../src/backup/import-backup.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { ScopeGraph, scopeGraph } from '../../../src/learning/scope-graph.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import type { KnowledgeStore } from '../../../src/storage/knowledge-store.ts';
import type { TranscriptStore } from '../../../src/storage/transcript/transcript-store.ts';
import { mention } from '../../fixtures/derived-rows.ts';
import { graphChange, likes, makeChange, type GraphChange } from '../../fixtures/graph-changes.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';

const SCOPE = 'user';
const open: MemoryDatabase[] = [];

afterEach(async () => {
  const last = open.at(-1);
  for (const database of open.splice(0)) if (database !== last) database.close();
  await last?.delete();
});

interface Tab {
  readonly name: string;
  readonly graph: ScopeGraph;
  readonly knowledge: KnowledgeStore;
  readonly transcript: TranscriptStore;
}

async function tabOf(name: string): Promise<Tab> {
  const database = await openDatabase({ name });
  open.push(database);
  const { knowledge, transcript } = rowsOf(database);
  return { ...database, knowledge, transcript, graph: graphOver(knowledge) };
}

function graphOver(store: KnowledgeStore): ScopeGraph {
  return new ScopeGraph({ store, scope: SCOPE, clock: () => 1_000 });
}

/** The store with something done before each write, between what the graph has read and what it writes. */
function storeAfter(knowledge: KnowledgeStore, before: () => Promise<void>): KnowledgeStore {
  return {
    read: (...parameters) => knowledge.read(...parameters),
    tombstones: (ids) => knowledge.tombstones(ids),
    madeBy: (scope) => knowledge.madeBy(scope),
    setMadeBy: (scope, version) => knowledge.setMadeBy(scope, version),
    learnedTurns: (scope) => knowledge.learnedTurns(scope),
    findNames: (...parameters) => knowledge.findNames(...parameters),
    commit: async (...parameters) => {
      await before();
      return knowledge.commit(...parameters);
    },
    forget: async (...parameters) => {
      await before();
      return knowledge.forget(...parameters);
    },
  };
}

/** A backup with a session that no other database has. */
async function backupOfOther(): Promise<Blob> {
  const other = await tabOf(newId());
  await tell(other, 'said elsewhere', newId());
  const connection = new Connection({ name: other.name });
  const backup = await exportBackup(connection);
  connection.close();
  return backup;
}

async function importInto(name: string, backup: Blob): Promise<void> {
  const connection = new Connection({ name });
  await importBackup(connection, backup);
  connection.close();
}

async function tell({ transcript }: Tab, text: string, sessionId = 's'): Promise<string> {
  const messages = [{ role: 'user', content: text } as const];
  const turn = { sessionId, scope: SCOPE, messages, state: 'complete', createdAt: 1 } as const;
  return (await transcript.append(turn)).messageIds[0] ?? '';
}

/** All that is read of a graph, in an order of its own. */
async function seen(graph: ScopeGraph): Promise<unknown> {
  const rows = await graph.rows();
  const { entities, triples } = rows.graph.toRecords();
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    nodes: entities
      .map((entity) => ({ ...entity, aliases: entity.aliases.toSorted() }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    edges: triples.map((triple) => [triple, rows.graph.store.endsOf(triple.id)]).toSorted(byText),
    order: triples.map(({ id }) => id),
    facts: [...rows.facts.values()].toSorted(byText),
    entities: [...rows.entities.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    // Where a row says that a fact stands, it stands.
    isTrue: [...rows.facts.values()].every(({ id, subjectKey, objectKey }) => {
      const ends = rows.graph.store.endsOf(id);
      return ends[0] === subjectKey && ends[1] === objectKey;
    }),
    hasRows: entities.every(({ name }) => rows.entities.get(rows.graph.nodeKey(name)) !== undefined),
  };
}

describe('the graph of a scope in two tabs', () => {
  it('TAB-21: facts that both tabs add at the same time are all stored, once', async () => {
    const name = newId();
    const tabs = [await tabOf(name), await tabOf(name)];
    const messageId = await tell(tabs[0] as Tab, 'hello');
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        tabs[n % 2]?.graph.update((draft) => {
          likes(draft, `p${n}`, 'tea', messageId);
          likes(draft, 'Sam', 'coffee', messageId);
          draft.addMention('Sam', mention([messageId], { note: `note ${n}` }));
        }),
      ),
    );
    const fresh = graphOver((tabs[0] as Tab).knowledge);
    for (const graph of [...tabs.map((tab) => tab.graph), fresh]) {
      const rows = await graph.rows();
      expect(rows.graph.entityFacts('tea', {})).toHaveLength(40);
      expect(rows.graph.entityFacts('Sam', {})).toEqual(['Sam likes coffee']);
      expect(
        rows.entities
          .get('sam')
          ?.mentions.map(({ note }) => note)
          .toSorted(),
      ).toEqual(Array.from({ length: 40 }, (_, n) => `note ${n}`).toSorted());
      expect(new Set(rows.graph.toRecords().triples.map(({ seq }) => seq)).size).toBe(41);
    }
  });

  it('TAB-22: a change that throws or is not stored has no effect', async () => {
    const tab = await tabOf(newId());
    await tab.graph.update((draft) => void likes(draft, 'Sam', 'tea'));
    const before = await seen(tab.graph);
    const failure = new Error('of the change itself');
    await expect(
      tab.graph.update((draft) => {
        likes(draft, 'Sam', 'coffee');
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await seen(tab.graph)).toEqual(before);
    expect(await tab.graph.update((draft) => void likes(draft, 'Sam', 'coffee', 'never there'))).toBe(false);
    expect(await seen(tab.graph)).toEqual(before);
    const lost = tab.graph.update((draft) => void likes(draft, 'Sam', 'coffee'), {
      job: {
        ...{ id: 1, queue: 'q', scope: 'user', sessionId: 's', turnIds: [] },
        ...{ createdAt: 1, notBefore: 1, attempts: 0 },
      },
      term: 7,
    });
    await expect(lost).rejects.toMatchObject({ code: 'leadership-lost' });
    expect(await seen(tab.graph)).toEqual(before);
    expect(await tab.graph.update((draft) => void likes(draft, 'Sam', 'coffee'))).toBe(true);
    expect((await tab.graph.read()).entityFacts('Sam')).toEqual(['Sam likes tea', 'Sam likes coffee']);
  });

  it('TAB-27: scopeGraph rejects a change with a source message that is not stored, and nothing changes', async () => {
    const database = await openDatabase({ name: newId() });
    open.push(database);
    const stored = scopeGraph({ database });
    const tea = { subject: 'Sam', predicate: 'likes', object: 'tea' };
    await stored.update(({ graph }) => void graph.addTriple(tea));
    const before = (await stored.read()).triples();
    expect(before).toHaveLength(1);
    const sources = [{ messageId: 'never there' }];
    const change = stored.update(({ graph }) => void graph.addTriple({ ...tea, object: 'coffee', sources }));
    await expect(change).rejects.toMatchObject({ code: 'not-found' });
    expect((await stored.read()).triples()).toEqual(before);
  });

  it('TAB-22: nobody can read a change before it is stored', async () => {
    const { knowledge } = new InMemoryTranscript();
    let commit = (): void => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    const graph = graphOver(storeAfter(knowledge, () => held));
    const update = graph.update((draft) => void likes(draft, 'Sam', 'tea'));
    let isRead = false;
    const read = graph.read().then((known) => {
      isRead = true;
      return known.entityFacts('Sam');
    });
    for (let n = 0; n < 20; n += 1) await yieldToEventLoop(); // whoever does not wait for it has read by now
    expect(isRead).toBe(false);
    commit();
    await update;
    expect(await read).toEqual(['Sam likes tea']);
  });

  it('TAB-21: a change that another tab overtakes fifty times in a row is stored', async () => {
    const tab = await tabOf(newId());
    const other = graphOver(tab.knowledge);
    let writes = 0;
    const graph = graphOver(
      storeAfter(tab.knowledge, async () => {
        if (writes === 50) return;
        writes += 1;
        await other.update((draft) => void likes(draft, 'Bob', `beer ${writes}`));
      }),
    );
    expect(await graph.update((draft) => void likes(draft, 'Sam', 'tea'))).toBe(true);
    expect((await graph.read()).entityFacts('Sam')).toEqual(['Sam likes tea']);
    expect((await graph.read()).entityFacts('Bob')).toHaveLength(50);
  });

  it('TAB-23: a change that is overtaken every time is given up with storage-failed', async () => {
    const tab = await tabOf(newId());
    const other = graphOver(tab.knowledge);
    let writes = 0;
    const graph = graphOver(
      storeAfter(tab.knowledge, async () => {
        writes += 1;
        await other.update((draft) => void likes(draft, 'Bob', `beer ${writes}`));
      }),
    );
    const late = graph.update((draft) => void likes(draft, 'Sam', 'tea'));
    await expect(late).rejects.toMatchObject({ code: 'storage-failed' });
    expect((await graph.read()).entityFacts('Sam')).toEqual([]);
  });

  it('FGT-23: a name that only a forgotten message made an alias is its own entity again', async () => {
    const name = newId();
    const [one, two] = [await tabOf(name), await tabOf(name)];
    const [bob, alias, rob] = [await tell(one, 'bob'), await tell(one, 'alias'), await tell(one, 'rob')];
    await one.graph.update((draft) => {
      likes(draft, 'Bob', 'beer', bob);
      likes(draft, 'Rob', 'rum', rob);
    });
    await two.graph.update((draft) => draft.addMention('Bob', mention([alias], { aliases: ['Rob'] })));
    expect((await one.graph.read()).entityFacts('Bob')).toEqual(['Bob likes beer', 'Rob likes rum']);
    await one.transcript.forget({ messageId: alias }, SCOPE);
    for (const { graph } of [one, two]) {
      const rows = await graph.rows();
      expect(rows.graph.entityFacts('Bob')).toEqual(['Bob likes beer']);
      expect(rows.graph.entityFacts('Rob')).toEqual(['Rob likes rum']);
      expect(Array.from(rows.entities.values(), ({ name: each }) => each).toSorted()).toEqual([
        'Bob',
        'Rob',
        'beer',
        'rum',
      ]);
      expect(await seen(graph)).toMatchObject({ isTrue: true, hasRows: true });
    }
    expect(await one.transcript.forget({ messageId: bob }, SCOPE)).toMatchObject({ facts: 1, entities: 2 });
    const left = Array.from((await two.graph.rows()).entities.values(), ({ name: each }) => each);
    expect(left.toSorted()).toEqual(['Rob', 'rum']);
  });

  it('FGT-24: forgetting an alias keeps what was said about the other ends of its facts', async () => {
    const tab = await tabOf(newId());
    const [alias, said] = [await tell(tab, 'alias'), await tell(tab, 'said')];
    await tab.graph.update((draft) => {
      draft.addMention('Bob', mention([alias], { aliases: ['Rob'] }));
      draft.addMention('Cid', mention([said], { note: 'a sailor' }));
      likes(draft, 'Cid', 'Rob', said);
    });
    const before = (await tab.graph.rows()).entities.get('cid');
    await tab.transcript.forget({ messageId: alias }, SCOPE);
    const rows = await tab.graph.rows();
    expect([...rows.facts.values()]).toMatchObject([{ subjectKey: 'cid', objectKey: 'rob' }]);
    expect(rows.entities.get('cid')).toEqual(before);
    expect(rows.entities.get('rob')).toMatchObject({ name: 'Rob', mentions: [] });
  });

  it('FACT-19: an alias that belongs to another entity is left there', async () => {
    const tab = await tabOf(newId());
    await tab.graph.update((draft) => {
      draft.addMention('Robert', mention([], { aliases: ['Bob'] }));
      draft.addMention('Bobby Tables', mention([], { note: 'a child', aliases: ['Bob', 'BT'] }));
    });
    const rows = await tab.graph.rows();
    expect(rows.graph.entity('Bob')?.name).toBe('Robert');
    expect(rows.graph.entity('bt')?.name).toBe('Bobby Tables');
  });

  it('TAB-25: what another tab erases is removed here, even before this tab has read its own write back', async () => {
    const name = newId();
    const [one, two] = [await tabOf(name), await tabOf(name)];
    const [said, saidLater] = [await tell(one, 'Zelda is my aunt'), await tell(one, 'Ann likes tea')];
    await one.graph.update((draft) => draft.addMention('Zelda', mention([said], { note: 'an aunt' })));
    await two.transcript.forget({ messageId: said }, SCOPE);
    await one.graph.update((draft) => void likes(draft, 'Ann', 'zelda', saidLater));
    for (const { graph } of [one, two]) {
      const rows = await graph.rows();
      // As it is called now, and kept by nothing but the fact.
      expect(rows.entities.get('zelda')).toMatchObject({ name: 'zelda', isStandalone: false, mentions: [] });
      expect(rows.graph.entity('Zelda')?.name).toBe('zelda');
    }
    await two.transcript.forget({ messageId: saidLater }, SCOPE);
    for (const { graph } of [one, two]) expect((await graph.rows()).entities.size).toBe(0);
  });

  it('TAB-25: an entity erased by another tab before this one reads its write back is no longer known here', async () => {
    const name = newId();
    const [one, two] = [await tabOf(name), await tabOf(name)];
    const said = await tell(one, 'Zelda is my aunt');
    await one.graph.update((draft) => draft.addMention('Zelda', mention([said])));
    await two.graph.forget((draft) => {
      draft.dropEntity('zelda');
      return Promise.resolve(undefined);
    });
    expect((await one.graph.read()).entities()).toEqual([]);
  });

  it('TAB-26: an import in another tab does not prevent a change or an erasure here', async () => {
    const tab = await tabOf(newId());
    const said = await tell(tab, 'Sam likes tea');
    const backups = [await backupOfOther(), await backupOfOther()];
    let writes = 0;
    let next: Blob | undefined;
    const graph = graphOver(
      storeAfter(tab.knowledge, async () => {
        writes += 1;
        const backup = next;
        next = undefined;
        if (backup) await importInto(tab.name, backup);
      }),
    );
    next = backups[0];
    expect(await graph.update((draft) => void likes(draft, 'Sam', 'tea', said))).toBe(true);
    expect((await tab.graph.read()).entityFacts('Sam')).toEqual(['Sam likes tea']);
    next = backups[1];
    await graph.forget((draft) => {
      for (const { id } of draft.rows.facts.values()) draft.graph.deleteTriple(id);
      return Promise.resolve(undefined);
    });
    expect((await tab.graph.rows()).facts.values()).toEqual([]);
    // Each was made again, once.
    expect(writes).toBe(4);
  });

  it('TAB-24: following any changes of both tabs gives what a new tab loads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (story) => {
        const name = newId();
        const tabs = [await tabOf(name), await tabOf(name)] as const;
        const messageIds = await Promise.all(
          Array.from({ length: 5 }, (_, n) => tell(tabs[0], `message ${n}`)),
        );
        for (const { by, message, isRead, change } of story) {
          const id = messageIds[message] ?? '';
          const tab = tabs[by];
          await play(tab, change, id);
          // A tab that nobody reads has yet to read back what it wrote itself.
          if (!isRead) continue;
          const fresh = await seen(graphOver(tab.knowledge));
          expect(fresh).toMatchObject({ isTrue: true, hasRows: true });
          expect(await seen(tabs[0].graph), JSON.stringify([by, message, change])).toEqual(fresh);
          if (change !== 'nothing') expect(await seen(tabs[1].graph)).toEqual(fresh);
        }
        for (const { graph, knowledge } of tabs)
          expect(await seen(graph)).toEqual(await seen(graphOver(knowledge)));
        await open.splice(0).at(-1)?.delete();
      }),
      { numRuns: 60, interruptAfterTimeLimit: 25_000 },
    );
  });
});

const step = fc.record({
  by: fc.constantFrom(0 as const, 1 as const),
  message: fc.nat(4),
  isRead: fc.boolean(),
  change: fc.oneof(
    { weight: 10, arbitrary: graphChange },
    { weight: 2, arbitrary: fc.constantFrom('forget' as const, 'nothing' as const) },
  ),
});

async function play(tab: Tab, change: GraphChange | 'forget' | 'nothing', messageId: string): Promise<void> {
  if (change === 'nothing') return;
  if (change === 'forget') await tab.transcript.forget({ messageId }, SCOPE);
  else await tab.graph.update((draft) => makeChange(draft, change, messageId));
}

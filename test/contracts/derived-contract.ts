import { describe, expect, it } from 'vitest';
import type { AppendInput } from '../../src/storage/transcript/append-plan.ts';
import { entityTombstone } from '../../src/storage/entity-tombstone.ts';
import type { ClaimedJob, JobStore } from '../../src/storage/jobs/job-store.ts';
import type { KnowledgeStore } from '../../src/storage/knowledge-store.ts';
import type { SummaryStore } from '../../src/storage/summary-store.ts';
import type { TranscriptStore } from '../../src/storage/transcript/transcript-store.ts';
import { entityRow, factRow, mention, summaryRow, writeOf } from '../fixtures/derived-rows.ts';

/** The stores of what is derived, with the transcript that it is derived from. */
export interface DerivedStores {
  readonly transcript: TranscriptStore;
  readonly knowledge: KnowledgeStore;
  readonly summaries: SummaryStore;
  readonly jobs: JobStore;
}

const QUEUE = 'learn';
const SCOPE = 'user';

function turn(turnId: string, rest: Partial<AppendInput> = {}): AppendInput {
  return {
    sessionId: 's',
    scope: SCOPE,
    messages: [
      { role: 'user', content: `question ${turnId}` },
      { role: 'assistant', content: `answer ${turnId}` },
    ],
    turnId,
    state: 'complete',
    createdAt: 1,
    ...rest,
  };
}

/** The ids of question and answer. */
async function told(
  { transcript }: DerivedStores,
  turnId: string,
  rest: Partial<AppendInput> = {},
): Promise<[question: string, answer: string]> {
  const { messageIds } = await transcript.append(turn(turnId, rest));
  return [messageIds[0] ?? '', messageIds[1] ?? ''];
}

async function claimed({ jobs }: DerivedStores): Promise<ClaimedJob> {
  const job = await jobs.claim(QUEUE, await jobs.beginTerm(QUEUE), Number.MAX_SAFE_INTEGER);
  if (!job) throw new Error('nothing was due');
  return job;
}

/** What a scope holds, without where the reader stands. */
async function known({ knowledge }: DerivedStores, scope: string = SCOPE): Promise<unknown> {
  const { facts, entities } = await knowledge.read(scope);
  return {
    facts: facts.toSorted((a, b) => a.seq - b.seq),
    entities: entities.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

async function put(
  stores: DerivedStores,
  write: Parameters<typeof writeOf>[0],
  scope: string = SCOPE,
): Promise<boolean> {
  const { cursor } = await stores.knowledge.read(scope);
  return stores.knowledge.commit(scope, writeOf(write), cursor);
}

/** What every {@link KnowledgeStore} does alike. */
export function describeKnowledge(name: string, open: () => Promise<DerivedStores>): void {
  describe(`${name} keeps the knowledge contract`, () => {
    it('STO-35: a change is stored completely, and only if the scope has not changed since the cursor', async () => {
      const stores = await open();
      const { knowledge } = stores;
      const { cursor } = await knowledge.read(SCOPE);
      const first = writeOf({ facts: [factRow('f1', 1)], entities: [entityRow('sam'), entityRow('tea')] });
      expect(await knowledge.commit(SCOPE, first, cursor)).toBe(true);
      const before = await known(stores);
      const late = writeOf({ facts: [factRow('f2', 2)], removedFacts: ['f1'], tombstones: ['m/x/y'] });
      expect(await knowledge.commit(SCOPE, late, cursor)).toBe(false);
      expect(await known(stores)).toEqual(before);
      expect(await knowledge.tombstones(['m'])).toEqual([]);
      expect(await knowledge.commit(SCOPE, late, (await knowledge.read(SCOPE)).cursor)).toBe(true);
      expect(await known(stores)).toMatchObject({ facts: [{ id: 'f2' }] });
    });

    it('STO-35: an erasure counts as a change, and turns, summaries, other scopes and empty writes do not', async () => {
      const stores = await open();
      const [question] = await told(stores, 'a');
      await put(stores, { facts: [factRow('f1', 1, { from: [question] })] });
      const { cursor } = await stores.knowledge.read(SCOPE);
      await told(stores, 'b');
      await stores.summaries.put(summaryRow('s', 1), 0);
      await put(stores, { facts: [factRow('other', 1, { scope: 'other' })] }, 'other');
      await put(stores, {});
      expect(await stores.knowledge.commit(SCOPE, writeOf({}), cursor)).toBe(true);
      await stores.transcript.forget({ messageId: question }, SCOPE);
      expect(await stores.knowledge.commit(SCOPE, writeOf({}), cursor)).toBe(false);
    });

    it('STO-36: a change that refers to a missing message is rejected completely, and its job is kept', async () => {
      const stores = await open();
      const [question] = await told(stores, 'a', { jobs: [{ queue: QUEUE }] });
      const { ticket } = await claimed(stores);
      const { cursor } = await stores.knowledge.read(SCOPE);
      const facts = [factRow('f1', 1, { from: [question] })];
      for (const write of [
        writeOf({ facts: [...facts, factRow('f2', 2, { from: [question, 'gone'] })] }),
        writeOf({ facts: [...facts, factRow('f2', 2, { from: [question], context: ['gone'] })] }),
        writeOf({ facts, entities: [entityRow('sam', [mention(['gone'])])] }),
      ]) {
        expect(await stores.knowledge.commit(SCOPE, write, cursor, ticket)).toBe(false);
      }
      expect(await known(stores)).toEqual({ facts: [], entities: [] });
      expect(await stores.jobs.list()).toHaveLength(1);
      expect(await stores.knowledge.commit(SCOPE, writeOf({ facts }), cursor, ticket)).toBe(true);
      expect(await stores.jobs.list()).toEqual([]);
    });

    it('JOB-37: a result removes its job, unless more steps follow', async () => {
      const stores = await open();
      await told(stores, 'a', { jobs: [{ queue: QUEUE }] });
      const { ticket } = await claimed(stores);
      const { cursor } = await stores.knowledge.read(SCOPE);
      const step: typeof ticket = { ...ticket, partial: { doneTurnIds: [] } };
      const write = writeOf({ facts: [factRow('f1', 1)] });
      expect(await stores.knowledge.commit(SCOPE, write, cursor, step)).toBe(true);
      expect(await stores.jobs.list()).toHaveLength(1);
      expect(await stores.summaries.put(summaryRow('s', 1), 0, step)).toBe(true);
      expect(await stores.jobs.list()).toHaveLength(1);
      expect(await stores.summaries.put(summaryRow('s', 1), 0, ticket)).toBe(true);
      expect(await stores.jobs.list()).toEqual([]);
    });

    it('JOB-37: a ticket of an earlier term or a returned job throws leadership-lost and writes nothing', async () => {
      const stores = await open();
      await told(stores, 'a', { jobs: [{ queue: QUEUE }] });
      const { ticket: old } = await claimed(stores);
      const { ticket } = await claimed(stores);
      const { cursor } = await stores.knowledge.read(SCOPE);
      const write = writeOf({ facts: [factRow('f1', 1)], tombstones: ['m/x/y'] });
      const refused = async (lost: typeof ticket): Promise<void> => {
        for (const each of [lost, { ...lost, partial: { doneTurnIds: [] } }]) {
          const code = { code: 'leadership-lost' };
          await expect(stores.knowledge.commit(SCOPE, write, cursor, each)).rejects.toMatchObject(code);
          await expect(stores.summaries.put(summaryRow('s', 1), 0, each)).rejects.toMatchObject(code);
        }
        expect(await known(stores)).toEqual({ facts: [], entities: [] });
        expect(await stores.knowledge.tombstones(['m'])).toEqual([]);
        expect(await stores.summaries.list(SCOPE)).toEqual([]);
        expect(await stores.jobs.list()).toHaveLength(1);
      };
      await refused(old);
      stores.jobs.release(ticket);
      await refused(ticket);
    });

    it('JOB-37: a result is not stored if its turns were forgotten', async () => {
      const stores = await open();
      await told(stores, 'a', { jobs: [{ queue: QUEUE }] });
      await told(stores, 'b', { sessionId: 's2' });
      const { ticket } = await claimed(stores);
      await stores.transcript.forget({ turnIds: ['a'] }, SCOPE);
      const { cursor } = await stores.knowledge.read(SCOPE);
      const write = writeOf({ facts: [factRow('f1', 1)] });
      expect(await stores.knowledge.commit(SCOPE, write, cursor, ticket)).toBe(false);
      expect(await stores.summaries.put(summaryRow('s2', 1), 0, ticket)).toBe(false);
      expect(await known(stores)).toEqual({ facts: [], entities: [] });
      expect(await stores.summaries.list(SCOPE)).toEqual([]);
    });

    it('TAB-4: applying the changes since a cursor gives what a new reader gets', async () => {
      const stores = await open();
      const { knowledge } = stores;
      const [question] = await told(stores, 'a');
      const copy = { facts: new Map<string, unknown>(), entities: new Map<string, unknown>() };
      let { cursor } = await knowledge.read(SCOPE);
      const follow = async (): Promise<void> => {
        const changes = await knowledge.read(SCOPE, cursor);
        ({ cursor } = changes);
        if (changes.reset) for (const rows of Object.values(copy)) rows.clear();
        for (const id of changes.removedFacts) copy.facts.delete(id);
        for (const id of changes.removedEntities) copy.entities.delete(id);
        for (const fact of changes.facts) copy.facts.set(fact.id, fact);
        for (const entity of changes.entities) copy.entities.set(entity.id, entity);
        const { facts, entities } = await knowledge.read(SCOPE);
        expect([...copy.facts.values()]).toEqual(expect.arrayContaining([...facts]));
        expect([...copy.entities.values()]).toEqual(expect.arrayContaining([...entities]));
        expect([copy.facts.size, copy.entities.size]).toEqual([facts.length, entities.length]);
      };
      const entities = [entityRow('sam'), entityRow('tea')];
      await put(stores, { facts: [factRow('f1', 1, { from: [question] }), factRow('f2', 2)], entities });
      await follow();
      await put(stores, { facts: [factRow('f2', 2, { isPinned: true })], removedFacts: ['f1'] });
      await put(stores, { removedEntities: [entityRow('tea')], entities: [entityRow('tea', [], 'new id')] });
      await follow();
      await put(stores, { facts: [factRow('f3', 3, { from: [question] })] });
      await stores.transcript.forget({ everything: true }, SCOPE);
      await follow();
      const again = await knowledge.read(SCOPE, cursor);
      expect(again).toMatchObject({ cursor, reset: false, facts: [], entities: [], removedFacts: [] });
    });

    it('FGT-34: a fact is erased with the last message that states it', async () => {
      const stores = await open();
      const [a] = await told(stores, 'a');
      const [b] = await told(stores, 'b');
      const facts = [factRow('both', 1, { from: [a, b] }), factRow('one', 2, { from: [a] })];
      await put(stores, { facts, entities: [entityRow('sam'), entityRow('tea')] });
      expect(await stores.transcript.forget({ messageId: a }, SCOPE)).toMatchObject({
        facts: 1,
        entities: 0,
      });
      expect(await known(stores)).toMatchObject({
        facts: [{ id: 'both', messageIds: [b], sources: [{ messageId: b }] }],
        entities: [{ key: 'sam' }, { key: 'tea' }],
      });
      expect(await stores.transcript.forget({ turnIds: ['b'] }, SCOPE)).toMatchObject({
        facts: 1,
        entities: 2,
      });
      expect(await known(stores)).toEqual({ facts: [], entities: [] });
    });

    it('FGT-35: a fact is erased with a message that its words come from, even if others state it', async () => {
      const stores = await open();
      const [a] = await told(stores, 'a');
      const [b, c] = await told(stores, 'b');
      const facts = [
        factRow('words', 1, { from: [b], context: [a] }),
        factRow('said', 2, { from: [a], context: [c] }),
      ];
      await put(stores, { facts });
      expect(await stores.transcript.forget({ messageId: c }, SCOPE)).toMatchObject({ facts: 1 });
      expect(await known(stores)).toMatchObject({ facts: [{ id: 'words' }] });
      expect(await stores.transcript.forget({ messageId: a }, SCOPE)).toMatchObject({ facts: 1 });
      expect(await known(stores)).toMatchObject({ facts: [] });
    });

    it('FGT-36: a mention is erased with any of its messages, and an entity with its last mention and fact', async () => {
      const stores = await open();
      const [a, b] = await told(stores, 'a');
      const [c] = await told(stores, 'c');
      const both = mention([a, c], { note: 'both' });
      const one = mention([b], { note: 'one', aliases: ['Sammy'] });
      const entities = [
        entityRow('sam', [both, one]),
        entityRow('tea', [mention([c])]),
        entityRow('kept', [both], 'kept', true),
        entityRow('infact', [both]),
      ];
      await put(stores, {
        entities,
        facts: [factRow('f', 1, { from: [b], subject: 'infact', object: 'tea' })],
      });
      expect(await stores.transcript.forget({ messageId: c }, SCOPE)).toMatchObject({ entities: 0 });
      expect(await known(stores)).toMatchObject({
        entities: [
          { key: 'infact', mentions: [], messageIds: [] },
          { key: 'kept', mentions: [] },
          { key: 'sam', mentions: [one], messageIds: [b] },
          { key: 'tea', mentions: [] },
        ],
      });
      const receipt = await stores.transcript.forget({ messageId: b }, SCOPE);
      expect(receipt).toMatchObject({ entities: 3, facts: 1 });
      expect(await known(stores)).toMatchObject({ facts: [], entities: [{ key: 'kept' }] });
    });

    it('FGT-37: what the user entered is kept without its messages, until everything is forgotten', async () => {
      const stores = await open();
      const [a, b] = await told(stores, 'a');
      const own = factRow('own', 1, { from: [a], context: [b], source: 'user' });
      const entities = [entityRow('sam', [mention([], { note: 'by hand' })]), entityRow('tea')];
      await put(stores, { facts: [own], entities });
      expect(await stores.transcript.forget({ turnIds: ['a'] }, SCOPE)).toMatchObject({
        facts: 0,
        entities: 0,
      });
      expect(await known(stores)).toMatchObject({
        facts: [{ id: 'own', sources: [], messageIds: [] }],
        entities: [{ key: 'sam', mentions: [{ note: 'by hand' }] }, { key: 'tea' }],
      });
      const receipt = await stores.transcript.forget({ everything: true }, SCOPE);
      expect(receipt).toMatchObject({ facts: 1, entities: 2 });
      expect(await known(stores)).toEqual({ facts: [], entities: [] });
    });

    it('FGT-38: scopes are separate, and erasing a message erases what any of them learned from it', async () => {
      const stores = await open();
      const [a] = await told(stores, 'a');
      const [b] = await told(stores, 'b', { sessionId: 's2', scope: 'other' });
      const fact = (id: string, scope: string, from: string): ReturnType<typeof factRow> =>
        factRow(id, 1, { scope, from: [from] });
      await put(stores, { facts: [fact('f', SCOPE, a)], entities: [entityRow('sam'), entityRow('tea')] });
      const names = [entityRow('sam', [], 's2', false, 'other'), entityRow('tea', [], 't2', false, 'other')];
      await put(stores, { facts: [fact('g', 'other', a)], entities: names }, 'other');
      const third = factRow('h', 2, { scope: 'other', from: [b] });
      await put(stores, { facts: [third] }, 'other');
      expect(await known(stores)).toMatchObject({ facts: [{ id: 'f' }], entities: [{}, {}] });
      expect(await stores.transcript.forget({ messageId: a }, SCOPE)).toMatchObject({
        facts: 2,
        entities: 2,
      });
      expect(await known(stores)).toEqual({ facts: [], entities: [] });
      expect(await known(stores, 'other')).toMatchObject({ facts: [{ id: 'h' }], entities: [{}, {}] });
    });

    it('FGT-38: forgetting a whole scope erases what other scopes learned from its messages', async () => {
      const stores = await open();
      const [a] = await told(stores, 'a');
      const [b] = await told(stores, 'b', { sessionId: 's2', scope: 'other' });
      const names = [entityRow('sam', [mention([a])], 's2', false, 'other')];
      const facts = [
        factRow('g', 1, { scope: 'other', from: [a] }),
        factRow('h', 2, { scope: 'other', from: [b], subject: 'bob', object: 'beer' }),
      ];
      await put(stores, { facts, entities: names }, 'other');
      await stores.summaries.put(summaryRow('s2', 1, { scope: 'other' }), 0);
      expect(await stores.transcript.forget({ everything: true }, SCOPE)).toMatchObject({
        facts: 1,
        entities: 1,
        summaries: 0,
      });
      expect(await known(stores, 'other')).toMatchObject({ facts: [{ id: 'h' }], entities: [] });
      expect(await stores.summaries.list('other')).toMatchObject([{ sessionId: 's2' }]);
    });

    it('FGT-39: tombstones can be looked up by message and are erased with it', async () => {
      const stores = await open();
      const [a, b] = await told(stores, 'a');
      const tombstones = [a, a, b, ''].map((id, position) => entityTombstone(id, `name ${position}`));
      await put(stores, { tombstones });
      const found = await stores.knowledge.tombstones([a]);
      expect(found.toSorted()).toEqual(tombstones.slice(0, 2).toSorted());
      expect(await stores.knowledge.tombstones([])).toEqual([]);
      await stores.transcript.forget({ messageId: a }, SCOPE);
      expect(await stores.knowledge.tombstones([a, b])).toEqual([tombstones[2]]);
      await stores.transcript.forget({ everything: true }, SCOPE);
      expect(await stores.knowledge.tombstones([a, b])).toEqual([]);
      expect(await stores.knowledge.tombstones([''])).toEqual([tombstones[3]]);
    });

    it('STO-38: changing a passed or returned object does not change what is stored', async () => {
      const stores = await open();
      const fact = factRow('f1', 1);
      await put(stores, { facts: [fact], entities: [entityRow('sam', [mention([], { note: 'tall' })])] });
      await told(stores, 'a');
      const summary = summaryRow('s', 1);
      await stores.summaries.put(summary, 0);
      const before = structuredClone([await known(stores), await stores.summaries.list(SCOPE)]);
      Object.assign(fact, { object: 'changed' });
      summary.text = 'changed';
      const { facts, entities } = await stores.knowledge.read(SCOPE);
      for (const row of [...facts, ...entities]) Object.assign(row, { attributes: { changed: true } });
      for (const row of await stores.summaries.list(SCOPE)) row.text = 'changed';
      const { summary: got } = await stores.summaries.load(['user', 's'], 'm');
      if (got) got.text = 'changed';
      expect([await known(stores), await stores.summaries.list(SCOPE)]).toEqual(before);
    });
  });
}

/** What every {@link SummaryStore} does alike. */
export function describeSummaries(name: string, open: () => Promise<DerivedStores>): void {
  describe(`${name} keeps the summary contract`, () => {
    it('SUM-32: a summary is stored, replaced and removed by session and memory, and listed by scope', async () => {
      const stores = await open();
      const { summaries } = stores;
      await told(stores, 'a');
      await told(stores, 'b', { sessionId: 's2', scope: 'other' });
      expect(await summaries.load(['user', 's'], 'm')).toEqual({ summary: undefined, erasures: 0 });
      expect(await summaries.load(['user', 'nowhere'], 'm')).toEqual({ summary: undefined, erasures: 0 });
      const rows = [
        summaryRow('s', 1),
        summaryRow('s', 1, { memoryId: 'm2' }),
        summaryRow('s2', 1, { scope: 'other' }),
      ];
      for (const row of rows) expect(await summaries.put(row, 0)).toBe(true);
      const later = summaryRow('s', 1, { text: 'later' });
      expect(await summaries.put(later, 0)).toBe(true);
      expect(await summaries.load(['user', 's'], 'm')).toEqual({ summary: later, erasures: 0 });
      expect(await summaries.list(SCOPE)).toEqual(expect.arrayContaining([later, rows[1]]));
      expect(await summaries.list('other')).toEqual([rows[2]]);
      await summaries.remove(['user', 's'], 'm');
      await summaries.remove(['user', 's'], 'never there');
      expect(await summaries.list(SCOPE)).toEqual([rows[1]]);
    });

    it('SUM-32: a summary is rejected if messages of its session were erased since, or the session does not exist', async () => {
      const stores = await open();
      const { summaries, transcript } = stores;
      await told(stores, 'a');
      await told(stores, 'b');
      const { erasures } = await summaries.load(['user', 's'], 'm');
      await transcript.forget({ turnIds: ['b'] }, SCOPE);
      expect(await summaries.put(summaryRow('s', 1), erasures)).toBe(false);
      const state = await summaries.load(['user', 's'], 'm');
      expect(state.erasures).toBeGreaterThan(erasures);
      expect(await summaries.put(summaryRow('s', 1), state.erasures)).toBe(true);
      await transcript.clearSession(['user', 's'], 'drop-row');
      expect(await summaries.put(summaryRow('s', 1), state.erasures)).toBe(false);
      expect(await summaries.put(summaryRow('nowhere', 1), 0)).toBe(false);
      expect(await summaries.list(SCOPE)).toEqual([]);
    });

    it('SUM-32: every summary that covers an erased message is deleted and queued again', async () => {
      const stores = await open();
      const { summaries, transcript, jobs } = stores;
      for (const id of ['a', 'b', 'c']) await told(stores, id);
      const queued = summaryRow('s', 3, { queue: 'summary', memoryId: 'queued' });
      const rows = [queued, summaryRow('s', 5, { memoryId: 'inline' }), summaryRow('s', 1)];
      for (const row of rows) await summaries.put(row, 0);
      expect(await transcript.forget({ turnIds: ['b'] }, SCOPE)).toMatchObject({ summaries: 2 });
      expect(await summaries.list(SCOPE)).toEqual([rows[2]]);
      expect(await jobs.list()).toMatchObject([{ queue: 'summary', sessionId: 's', turnIds: [] }]);
    });

    it('SUM-32: nothing is queued if the session is empty', async () => {
      const stores = await open();
      await told(stores, 'a');
      await stores.summaries.put(summaryRow('s', 1, { queue: 'summary' }), 0);
      expect(await stores.transcript.forget({ sessionId: 's' }, SCOPE)).toMatchObject({ summaries: 1 });
      expect(await stores.jobs.list()).toEqual([]);
    });

    it('SUM-32: forgetting a whole scope removes its jobs', async () => {
      const stores = await open();
      await told(stores, 'a', { jobs: [{ queue: QUEUE }] });
      await told(stores, 'b', { jobs: [{ queue: QUEUE }], sessionId: 's2', scope: 'other' });
      await stores.jobs.enqueue([{ queue: QUEUE }], [{ scope: SCOPE, sessionId: 's9', turnIds: [] }]);
      await stores.transcript.forget({ everything: true }, SCOPE);
      expect(await stores.jobs.list()).toMatchObject([{ scope: 'other', turnIds: ['b'] }]);
    });
  });
}

import { rowsOf } from '../../fixtures/rows-of.ts';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import type { JobTicket } from '../../../src/storage/jobs/job-store.ts';
import type { KnowledgeWrite } from '../../../src/storage/knowledge-store.ts';
import type { EntityMention, EntityRow, FactRow } from '../../../src/storage/schema.ts';
import type { ErasureSelector } from '../../../src/storage/erasure.ts';
import type { SessionKey } from '../../../src/storage/schema.ts';
import type { ChangeCursor } from '../../../src/storage/change-log.ts';
import type { DerivedStores } from '../../contracts/derived-contract.ts';
import { entityRow, factRow, mention, summaryRow, writeOf } from '../../fixtures/derived-rows.ts';

const SCOPES = ['user', 'other'] as const;
const NAMES = ['ann', 'bob', 'cid', 'tea'] as const;
const QUEUE = 'learn';

/** One of the stores under test, and by what names its messages and jobs go in it. */
class Subject {
  readonly stores: DerivedStores;
  readonly cursors = new Map<string, ChangeCursor>();
  readonly messageIds: string[] = [];
  ticket: JobTicket | undefined;
  term = 0;

  constructor(stores: DerivedStores) {
    this.stores = stores;
  }

  /** Returns the id of a message by its number; for a number without a message, an id that no message has. */
  id(number: number): string {
    return this.messageIds[number % (this.messageIds.length + 1)] ?? 'never there';
  }

  /** With numbers in the place of this store's own ids and times. */
  plain(value: unknown): unknown {
    let text = JSON.stringify(value) ?? 'undefined';
    for (const [number, id] of this.messageIds.entries()) text = text.replaceAll(id, `message ${number}`);
    return JSON.parse(text, (key, part: unknown) =>
      ['createdAt', 'notBefore', 'updatedAt', 'generation', 'revision'].includes(key) ? undefined : part,
    );
  }

  async state(): Promise<unknown> {
    const { knowledge, summaries, jobs, transcript } = this.stores;
    const byText = (rows: unknown): unknown[] =>
      (this.plain(rows) as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    const withoutId = ({ key, ...row }: EntityRow): unknown => ({ key, ...row, id: key });
    const scopes = await Promise.all(
      SCOPES.map(async (scope) => {
        const { facts, entities } = await knowledge.read(scope);
        const sessions = await transcript.listSessions(scope);
        return [
          byText(facts),
          byText(entities.map(withoutId)),
          byText(await summaries.list(scope)),
          sessions.map(({ id, messageCount, erasures }) => [id, messageCount, erasures].join()).toSorted(),
        ];
      }),
    );
    const waiting = (await jobs.list()).map((job) => ({ ...job, id: 0 }));
    return { scopes, jobs: byText(waiting), dead: byText(await knowledge.tombstones(this.messageIds)) };
  }
}

interface Step {
  readonly kind: string;
  readonly run: (subject: Subject) => Promise<unknown>;
}

/** Returns the key of a session. The session of the other scope has the id of one of the user's. */
function keyOf(session: number): SessionKey {
  return session === 2 ? ['other', 's0'] : ['user', `s${session}`];
}

const scopeOf = fc.constantFrom(...SCOPES);
const nameOf = fc.constantFrom(...NAMES);
const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 2 });

const append = fc
  .record({ turn: fc.nat(9), session: fc.nat(2), withJob: fc.boolean() })
  .map(({ turn, session, withJob }): Step => ({
    kind: `append turn ${turn} to session ${session}`,
    run: async ({ stores, messageIds }) => {
      const receipt = await stores.transcript
        .append({
          scope: keyOf(session)[0],
          sessionId: keyOf(session)[1],
          messages: [
            { role: 'user', content: `q${turn}` },
            { role: 'assistant', content: `a${turn}` },
          ],
          turnId: `t${turn}`,
          state: 'complete',
          createdAt: turn,
          ...(withJob ? { jobs: [{ queue: QUEUE }] } : {}),
        })
        .catch((error: unknown) => error as { code: string });
      if ('code' in receipt) return receipt.code;
      if (!receipt.duplicate) messageIds.push(...receipt.messageIds);
      return receipt.duplicate;
    },
  }));

interface Part {
  id: number;
  subject: string;
  object: string;
  said: string;
  from: readonly number[];
  context: readonly number[];
  isUsers: boolean;
  isStandalone: boolean;
  change: 'put' | 'remove';
}

const part: fc.Arbitrary<Part> = fc.record({
  id: fc.nat(5),
  subject: nameOf,
  object: nameOf,
  said: nameOf,
  from: numbers,
  context: fc.oneof({ weight: 3, arbitrary: fc.constant<number[]>([]) }, numbers),
  isUsers: fc.boolean(),
  isStandalone: fc.boolean(),
  change: fc.constantFrom('put' as const, 'put' as const, 'remove' as const),
});

function toWrite(
  subject: Subject,
  scope: string,
  facts: readonly Part[],
  names: readonly Part[],
): KnowledgeWrite {
  const ids = (list: readonly number[]): string[] => list.map((number) => subject.id(number));
  // As a graph writes it: an end that is said by another name stands at the entity whose alias that is.
  const toFact = (each: Part): FactRow => ({
    ...factRow(`${scope} f${each.id}`, each.id, {
      scope,
      from: ids(each.from),
      context: ids(each.context),
      object: each.object,
      source: each.isUsers ? 'user' : 'extracted',
    }),
    subject: each.said,
    subjectKey: each.subject,
  });
  const toEntity = (each: Part): EntityRow => {
    const mentions: EntityMention[] = each.from.map((number) =>
      mention([subject.id(number), ...ids(each.context)], { note: `n${number}`, aliases: [each.said] }),
    );
    return entityRow(each.subject, mentions, `${scope} ${each.subject}`, each.isStandalone, scope);
  };
  const chosen = <T extends { id: string }>(
    rows: readonly Part[],
    make: (row: Part) => T,
    change: string,
  ): T[] => [
    ...new Map(rows.filter((row) => row.change === change).map((row) => [make(row).id, make(row)])).values(),
  ];
  const written = { facts: chosen(facts, toFact, 'put'), entities: chosen(names, toEntity, 'put') };
  const isWritten = (id: string): boolean =>
    [...written.facts, ...written.entities].some((row) => row.id === id);
  return writeOf({
    ...written,
    removedFacts: chosen(facts, toFact, 'remove')
      .map(({ id }) => id)
      .filter((id) => !isWritten(id)),
    removedEntities: chosen(names, toEntity, 'remove').filter(({ id }) => !isWritten(id)),
    tombstones: names.slice(0, 1).flatMap(({ from }) => ids(from).map((id) => `${id}/salt/hash`)),
  });
}

const commit = fc
  .record({
    scope: scopeOf,
    facts: fc.array(part, { maxLength: 3 }),
    names: fc.array(part, { maxLength: 3 }),
    isFresh: fc.boolean(),
    withTicket: fc.boolean(),
  })
  .map(({ scope, facts, names, isFresh, withTicket }): Step => ({
    kind: `commit to ${scope}: ${JSON.stringify([facts, names, isFresh, withTicket])}`,
    run: async (subject) => {
      const { knowledge } = subject.stores;
      const known = isFresh ? undefined : subject.cursors.get(scope);
      const cursor = known ?? (await knowledge.read(scope)).cursor;
      const { ticket } = subject;
      const write = toWrite(subject, scope, facts, names);
      const outcome = await knowledge
        .commit(scope, write, cursor, withTicket ? ticket : undefined)
        .catch((error: unknown) => (error as { code: string }).code);
      if (isFresh) subject.cursors.set(scope, (await knowledge.read(scope)).cursor);
      return outcome;
    },
  }));

const putSummary = fc
  .record({
    session: fc.nat(3),
    memory: fc.nat(1),
    seq: fc.nat(6),
    erasures: fc.nat(1),
    queued: fc.boolean(),
  })
  .map(({ session, memory, seq, erasures, queued }): Step => ({
    kind: `put summary ${session}/${memory} to ${seq}`,
    run: async ({ stores: { summaries } }) => {
      const { erasures: present } = await summaries.load(keyOf(session), `m${memory}`);
      const [scope, sessionId] = keyOf(session);
      const row = { memoryId: `m${memory}`, scope, ...(queued ? { queue: 'summary' } : {}) };
      return summaries.put(summaryRow(sessionId, seq, row), Math.max(0, present - erasures));
    },
  }));

const removeSummary = fc
  .record({ session: fc.nat(2), memory: fc.nat(1) })
  .map(({ session, memory }): Step => ({
    kind: `remove summary ${session}/${memory}`,
    run: ({ stores }) => stores.summaries.remove(keyOf(session), `m${memory}`),
  }));

const claim = fc.boolean().map((isNewTerm): Step => ({
  kind: `claim${isNewTerm ? ' in a new term' : ''}`,
  run: async (subject) => {
    const { jobs } = subject.stores;
    if (isNewTerm || subject.term === 0) subject.term = await jobs.beginTerm(QUEUE);
    const claimed = await jobs.claim(QUEUE, subject.term, Number.MAX_SAFE_INTEGER);
    if (claimed) subject.ticket = claimed.ticket;
    return claimed?.job.turnIds;
  },
}));

const selection = fc.oneof(
  fc.nat(12).map((number) => ({ number })),
  fc
    .array(fc.nat(9), { minLength: 1, maxLength: 3 })
    .map((turns) => ({ turnIds: turns.map((turn) => `t${turn}`) })),
  fc.nat(2).map((session) => ({ sessionId: `s${session}` })),
  fc.nat(6).map((before) => ({ before })),
  fc.constant({ everything: true as const }),
);

const forget = fc.record({ selection, scope: scopeOf }).map(({ selection: selected, scope }): Step => ({
  kind: `forget ${JSON.stringify(selected)} of ${scope}`,
  run: (subject) => {
    const selector: ErasureSelector =
      'number' in selected ? { messageId: subject.id(selected.number) } : selected;
    return subject.stores.transcript.forget(selector, scope);
  },
}));

const clear = fc
  .record({ session: fc.nat(2), row: fc.constantFrom('keep-row' as const, 'drop-row' as const) })
  .map(({ session, row }): Step => ({
    kind: `clear session ${session}, ${row}`,
    run: ({ stores }) => stores.transcript.clearSession(keyOf(session), row),
  }));

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: append },
    { weight: 6, arbitrary: commit },
    { weight: 3, arbitrary: putSummary },
    { weight: 1, arbitrary: removeSummary },
    { weight: 2, arbitrary: claim },
    { weight: 3, arbitrary: forget },
    { weight: 1, arbitrary: clear },
  ),
  { minLength: 4, maxLength: 16 },
);

it('STO-37: after any operations in any order, RAM and IndexedDB return and hold the same', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const database = await openDatabase({ name: newId() });
      onTestFinished(() => database.close());
      const inMemory = new InMemoryTranscript();
      const { knowledge, summaries, jobs } = inMemory;
      const ram = new Subject({ transcript: inMemory, knowledge, summaries, jobs });
      const disk = new Subject(rowsOf(database));
      for (const { kind, run } of story) {
        const answers = [ram.plain({ answer: await run(ram) }), disk.plain({ answer: await run(disk) })];
        expect(answers[1], kind).toEqual(answers[0]);
        expect(await disk.state(), kind).toEqual(await ram.state());
      }
      await database.delete();
    }),
    { numRuns: 60, interruptAfterTimeLimit: 25_000 },
  );
});

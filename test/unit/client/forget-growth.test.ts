import { expect, it, vi } from 'vitest';
import {
  createMemory,
  openDatabase,
  type ForgetSelector,
  type Memory,
  type MemoryDatabase,
} from '../../../src/index.ts';
import { nameKey } from '../../../src/graph/entity-name.ts';
import type { ClaimRow, EntityRow, FactRow } from '../../../src/storage/schema.ts';
import { countRows, type CountedRows } from '../../fixtures/databases/counted-rows.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

vi.setConfig({ testTimeout: 120_000 });

const SCOPE = 'user';

/** A memory of learned turns: in each, the user meets somebody, and some of what was said has ended. */
async function learnedTurns(database: MemoryDatabase, turns: number): Promise<Memory> {
  const { transcript, knowledge } = rowsOf(database);
  const facts: FactRow[] = [];
  const entities: EntityRow[] = [];
  const claims: ClaimRow[] = [];
  for (let n = 0; n < turns; n += 1) {
    const name = `Person${n}`;
    const text = `I met ${name} at gate ${n % 90}.`;
    const { messageIds } = await transcript.append({
      ...{ sessionId: `s${n % 50}`, scope: SCOPE, turnId: `t${n}`, state: 'complete', createdAt: n + 1 },
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: 'Noted.' },
      ],
    });
    const [messageId = ''] = messageIds;
    facts.push({
      ...{ id: `f${n}`, seq: n, scope: SCOPE, subject: 'user', subjectKey: 'user', predicate: 'met' },
      ...{ object: name, objectKey: nameKey(name), validFrom: n + 1, recordedAt: n + 1, source: 'extracted' },
      ...{ sources: [{ messageId, quote: text }], messageIds: [messageId], supersedes: [], attributes: {} },
    } as FactRow);
    entities.push({
      ...{ scope: SCOPE, key: nameKey(name), id: `e${n}`, name, attributes: {}, isStandalone: false },
      mentions: [{ messageIds: [messageId], note: '', aliases: [], recordedAt: n + 1 }],
      messageIds: [messageId],
    });
    claims.push({
      ...{ id: `${messageId}/0`, scope: SCOPE, text, messageId, sessionId: `s${n % 50}`, seq: n, start: 0 },
      ...{ end: text.length, origin: 'user', kinds: ['other'], topic: '', score: 1, saidAt: n + 1 },
      matters: [`message:${messageId}`],
      ...(n % 3 === 0 && n > 0 ? { endedBy: claims[n - 1]?.id ?? '' } : {}),
    });
  }
  const user = { scope: SCOPE, key: 'user', id: 'e-user', name: 'user', attributes: {} };
  entities.push({ ...user, isStandalone: false, mentions: [], messageIds: [] });
  const { cursor } = await knowledge.read(SCOPE);
  await knowledge.commit(
    SCOPE,
    {
      ...{ facts, entities, claims, newSources: [] },
      ...{ removedFacts: [], removedEntities: [], removedClaims: [] },
    },
    cursor,
  );
  const memory = await createMemory({ database, scope: SCOPE, embedder: false, learning: false });
  await memory.facts.list();
  await memory.search('gate');
  await memory.work.settled();
  return memory;
}

async function readBy(turns: number, selector: ForgetSelector): Promise<CountedRows> {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await learnedTurns(database, turns);
  const counted = await countRows(rowsOf(database).connection, async () => {
    const receipt = await memory.forget(selector);
    expect(receipt.facts).toBe(1);
  });
  await memory.close();
  return counted;
}

it('FGT-71: forgetting a turn reads as many rows with 10,000 turns as with 1,000', async () => {
  const few = await readBy(1000, { turnId: 't501' });
  const many = await readBy(10_000, { turnId: 't501' });
  expect(few.rows).toBeLessThan(60);
  expect(many.rows).toBeLessThanOrEqual(few.rows * 1.5);
});

it('FGT-72: forgetting by name reads the messages once, in slices, and of what was derived only what names it', async () => {
  for (const selector of [{ entity: 'Person501' }, { text: 'Person501' }]) {
    const few = await readBy(1000, selector);
    const many = await readBy(3000, selector);
    const { messages: fewMessages = 0, ...fewRest } = few.rowsOf;
    const { messages: manyMessages = 0, ...manyRest } = many.rowsOf;
    expect(fewMessages).toBeLessThan(2000 + 60);
    expect(manyMessages).toBeLessThan(6000 + 60);
    const sum = (rows: object): number =>
      Object.values(rows).reduce((all: number, each) => all + Number(each), 0);
    expect(sum(manyRest)).toBeLessThanOrEqual(sum(fewRest) * 1.5);
    expect(many.most).toBeLessThanOrEqual(512);
  }
});

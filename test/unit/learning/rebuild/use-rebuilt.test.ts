import { expect, it, vi } from 'vitest';
import { nameKey } from '../../../../src/graph/entity-name.ts';
import { writesToUse, type RowsAtOnce } from '../../../../src/learning/rebuild/use-rebuilt.ts';
import type { ClaimRow, EntityRow, FactRow } from '../../../../src/storage/schema.ts';

const ROWS = 1000;
const SLICE_ROWS = 50;

/** How often rows were looked up, for each slice. */
const lookups = vi.hoisted((): number[] => [0]);

vi.mock(import('../../../../src/model/event-loop.ts'), async (original) => ({
  ...(await original()),
  async *yieldBetween(items) {
    for await (const item of items) {
      lookups.push(0);
      yield item;
    }
    lookups.push(0);
  },
}));

class CountedRows<Row> extends Map<string, Row> {
  override get(key: string): Row | undefined {
    lookups[lookups.length - 1] = (lookups.at(-1) ?? 0) + 1;
    return super.get(key);
  }
}

function rowsSaid(speaker: string): RowsAtOnce {
  const [facts, entities, claims] = [
    new CountedRows<FactRow>(),
    new CountedRows<EntityRow>(),
    new CountedRows<ClaimRow>(),
  ];
  for (let n = 0; n < ROWS; n += 1) {
    const [messageIds, name] = [[`m${n}`], `Town${n}`];
    facts.set(`${speaker}${n}`, {
      ...{ id: `${speaker}${n}`, seq: n, scope: 'user', subject: 'user', subjectKey: 'user', messageIds },
      ...{ predicate: 'saw', object: name, objectKey: nameKey(name), validFrom: n, recordedAt: n },
      ...{ source: 'extracted', sources: [{ messageId: `m${n}` }], supersedes: [], attributes: {} },
    });
    entities.set(nameKey(name), {
      ...{ id: `${speaker}${n}`, scope: 'user', key: nameKey(name), name, attributes: {}, messageIds },
      ...{ isStandalone: false, mentions: [{ note: speaker, aliases: [], messageIds, recordedAt: n }] },
    });
    const text = `I saw ${name}.`;
    claims.set(`m${n}/0`, {
      ...{ id: `m${n}/0`, scope: 'user', text, messageId: `m${n}`, sessionId: 's', seq: n, start: 0 },
      ...{
        end: text.length,
        origin: 'user',
        kinds: ['other'],
        topic: speaker,
        score: 1,
        saidAt: n,
        matters: [],
      },
    });
  }
  return { facts, entities, claims };
}

it('LRN-34: what a rebuild has learned is compared with what is in use in slices', async () => {
  const [inUse, rebuilt] = [rowsSaid('before'), rowsSaid('again')];
  const writes = await writesToUse(inUse, rebuilt, () => true);
  // Of a claim, also what has ended it is looked up.
  expect(Math.max(...lookups)).toBe(3 * SLICE_ROWS);
  // Each fact keeps its id, so that only entities and claims are written.
  expect(writes.flatMap(({ facts }) => facts)).toEqual([]);
  expect(writes.flatMap(({ entities }) => entities.map(({ mentions }) => mentions[0]?.note))).toEqual(
    Array.from({ length: ROWS }, () => 'again'),
  );
  expect(writes.flatMap(({ claims }) => claims)).toHaveLength(ROWS);
  expect(writes.flatMap(({ removedFacts }) => removedFacts)).toEqual([]);
});

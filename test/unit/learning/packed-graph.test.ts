import { describe, expect, it } from 'vitest';
import { PackedGraph } from '../../../src/learning/packed-graph.ts';
import type { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import type { ChangeCursor } from '../../../src/storage/change-log.ts';
import type { EntityRow } from '../../../src/storage/schema.ts';

const SIZE = 100_000;
const ENTITY = { mentions: [] as string[] } as unknown as EntityRow;
const rows = {
  size: SIZE,
  all: () => ({ facts: [], entities: Array.from({ length: 2000 }, () => ENTITY), claims: [] }),
  pack: () => undefined,
} as unknown as KnowledgeRows;

const at = (revision: number): ChangeCursor => ({ generation: 'g', revision });

/** A packed graph that was loaded at revision 10, and the cursors as of which it was saved since. */
function loaded(save: () => Promise<boolean> = () => Promise.resolve(true)): {
  packed: PackedGraph;
  saved: ChangeCursor[];
} {
  const saved: ChangeCursor[] = [];
  const store = {
    load: () => Promise.resolve(undefined),
    save: async (_scope: string, _parts: unknown, cursor: ChangeCursor): Promise<boolean> => {
      saved.push(cursor);
      return save();
    },
  };
  const packed = new PackedGraph(store, 'user');
  packed.follow({ cursor: at(10), count: 0, packedAt: at(10), voidsPacked: false });
  return { packed, saved };
}

describe('the snapshot of a graph', () => {
  it('FACT-25: is written again after a share of the rows or a number of changes, whichever comes first', async () => {
    const { packed, saved } = loaded();
    packed.follow({ cursor: at(1033), count: 1, voidsPacked: false });
    expect(packed.isBehind(rows)).toBe(false);
    packed.follow({ cursor: at(1034), count: 1, voidsPacked: false });
    expect(packed.isBehind(rows)).toBe(true);
    packed.packIfBehind(rows, at(1034));
    await packed.settled();
    packed.follow({ cursor: at(1035), count: SIZE / 20 - 1, voidsPacked: false });
    expect(packed.isBehind(rows)).toBe(false);
    packed.follow({ cursor: at(1036), count: 1, voidsPacked: false });
    packed.packIfBehind(rows, at(1036));
    await packed.settled();
    expect(saved).toEqual([at(1034), at(1036)]);
  });

  it('FACT-24: stops being made when something is erased, which is no failure', async () => {
    const { packed, saved } = loaded();
    packed.follow({ cursor: at(11), count: SIZE, voidsPacked: false });
    packed.packIfBehind(rows, at(11));
    packed.follow({ cursor: at(12), count: 0, voidsPacked: true });
    await packed.settled();
    expect(saved).toEqual([]);
    packed.packIfBehind(rows, at(12));
    await packed.settled();
    expect(saved).toEqual([at(12)]);
  });

  it('FACT-24: is not made again at once after it could not be stored', async () => {
    const { packed, saved } = loaded(() => Promise.reject(new Error('The disk is full.')));
    packed.follow({ cursor: at(11), count: SIZE, voidsPacked: false });
    for (let tries = 0; tries < 20; tries += 1) {
      packed.packIfBehind(rows, at(11));
      await packed.settled();
    }
    expect(saved.length).toBeLessThan(6);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VectorPages } from '../../../src/storage/codec/vector-pages.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';

it('BAK-13: vectors are exported per message, regardless of blocks, and the last of several counts, also if they are sorted in pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 20_000 }), async (seed, count) => {
      const random = seededRandom(seed);
      const ids = Array.from({ length: count }, () => Math.floor(random() * 1e9).toString(36));
      const pages = new VectorPages(new Set(ids));
      const added = [...ids, ...ids.slice(0, count / 2)].map((id, at) => ({
        id,
        vector: new Float32Array([at, seed]),
      }));
      for (const row of added) pages.add(row);
      const read = [];
      for (const page of pages.read()) {
        const rows = await page;
        expect(rows.length).toBeLessThan(16_384);
        read.push(...rows);
      }
      const last = new Map(added.map((row) => [row.id, row]));
      expect(read).toEqual([...last.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    }),
    { numRuns: 10 },
  );
});

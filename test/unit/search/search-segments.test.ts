import { expect, it, vi } from 'vitest';
import { InvertedIndex } from '../../../src/search/inverted-index.ts';
import { toKeywordSegment } from '../../../src/search/keyword-segment.ts';
import { findString } from '../../../src/search/packed-columns.ts';

vi.mock(import('../../../src/search/packed-columns.ts'), async (original) => {
  const actual = await original();
  return { ...actual, findString: vi.fn(actual.findString) };
});

it('KEY-23: a word of an index is looked for in its segments once, also if none of them has it', () => {
  const segmentOf = (id: string, text: string): ReturnType<typeof toKeywordSegment> => {
    const index = new InvertedIndex({});
    index.add(id, text);
    return toKeywordSegment(index.documents());
  };
  const index = InvertedIndex.fromSegments([segmentOf('m0', 'An owl.'), segmentOf('m1', 'An elk.')], {});
  index.add('m2', 'A lynx and an owl.');
  const ordinals = (term: string): number[] =>
    [...(index.postings(term)?.pairs ?? [])].filter((_, at) => at % 2 === 0);
  expect([ordinals('owl'), ordinals('lynx'), ordinals('gnu')]).toEqual([[0, 2], [2], []]);
  vi.mocked(findString).mockClear();
  ordinals('gnu');
  expect(findString).toHaveBeenCalled(); // nothing is kept of a word that only queries have
  index.add('m3', 'A gnu and a lynx.');
  expect(ordinals('gnu')).toEqual([3]);
  vi.mocked(findString).mockClear();
  index.delete('m2');
  expect([ordinals('owl'), ordinals('lynx'), ordinals('gnu')]).toEqual([[0], [3], [3]]);
  expect(findString).not.toHaveBeenCalled();
});

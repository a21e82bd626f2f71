import { expect, it, vi } from 'vitest';
import { InvertedIndex } from '../../../src/search/inverted-index.ts';
import { toKeywordSegment, type KeywordSegment } from '../../../src/search/keyword-segment.ts';
import { findString } from '../../../src/search/packed-columns.ts';

vi.mock(import('../../../src/search/packed-columns.ts'), async (original) => {
  const actual = await original();
  return { ...actual, findString: vi.fn(actual.findString) };
});

function segmentOf(id: string, text: string): KeywordSegment {
  const index = new InvertedIndex({});
  index.add(id, text);
  return toKeywordSegment(index.documents());
}

it('KEY-23: a word is looked for in no segment without a word of its hash', () => {
  const words = Array.from({ length: 500 }, (_, at) => `word${at}`);
  const index = InvertedIndex.fromSegments(
    words.map((word) => segmentOf(word, `An owl and ${word}.`)),
    {},
  );
  vi.mocked(findString).mockClear();
  expect(index.postings('word77')?.pairs).toEqual(Uint32Array.of(77, 1));
  // Words may share a hash: one in 65,536 pairs does.
  expect(vi.mocked(findString).mock.calls.length).toBeLessThan(5);
  expect(index.postings('owl')?.count).toBe(500);
  expect(index.postings('elk')).toBeUndefined();
});

it('KEY-23: a word of an index is looked for once', () => {
  const index = InvertedIndex.fromSegments([segmentOf('m0', 'An owl.'), segmentOf('m1', 'An elk.')], {});
  index.add('m2', 'A lynx and an owl.');
  const ordinals = (term: string): number[] =>
    [...(index.postings(term)?.pairs ?? [])].filter((_, at) => at % 2 === 0);
  expect([ordinals('owl'), ordinals('lynx'), ordinals('gnu')]).toEqual([[0, 2], [2], []]);
  index.add('m3', 'A gnu and a lynx.');
  expect(ordinals('gnu')).toEqual([3]);
  vi.mocked(findString).mockClear();
  index.delete('m2');
  expect([ordinals('owl'), ordinals('lynx'), ordinals('gnu')]).toEqual([[0], [3], [3]]);
  expect(findString).not.toHaveBeenCalled();
});

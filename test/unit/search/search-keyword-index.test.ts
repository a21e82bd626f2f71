import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/language/terms.ts';
import { MAX_QUERY_TERMS } from '../../../src/search/inverted-index.ts';
import { KeywordIndex } from '../../../src/search/keyword-index.ts';
import type { KeywordSegment } from '../../../src/search/keyword-segment.ts';
import { packStrings } from '../../../src/search/packed-columns.ts';
import { Postings } from '../../../src/search/postings.ts';
import { compareHits, type SearchHit } from '../../../src/search/search-hit.ts';
import { STOP_WORDS } from '../../../src/language/words/stop-words.ts';

const word = fc.constantFrom('alps', 'bear', 'cider', 'dune', 'ember', 'the', 'was', '北京', '!');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const id = fc.integer({ min: 0, max: 15 }).map((number) => `m${number}`);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), id, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

/** BM25 straight from the formula, over all texts, each time from scratch. */
function naiveSearch(documents: ReadonlyMap<string, string>, query: string): SearchHit[] {
  const isStopWord = (term: string): boolean => STOP_WORDS.has(term);
  const terms = new Map([...documents].map(([key, body]) => [key, analyze(body)]));
  const length = (key: string): number => (terms.get(key) ?? []).filter((term) => !isStopWord(term)).length;
  const averageLength = [...documents.keys()].reduce((sum, key) => sum + length(key), 0) / documents.size;
  const distinct = [...new Set(analyze(query))];
  const content = distinct.filter((term) => !isStopWord(term));
  return [...documents.keys()].flatMap((key) => {
    let score = 0;
    for (const term of content.length > 0 ? content : distinct) {
      const n = [...terms.values()].filter((list) => list.includes(term)).length;
      const f = (terms.get(key) ?? []).filter((candidate) => candidate === term).length;
      const relativeLength = averageLength > 0 ? length(key) / averageLength : 0;
      score +=
        (Math.log(1 + (documents.size - n + 0.5) / (n + 0.5)) * (f * 2.2)) /
        (f + 1.2 * (0.25 + 0.75 * relativeLength));
    }
    return score > 0 ? { id: key, score } : [];
  });
}

describe('KeywordIndex', () => {
  it('KEY-1: keyword search scores like BM25 computed from scratch, after any changes and reopenings', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), text, fc.nat({ max: 20 }), (steps, query, k) => {
        let index = new KeywordIndex();
        const model = new Map<string, string>();
        for (const current of steps) {
          if (current.do === 'add') {
            index.add(current.id, current.text);
            model.set(current.id, current.text);
          } else if (current.do === 'delete') {
            expect(index.delete(current.id)).toBe(model.delete(current.id));
            expect(index.has(current.id)).toBe(false);
          } else {
            const snapshot = structuredClone(index.toSnapshot());
            const again = KeywordIndex.fromSnapshot(snapshot);
            expect(again.search(query, 99)).toEqual(index.search(query, 99));
            index = again;
          }
        }
        expect(index.size).toBe(model.size);
        const expected = naiveSearch(model, query).toSorted(compareHits);
        const scores = new Map(expected.map((hit) => [hit.id, hit.score]));
        const hits = index.search(query, k);
        expect(hits).toEqual(hits.toSorted(compareHits));
        expect(hits).toHaveLength(Math.min(k, expected.length));
        for (const [rank, hit] of hits.entries()) {
          expect(hit.score).toBeCloseTo(expected[rank]?.score ?? NaN, 10);
          expect(hit.score).toBeCloseTo(scores.get(hit.id) ?? NaN, 10);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('KEY-2: nothing of a deleted document is left in the snapshot', () => {
    const index = new KeywordIndex();
    index.add('kept', 'a quiet lake');
    const before = index.toSnapshot();
    index.add('secret', 'the password of the lake house is swordfish');
    index.delete('secret');
    expect(index.toSnapshot()).toEqual(before);
    index.delete('kept');
    expect(index.toSnapshot()).toMatchObject({
      ids: [],
      terms: packStrings([]),
      postings: new Uint8Array(),
    });
  });

  it('KEY-2: the posting of a deleted document is overwritten in memory', () => {
    const postings = new Postings();
    postings.append(3, 1);
    postings.append(8, 2);
    const memory = postings.pairs;
    postings.remove(3);
    expect([...memory]).toEqual([8, 2, 0, 0]);
    postings.remove(5);
    expect([...postings.pairs]).toEqual([8, 2]);
  });

  it('KEY-3: adding a known id again replaces its text', () => {
    const index = new KeywordIndex();
    index.add('m', 'apples');
    index.add('m', 'pears');
    expect(index.size).toBe(1);
    expect(index.search('apples', 5)).toEqual([]);
    expect(index.search('pears', 5).map((hit) => hit.id)).toEqual(['m']);
  });

  it('KEY-4: a query without terms finds nothing, and one of stop words only is searched as it is', () => {
    const index = new KeywordIndex();
    index.add('who', 'who are you, said the caterpillar');
    index.add('other', 'tea with the hatter');
    for (const query of ['', '  ', '?!']) expect(index.search(query, 5)).toEqual([]);
    expect(index.search('who are you', 5).map((hit) => hit.id)).toEqual(['who']);
    expect(index.search('was the tea cold?', 5).map((hit) => hit.id)).toEqual(['other']);
  });

  it('KEY-5: equal scores are ordered by id, the filter selects, and k bounds the list', () => {
    const index = new KeywordIndex();
    for (const key of ['c', 'a', 'd', 'b']) index.add(key, 'same words');
    const ids = (k: number, filter?: (key: string) => boolean): string[] =>
      index.search('words', k, filter).map((hit) => hit.id);
    expect(ids(3)).toEqual(['a', 'b', 'c']);
    expect(ids(3, (key) => key !== 'b')).toEqual(['a', 'c', 'd']);
    expect(ids(0)).toEqual([]);
    for (const k of [-1, 1.5, NaN]) expect(() => ids(k)).toThrow(/whole number/);
  });

  it('KEY-6: only the first 512 distinct terms of a query are searched', () => {
    const index = new KeywordIndex();
    const terms = Array.from({ length: MAX_QUERY_TERMS + 1 }, (_, i) => `x${i}`);
    index.add('last', terms[MAX_QUERY_TERMS] ?? '');
    index.add('before', terms[MAX_QUERY_TERMS - 1] ?? '');
    const query = terms.flatMap((term) => [term, term, 'the']).join(' ');
    expect(index.search(query, 5).map((hit) => hit.id)).toEqual(['before']);
  });

  it('KEY-7: compacting after many deletions changes no score', () => {
    const index = new KeywordIndex();
    const fresh = new KeywordIndex();
    for (let i = 0; i < 4000; i++) {
      const body = `note ${i % 7} of day ${i % 31} number ${i}`;
      index.add(`m${i}`, body);
      if (i % 4 === 0) fresh.add(`m${i}`, body);
    }
    for (let i = 0; i < 4000; i++) if (i % 4 !== 0) index.delete(`m${i}`);
    index.add('late', 'note of the last day');
    fresh.add('late', 'note of the last day');
    expect(index.search('day 3 number 1000', 50)).toEqual(fresh.search('day 3 number 1000', 50));
    expect(index.delete('m1000')).toBe(true);
    expect(index.search('1000', 5)).toEqual([]);
  });

  it('KEY-8: a snapshot does not change with the index opened from it', () => {
    const first = new KeywordIndex();
    first.add('a', 'red green');
    first.add('b', 'green blue');
    const snapshot = first.toSnapshot();
    const copy = structuredClone(snapshot);
    const index = KeywordIndex.fromSnapshot(snapshot);
    index.delete('a');
    index.add('c', 'green');
    expect(snapshot).toEqual(copy);
    expect(first.search('red', 1)).toHaveLength(1);
  });

  it('KEY-9: a snapshot of another version, or a damaged one, is rejected', () => {
    const index = new KeywordIndex();
    index.add('a', 'red green');
    index.add('b', 'green');
    const good = index.toSnapshot() as KeywordSegment;
    const refused = expect.objectContaining({ code: 'invalid-input' });
    const bad = [
      { ...good, version: 2 as never },
      { ...good, ids: ['a'] },
      { ...good, ids: ['a', 1 as never] },
      { ...good, postings: good.postings.slice(1) },
      { ...good, postings: good.postings.map(() => 7) },
      { ...good, postingEnds: good.postingEnds.toReversed() },
      { ...good, terms: packStrings(['red', 'red']) },
      { ...good, terms: { ...good.terms, ends: [5, 8] as never } },
      { ...good, lengths: undefined as never },
      { ...good, lengths: { ...good.lengths, base: 9 } },
      null as never,
    ];
    for (const snapshot of bad) expect(() => KeywordIndex.fromSnapshot(snapshot)).toThrow(refused);
    expect(KeywordIndex.fromSnapshot(good).size).toBe(2);
  });

  it('KEY-10: the analyzer can be replaced, and unknown options are rejected', () => {
    const index = new KeywordIndex({ analyze: (body) => body.split('|'), stopWords: new Set(['x']) });
    index.add('m', 'two words|x');
    expect(index.search('two words', 1)).toHaveLength(1);
    expect(index.search('words', 1)).toEqual([]);
    expect(index.search('x', 1)).toHaveLength(1);
    const misspelt = { analyze, stopWord: 'x' };
    expect(() => new KeywordIndex(misspelt)).toThrow(/stopWord/);
  });
});

it('KEY-5: a filter may search the same index, and one that throws leaves nothing behind', () => {
  const index = new KeywordIndex();
  for (let at = 0; at < 300; at++)
    index.add(`d${at}`, at % 7 === 0 ? 'An owl and an elk.' : `An owl, ${at}.`);
  const found = index.search('owl elk', 50);
  const searching = (): boolean => index.search('elk', 3).length === 3;
  expect(index.search('owl elk', 50, searching)).toEqual(found);
  const failing = (): boolean => {
    throw new Error('not this one');
  };
  expect(() => index.search('owl', 5, failing)).toThrow('not this one');
  expect(index.search('owl elk', 50)).toEqual(found);
});

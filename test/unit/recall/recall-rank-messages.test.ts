import { describe, expect, it } from 'vitest';
import { rankMessages, type RankingInput } from '../../../src/recall/rank/rank-messages.ts';
import { RANKING_PARTS, type RankingPart } from '../../../src/recall/rank/ranking-features.ts';
import { WEIGHT_OF_TRAINED } from '../../../src/embedding/embedder.ts';
import { RANKING_WEIGHTS, TRAINED_WEIGHTS } from '../../../src/recall/rank/ranking-weights.ts';
import { ConversationIndex } from '../../../src/search/conversation-index.ts';
import { packTraits } from '../../../src/search/message-traits.ts';

const TEXTS = [
  'Which lighthouse?',
  'The lighthouse at Dover.',
  'A lighthouse? Nice.',
  'Yes, very.',
  'Bye.',
  'See you.',
];

function indexOf(texts: readonly string[]): ConversationIndex {
  const index = new ConversationIndex();
  for (const [order, text] of texts.entries()) {
    index.add(`m${order}`, text, { sessionId: 's', order, turnId: 't', createdAt: 0 }, packTraits(text));
  }
  return index;
}

function rank(
  query: string,
  input: Partial<RankingInput> = {},
  texts = TEXTS,
): ReturnType<typeof rankMessages> {
  const index = indexOf(texts);
  return rankMessages({
    question: query,
    scores: index.score(query),
    similar: [],
    neighbor: (id, side) => index.neighbor(id, side),
    isAdmitted: () => true,
    traitsOf: (id) => index.traitsOf(id),
    speakerOf: () => undefined,
    speakerTerms: new Set(),
    fitsTime: () => 0,
    recencyOf: () => 0,
    related: new Map(),
    ...input,
  });
}

const ids = (hits: ReturnType<typeof rankMessages>): string[] => hits.map((hit) => hit.id);

describe('rankMessages', () => {
  it('SRCH-1: of two messages with the same words, the one with matching surroundings ranks first', () => {
    const texts = ['Thanks a lot.', 'No.', 'Fine.', 'Hm.', 'Did you see the lighthouse?', 'Thanks, I did.'];
    const hits = rank('lighthouse thanks', {}, texts);
    expect(ids(hits)).toEqual(['m5', 'm4', 'm0']);
    expect(Object.keys(hits[0]?.parts ?? {}).toSorted()).toEqual(['answer', 'content', 'keyword', 'nearby']);
    for (const hit of hits) {
      const sum = Object.values(hit.parts).reduce((total, part) => total + part, 0);
      expect(hit.score).toBeCloseTo(sum, 10);
    }
  });

  it('SRCH-2: messages by a named speaker or from a named time rank higher, and none is excluded', () => {
    const plain = rank('lighthouse');
    const lifted = rank('lighthouse', {
      speakerOf: (id) => (id === 'm2' ? 'named' : undefined),
      fitsTime: (id) => (id === 'm1' ? 0.5 : 0),
    });
    expect(ids(lifted).toSorted()).toEqual(ids(plain).toSorted());
    expect(lifted.find((hit) => hit.id === 'm2')?.parts['speaker']).toBe(RANKING_WEIGHTS.bySpeaker);
    expect(lifted.find((hit) => hit.id === 'm1')?.parts['time']).toBe(RANKING_WEIGHTS.time / 2);
  });

  it('RANK-30: similarity in meaning counts as much as the weight of the embedder says', () => {
    const similar = ['m0', 'm3', 'm5'].map((id, at) => ({ id, score: 0.9 - at / 5 }));
    const vectors = (meaningWeight?: number): number[] =>
      rank('lighthouse', { similar, ...(meaningWeight === undefined ? {} : { meaningWeight }) })
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ parts }) => parts['vector'] ?? 0);
    expect(vectors()).toEqual(vectors(1));
    for (const [at, part] of vectors(0.5).entries())
      expect(part).toBeCloseTo(0.5 * (vectors()[at] ?? NaN), 10);
    const partOf = (name: string, meaningWeight: number): number[] =>
      rank('lighthouse', { meaningWeight, speakerOf: () => 'named' }).map(({ parts }) => parts[name] ?? 0);
    for (const weight of [1, WEIGHT_OF_TRAINED])
      expect(new Set(partOf('speaker', weight))).toEqual(new Set([RANKING_WEIGHTS.bySpeaker]));
    expect(Math.max(...partOf('keyword', WEIGHT_OF_TRAINED))).not.toBe(Math.max(...partOf('keyword', 1)));
    const best = Math.max(...vectors(WEIGHT_OF_TRAINED));
    expect(best).toBeGreaterThanOrEqual(TRAINED_WEIGHTS.vector ?? NaN);
    expect(best).toBeGreaterThan(Math.max(...vectors()));
    for (const [at, part] of vectors(2.8).entries())
      expect(part).toBeCloseTo(2 * (vectors(WEIGHT_OF_TRAINED)[at] ?? NaN), 10);
    expect(rank('lighthouse', { similar, meaningWeight: 0 }).every(({ parts }) => !('vector' in parts))).toBe(
      true,
    );
  });

  it('SRCH-3: a message without a word of the query is found by its meaning if similar enough', () => {
    const similar = [
      { id: 'm5', score: 0.9 },
      { id: 'm0', score: 0.5 },
      { id: 'm4', score: 0.1 },
    ];
    const hits = rank('lighthouse', { similar });
    expect(ids(hits)).toContain('m5');
    expect(ids(hits)).not.toContain('m4');
    expect(hits.find((hit) => hit.id === 'm5')?.parts['vector']).toBeGreaterThanOrEqual(
      RANKING_WEIGHTS.vector,
    );
    // m1 answers m0, and comes along.
    expect(ids(rank('unheard of', { similar })).toSorted()).toEqual(['m0', 'm1', 'm5']);
  });

  it('RANK-10: a message without a word of the query is found by what was learned from it', () => {
    const related = new Map([
      ['m4', 0.2],
      ['m3', 0.9],
      ['m2', 0.1],
    ]);
    const hits = rank('lighthouse', { related });
    expect(ids(hits)).toContain('m3');
    expect(ids(hits)).not.toContain('m4');
    expect(hits.find((hit) => hit.id === 'm3')?.parts['graph']).toBeCloseTo(0.9 * RANKING_WEIGHTS.graph, 10);
    expect(hits.find((hit) => hit.id === 'm2')?.parts['graph']).toBeCloseTo(0.1 * RANKING_WEIGHTS.graph, 10);
  });

  it('SRCH-4: a model with the same cosine for all texts, or none above 0, does not change the order', () => {
    const plain = ids(rank('lighthouse'));
    for (const score of [0.4, 0, -0.3]) {
      const similar = TEXTS.map((_, number) => ({ id: `m${number}`, score }));
      const ranked = ids(rank('lighthouse', { similar }));
      expect(ranked.filter((id) => plain.includes(id))).toEqual(plain);
    }
  });

  it('SRCH-5: models whose cosines lie in a narrow range have the same influence as others', () => {
    const wide = ['m3', 'm0', 'm1'].map((id, place) => ({ id, score: 0.8 - 0.3 * place }));
    const narrow = wide.map(({ id, score }) => ({ id, score: 0.8 + 0.1 * score }));
    const [a, b] = [rank('lighthouse', { similar: wide }), rank('lighthouse', { similar: narrow })];
    expect(ids(a)).toEqual(ids(b));
    for (const [place, hit] of a.entries()) expect(hit.score).toBeCloseTo(b[place]?.score ?? NaN, 10);
  });

  it('SRCH-17: a found question brings its answer, and a found answer its question', () => {
    const texts = [
      'Where did you grow up?',
      'In Turku.',
      'Hm.',
      'Fine.',
      'What is it like?',
      'Turku is cold.',
    ];
    expect(ids(rank('grow', {}, texts)).toSorted()).toEqual(['m0', 'm1']);
    expect(ids(rank('cold', {}, texts)).toSorted()).toEqual(['m4', 'm5']);
    expect(ids(rank('grow', { isAdmitted: (id) => id !== 'm1' }, texts))).toEqual(['m0']);
  });

  it('SRCH-18: of two messages with the same words, a statement ranks above a question', () => {
    const texts = [
      'Is my sister in Turku?',
      'Hm.',
      'Fine.',
      'Hm.',
      'Fine.',
      'Yes.',
      'My sister is in Turku.',
    ];
    expect(ids(rank('sister Turku', {}, texts))[0]).toBe('m6');
  });

  it('RANK-19: a score has at most eight parts, however much is known of a message', () => {
    const hits = rank('When was the lighthouse built?', {
      similar: TEXTS.map((_, number) => ({ id: `m${number}`, score: 0.9 - number / 10 })),
      related: new Map(TEXTS.map((_, number) => [`m${number}`, 1])),
      speakerOf: () => 'other',
      fitsTime: () => 1,
      recencyOf: () => 1,
    });
    const names = new Set(hits.flatMap(({ parts }) => Object.keys(parts)));
    expect([...names].filter((name) => !RANKING_PARTS.includes(name as RankingPart))).toEqual([]);
    expect(RANKING_PARTS.length).toBeLessThanOrEqual(8);
  });
});

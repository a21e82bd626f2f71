import { describe, expect, it } from 'vitest';
import { rankMessages, WEIGHTS, type RankingInput } from '../../src/recall/rank-messages.ts';
import { ConversationIndex } from '../../src/search/conversation-index.ts';

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
    index.add(`m${order}`, text, { sessionId: 's', order, turnId: 't', createdAt: 0 });
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
    scores: index.score(query),
    similar: [],
    neighbor: (id, side) => index.neighbor(id, side),
    isBySpeaker: () => false,
    fitsTime: () => 0,
    related: new Map(),
    ...input,
  });
}

const ids = (hits: ReturnType<typeof rankMessages>): string[] => hits.map((hit) => hit.id);

describe('rankMessages', () => {
  it('K70: of two messages with the same words the one in the fitting surroundings comes first; parts add up', () => {
    const texts = ['Thanks a lot.', 'No.', 'Fine.', 'Hm.', 'Did you see the lighthouse?', 'Thanks, I did.'];
    const hits = rank('lighthouse thanks', {}, texts);
    expect(ids(hits)).toEqual(['m5', 'm4', 'm0']);
    expect(Object.keys(hits[0]?.parts ?? {}).toSorted()).toEqual(['keyword', 'nearby', 'session']);
    for (const hit of hits) {
      const sum = Object.values(hit.parts).reduce((total, part) => total + part, 0);
      expect(hit.score).toBeCloseTo(sum, 10);
    }
  });

  it('K71: what was said by somebody whom the query names, or at the time that it names, is lifted and nothing left out', () => {
    const plain = rank('lighthouse');
    const lifted = rank('lighthouse', {
      isBySpeaker: (id) => id === 'm2',
      fitsTime: (id) => (id === 'm1' ? 0.5 : 0),
    });
    expect(ids(lifted).toSorted()).toEqual(ids(plain).toSorted());
    expect(lifted.find((hit) => hit.id === 'm2')?.parts['speaker']).toBe(WEIGHTS.speaker);
    expect(lifted.find((hit) => hit.id === 'm1')?.parts['time']).toBe(WEIGHTS.time / 2);
  });

  it('K72: a message without a word of the query comes in by its meaning alone, if that is near enough', () => {
    const similar = [
      { id: 'm5', score: 0.9 },
      { id: 'm0', score: 0.5 },
      { id: 'm4', score: 0.1 },
    ];
    const hits = rank('lighthouse', { similar });
    expect(ids(hits)).toContain('m5');
    expect(ids(hits)).not.toContain('m4');
    expect(hits.find((hit) => hit.id === 'm5')?.parts['vector']).toBe(WEIGHTS.vector);
    expect(rank('unheard of', { similar }).map((hit) => hit.id)).toEqual(['m5', 'm0']);
  });

  it('K112: a message without a word of the query comes in by what was learned from it, if that fits well enough', () => {
    const related = new Map([
      ['m4', 0.2],
      ['m3', 0.9],
      ['m2', 0.1],
    ]);
    const hits = rank('lighthouse', { related });
    expect(ids(hits)).toContain('m3');
    expect(ids(hits)).not.toContain('m4');
    expect(hits.find((hit) => hit.id === 'm3')?.parts['graph']).toBeCloseTo(0.9 * WEIGHTS.graph, 10);
    expect(hits.find((hit) => hit.id === 'm2')?.parts['graph']).toBeCloseTo(0.1 * WEIGHTS.graph, 10);
  });

  it('K73: a model that gives all texts one cosine, or none above 0, changes no order', () => {
    const plain = ids(rank('lighthouse'));
    for (const score of [0.4, 0, -0.3]) {
      const similar = TEXTS.map((_, number) => ({ id: `m${number}`, score }));
      expect(ids(rank('lighthouse', { similar })).slice(0, plain.length)).toEqual(plain);
    }
  });

  it('K74: models whose cosines lie in a narrow range count as much as others', () => {
    const wide = ['m3', 'm0', 'm1'].map((id, place) => ({ id, score: 0.8 - 0.3 * place }));
    const narrow = wide.map(({ id, score }) => ({ id, score: 0.8 + 0.1 * score }));
    const [a, b] = [rank('lighthouse', { similar: wide }), rank('lighthouse', { similar: narrow })];
    expect(ids(a)).toEqual(ids(b));
    for (const [place, hit] of a.entries()) expect(hit.score).toBeCloseTo(b[place]?.score ?? NaN, 10);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  questionKind,
  FEATURE_NAMES,
  featuresOf,
  type RankedMessage,
} from '../../../src/recall/rank/ranking-features.ts';
import {
  MOST_WORDS,
  packTraits,
  unpackTraits,
  hashTerms,
  TermSketch,
} from '../../../src/search/message-traits.ts';

const traitsOf = (text: string): ReturnType<typeof unpackTraits> => unpackTraits(packTraits(text));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const word = fc.constantFrom(
  'I',
  'you',
  'we',
  '?',
  '你好',
  'Ada,',
  'Rome',
  '7',
  'May',
  'ผม',
  'ist',
  '\ud800',
  '🙂',
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(word, { maxLength: 400 }).map((all) => all.join(' ')),
);
const message = fc.record({
  keyword: share,
  nearby: share,
  session: share,
  vector: share,
  vectorNearby: share,
  time: share,
  graph: share,
  speaker: fc.constantFrom('named' as const, 'other' as const, undefined),
  recency: share,
  rarestWord: share,
  traits: fc.option(
    fc.record({ text, rarity: share }).map((each) => ({ ...traitsOf(each.text), rarity: each.rarity })),
    { nil: undefined },
  ),
  before: fc.option(fc.record({ hasQuestion: fc.boolean(), coverage: share }), { nil: undefined }),
});

const NOTHING: RankedMessage = {
  keyword: 0,
  nearby: 0,
  session: 0,
  vector: 0,
  vectorNearby: 0,
  time: 0,
  graph: 0,
  speaker: undefined,
  recency: 0,
  rarestWord: 0,
  traits: undefined,
  before: undefined,
};

const ENGLISH_ONLY = ['firstPerson', 'secondPerson', 'timeAsked', 'placeAsked', 'personAsked'] as const;

describe('features of the ranking', () => {
  it('RANK-20: features are between 0 and 1 for any text, and 0 if nothing is known', () => {
    fc.assert(
      fc.property(message, text, (each, question) => {
        const features = featuresOf(each, questionKind(question));
        expect(features).toHaveLength(FEATURE_NAMES.length);
        for (const value of features) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
    expect(featuresOf(NOTHING, 'time').every((value) => value === 0)).toBe(true);
  });

  it('RANK-21: features of English words are 0 in other scripts, and question marks of many scripts count', () => {
    const texts = [
      '我昨天去了北京，你呢？',
      '私は東京に住んでいます。',
      'أنا أعيش في القاهرة؟',
      'Я живу там',
    ];
    for (const each of texts) {
      const features = featuresOf(
        { ...NOTHING, traits: { ...traitsOf(each), rarity: 0 } },
        questionKind(each),
      );
      for (const name of ENGLISH_ONLY) expect(features[FEATURE_NAMES.indexOf(name)]).toBe(0);
      expect(traitsOf(each).endsWithQuestion).toBe(/[？؟]$/u.test(each));
    }
    expect(traitsOf('我昨天去了北京').words).toBe(4);
  });

  it('RANK-22: a text a hundred times longer than a long one has the same features', () => {
    const sentence = 'I met Ada in May, and you were there. ';
    const long = traitsOf(sentence.repeat(10));
    expect(traitsOf(sentence.repeat(1000))).toEqual(long);
    expect(long.words).toBe(MOST_WORDS);
    expect(traitsOf(sentence)).toEqual({
      words: 9,
      hasQuestion: false,
      endsWithQuestion: false,
      firstPerson: 7 / 64,
      secondPerson: 7 / 64,
      namesTime: false,
      namesNumber: false,
      names: 2,
    });
  });

  it('RANK-23: a final question may be followed by quotes, emoji or a bracketed note, but not by more text', () => {
    const ends = ['Really?', '"Really?"', 'Really? 🙂', 'Really?! [photo: a cat]', '本当？'];
    for (const each of ends) expect(traitsOf(each).endsWithQuestion, each).toBe(true);
    expect(traitsOf('Really? I thought so.')).toMatchObject({ hasQuestion: true, endsWithQuestion: false });
  });

  it('RANK-24: the rarity of words depends on the stored messages, not on their order', () => {
    const words = fc.constantFrom('alps', 'bear', 'cider', 'dune', 'ember', '北京');
    const texts = fc.array(fc.array(words, { maxLength: 6 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.array(words), (all, gone) => {
        const one = new TermSketch();
        const other = new TermSketch();
        for (const terms of all) one.add(hashTerms(terms));
        other.add(hashTerms(gone));
        for (const terms of all.toReversed()) other.add(hashTerms(terms));
        other.add(hashTerms(gone), -1);
        for (const terms of all) {
          const rarity = one.meanRarity(hashTerms(terms), all.length);
          expect(other.meanRarity(hashTerms(terms), all.length)).toBe(rarity);
          expect(rarity).toBeGreaterThanOrEqual(0);
          expect(rarity).toBeLessThanOrEqual(1);
        }
      }),
    );
    const sketch = new TermSketch();
    for (const terms of [['common', 'rare'], ['common'], ['common']]) sketch.add(hashTerms(terms));
    expect(sketch.meanRarity(hashTerms(['rare']), 3)).toBeGreaterThan(
      sketch.meanRarity(hashTerms(['common']), 3),
    );
  });
});

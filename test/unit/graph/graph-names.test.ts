import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey, type NamedEntity } from '../../../src/graph/entity-name.ts';
import { findNames, NameIndex } from '../../../src/graph/name-index.ts';

type Names = string | readonly [name: string, ...aliases: string[]];

const entities = (...all: readonly Names[]): NamedEntity[] =>
  all.map((names) => {
    const [name, ...aliases] = typeof names === 'string' ? [names] : names;
    return { name, aliases };
  });
const find = (text: string, ...all: readonly Names[]): string[] => findNames(text, entities(...all));

function indexOf(all: readonly NamedEntity[]): NameIndex {
  const index = new NameIndex();
  for (const entity of all) index.add(entity);
  return index;
}

const USER: Names = ['user', 'I', 'me', 'my', 'myself', 'mine', 'the user'];

describe('findNames', () => {
  it('GRPH-32: each mentioned entity is returned once, in order, regardless of case, width and spacing', () => {
    const known = ['Ann', 'New York', 'Bob', 'Cid'] as const;
    expect(find('bob went to NEW\n  york; Ａｎｎ stayed. Bob!', ...known)).toEqual([
      'Bob',
      'New York',
      'Ann',
    ]);
    expect(find('ΟΔΥΣΣΕΥΣ und STRASSE', 'Οδυσσεύς', 'Οδυσσευς')).toEqual(['Οδυσσευς']);
    expect(find('İstanbul', 'istanbul')).toEqual(['istanbul']);
    expect(find('', 'Ann')).toEqual([]);
    expect(find('Ann')).toEqual([]);
  });

  it('GRPH-33: a possessive and an alias stand for the entity, and "I" for `user`', () => {
    expect(find("Sam's dog", ['Samuel', 'Sam'])).toEqual(['Samuel']);
    expect(find('the joneses’ house and James’s car', 'The Joneses', 'James')).toEqual([
      'The Joneses',
      'James',
    ]);
    for (const text of [
      "I'm here",
      'i think',
      'MY dog',
      'it is mine',
      'myself',
      "I've",
      'ask me.',
      'the user',
    ]) {
      expect(find(text, 'user')).toEqual(['user']);
      expect(find(text, USER)).toEqual(['user']);
    }
    for (const text of ['i.e. this', 'a mime', 'X-I']) expect(find(text, USER)).toEqual([]);
    expect(find('I am here', 'Ann')).toEqual([]);
  });

  it('GRPH-34: the first or last word of a name stands for it if it is unambiguous', () => {
    const nolan = 'Christopher Nolan';
    expect(find('what did nolan direct?', nolan)).toEqual([nolan]);
    expect(find('Ask Christopher', nolan)).toEqual([nolan]);
    expect(find('Ask Christopher', nolan, 'Christopher Lee')).toEqual([]);
    expect(find('Ask Christopher', nolan, 'Christopher')).toEqual(['Christopher']);
    expect(find('a new time for the city', 'New York', 'The Hague', 'Mexico City', 'Time Out')).toEqual([]);
    expect(find('an ordinary day', 'ordinary things', 'University of Paris')).toEqual([]);
    expect(find('Smith', 'Dr. Smith')).toEqual(['Dr. Smith']);
  });

  it('GRPH-35: of overlapping names the longest is used', () => {
    const known = ['New York', 'New York Times', 'York'] as const;
    expect(find('the new york times', ...known)).toEqual(['New York Times']);
    expect(find('new york, then York', ...known)).toEqual(['New York', 'York']);
    expect(find('AT&T and C++ in .NET', 'T', 'AT&T', 'C', 'C++', '.NET', 'NET')).toEqual([
      'AT&T',
      'C++',
      '.NET',
    ]);
  });

  it('GRPH-36: names of one or two letters and common words match only in their own case', () => {
    const known = ['US', 'IT', 'Will', 'WHO', 'Al'] as const;
    expect(find('will it tell us who, al?', ...known)).toEqual([]);
    expect(find('Al asked the WHO; Will left the US for IT', ...known)).toEqual([
      'Al',
      'WHO',
      'Will',
      'US',
      'IT',
    ]);
    expect(find('us US', ['them', 'us'], 'US')).toEqual(['them', 'US']);
    expect(find("plan C++ or C# & AT&T, O'Brien, T-shirts", 'C', 'T', 'O', 'AT')).toEqual(['AT']);
  });

  it('GRPH-37: in scripts without spaces names are found inside the text, single Chinese characters only by themselves', () => {
    expect(find('彼はサムと東京タワーへ行った', '東京タワー', 'サム', '東京')).toEqual([
      'サム',
      '東京タワー',
    ]);
    expect(find('小明喜欢北京。Samも', '北京', '小明', 'Sam')).toEqual(['小明', '北京', 'Sam']);
    expect(find('민수는 서울에 산다', '서울', '민수')).toEqual(['민수', '서울']);
    expect(find('國王と王', '王')).toEqual(['王']);
    expect(find('國王', '王')).toEqual([]);
    expect(find('ฉันรักกรุงเทพมาก', 'กรุงเทพ')).toEqual(['กรุงเทพ']);
  });

  it('GRPH-38: part of a word is not a mention', () => {
    const known = ['Sam', 'Ann', 'Don', 'Paris'] as const;
    expect(find("Samson's annex, don't, comparison, Sam2, parísian, Paris\u0301", ...known)).toEqual([]);
    expect(find('_Sam_, (Ann)/"Don" Paris-based', ...known)).toEqual(['Sam', 'Ann', 'Don', 'Paris']);
  });

  it('GRPH-38: names between punctuation marks are found, and nothing else', () => {
    const words = ['Ann', 'Annabel', 'Bel', 'Nolan', 'Rome', 'Romeo', 'Émile', 'Ян', 'Oslo'];
    const separators = [' ', ', ', '. ', '\n', ' (', ') ', ' "', ' — ', "'s ", '’s ', '/'];
    const piece = fc.record({
      word: fc.constantFrom(...words, 'xann', 'annx', 'zzz'),
      upper: fc.boolean(),
      separator: fc.constantFrom(...separators),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.subarray(words), (pieces, names) => {
        const text = pieces
          .map(
            ({ word, upper, separator }) => (upper && word !== 'Ян' ? word.toUpperCase() : word) + separator,
          )
          .join('');
        const wanted = new Set(pieces.map(({ word }) => word).filter((word) => names.includes(word)));
        expect(find(text, ...names)).toEqual([...wanted]);
      }),
    );
  });

  it('GRPH-39: any text and any names are accepted, and one index serves many texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        (names, text) => {
          const index = indexOf(entities(...names, '__proto__', 'constructor'));
          const found = index.find(`${text} __proto__ ${text}`);
          expect(new Set(found).size).toBe(found.length);
          expect(index.find(`${text} __proto__ ${text}`)).toEqual(found);
        },
      ),
    );
    const many = entities(
      ...Array.from({ length: 10_000 }, (_, index): Names => [`Person${index} Family${index}`]),
    );
    const text = 'person42 wrote to Family9999 and Person7 Family8. '.repeat(40);
    expect(indexOf(many).find(text)).toEqual([42, 9999, 7, 8].map((n) => `Person${n} Family${n}`));
  });

  it('GRPH-58: names added and removed one by one are found as if added together', () => {
    const word = fc.constantFrom(
      'Ann',
      'ann',
      'Bo',
      'BO',
      'US',
      'us',
      'Will',
      'New',
      'York',
      '.NET',
      'net',
      'I',
      'é',
    );
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    const entity = fc.record({ name, aliases: fc.array(name, { maxLength: 2 }) });
    const all = fc.uniqueArray(entity, { maxLength: 8, selector: (each) => nameKey(each.name) });
    fc.assert(
      fc.property(all, fc.nat(8), fc.array(name, { maxLength: 8 }), (given, count, texts) => {
        const index = new NameIndex();
        const [gone, stay] = [given.slice(0, count), given.slice(count)];
        for (const each of [...gone, ...stay]) index.add(each);
        for (const each of gone) index.remove(each);
        const text = texts.join(' ');
        expect(index.find(text)).toEqual(findNames(text, stay));
      }),
      { numRuns: 1000 },
    );
  });
});

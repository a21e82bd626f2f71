import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, MAX_TERM_CHARACTERS } from '../../../src/language/terms.ts';
import { KeywordIndex } from '../../../src/search/keyword-index.ts';

describe('analyze', () => {
  it.each([
    ['hiking in the ALPS', 'we hiked: alps'],
    ['Café Zoë', 'cafe zoe'],
    ['Straße', 'STRASSE'],
    ['Köln', 'koln'],
    ["didn't", 'not'],
    ['ｆｕｌｌ ﬁne', 'full fine'],
    ['Müller', 'Mu\u0308ller'],
    ["Jane's", 'jane'],
    ['l’avion', 'avion'],
    ['İstanbul', 'istanbul'],
    ['كِتَابٌ', 'كتاب'],
    ['أحمـــد', 'احمد'],
    ['שָׁלוֹם', 'שלום'],
    ['mem\u00adory', 'memory'],
    ['snake_case', 'snake'],
    ['see you 🎉', '🎉'],
  ])(
    'KEY-11: "%s" is found by "%s": case, accents, width, clitics and endings are ignored',
    (text, query) => {
      const index = new KeywordIndex();
      index.add('m', text);
      expect(index.search(query, 1)).toHaveLength(1);
    },
  );

  it.each([
    ['我昨天在北京大学附近的咖啡馆见了李雷。', ['大学', '咖啡馆', '李雷', '北京', '馆']],
    ['新しいカメラを買いました。', ['カメラ', '買', '新しい']],
    ['학교에서 친구를 만났다', ['학교', '친구']],
    ['ฉันชอบกินข้าวกับเพื่อนที่โรงเรียน', ['โรงเรียน', 'ข้าว']],
    ['Ich wohne seit Mai in München und spiele Klavier.', ['München', 'Klavier', 'und', 'in']],
    ['أعيش في القاهرة منذ سنة', ['القاهرة', 'سنة']],
    ['Я живу в Москве', ['Москве', 'в']],
    ['मेरा नाम राज है', ['राज', 'नाम']],
  ])('KEY-12: exact words of "%s" are found', (text, queries) => {
    const index = new KeywordIndex();
    index.add('m', text);
    index.add('other', 'something else entirely');
    for (const query of queries)
      expect(
        index.search(query, 5).map((hit) => hit.id),
        query,
      ).toEqual(['m']);
  });

  it('KEY-13: adjacent Chinese characters rank above the same characters apart', () => {
    const index = new KeywordIndex();
    index.add('apart', '大人学习');
    index.add('together', '大学学习');
    expect(index.search('大学', 2).map((hit) => hit.id)).toEqual(['together', 'apart']);
  });

  it('KEY-14: every text is found by itself, and analyzing never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const terms = analyze(text);
        for (const term of terms) {
          expect(term.isWellFormed()).toBe(true);
          expect(term.length).toBeGreaterThan(0);
        }
        const index = new KeywordIndex();
        index.add('m', text);
        expect(index.search(text, 1)).toHaveLength(terms.length > 0 ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('KEY-15: text without spaces can have any length, and words are cut to 64 characters', () => {
    expect(analyze('a1'.repeat(500_000))).toEqual(['a1'.repeat(MAX_TERM_CHARACTERS / 2)]);
    expect(analyze('你好'.repeat(200_000))).toHaveLength(799_999);
    expect(analyze('ก'.repeat(400_000)).length).toBeGreaterThan(100_000); // of one run, minutes
    expect(analyze(`${'a'.repeat(MAX_TERM_CHARACTERS - 1)}𐐨`)[0]?.isWellFormed()).toBe(true);
  });

  it.each([
    ['Ines is moving to Porto', 'What did Ines say?'],
    ['the outing to the lake was wet', 'Who came to the outing?'],
  ])('KEY-24: "%s" is found by "%s", whose stem is a function word', (text, query) => {
    const index = new KeywordIndex();
    index.add('m', text);
    expect(index.search(query, 1)).toHaveLength(1);
  });
});

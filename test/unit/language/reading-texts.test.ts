import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sentencesOf } from '../../../src/extract.ts';
import { fold, foldInPlace } from '../../../src/language/fold.ts';
import { endsSentence, sentencesIn, splitSentences } from '../../../src/language/sentences.ts';

const pieces = fc.constantFrom(
  ...[
    'I live in Rome',
    'Dr',
    'e.g',
    'J',
    '42',
    '1',
    'ja',
    '好的',
    'No',
    '🙂',
    '\ud800',
    ' ',
    '  ',
    '\n',
    '\r\n',
  ],
  ...['.', '!', '?', '…', '。', '"', '“', '”', '»', ')', "'", ',', 'http://a.b/c.d'],
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const trimmed = (text: string): string[] => splitSentences(text).map((sentence) => sentence.trim());

it('LANG-1: sentences are together the text, and end with a mark or a line break', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('split' as const, 'whole' as const), (text, quotations) => {
      const found = sentencesIn(text, quotations);
      expect(found.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      for (const { start, end } of found.slice(0, -1)) {
        const sentence = text.slice(start, end);
        expect(endsSentence(sentence) || /[\r\n\u2028\u2029]\s*$/u.test(sentence)).toBe(true);
      }
    }),
  );
});

it.each([
  ['I met Dr. Ng. She is nice!', ['I met Dr. Ng.', 'She is nice!']],
  ['Use a tool, e.g. this one. Then rest.', ['Use a tool, e.g. this one.', 'Then rest.']],
  ['J. R. Smith called. I was out.', ['J. R. Smith called.', 'I was out.']],
  ['Oh no. I forgot. See No. 5 there.', ['Oh no.', 'I forgot.', 'See No. 5 there.']],
  ['I live in Palo Alto, CA. My dog is Rex.', ['I live in Palo Alto, CA.', 'My dog is Rex.']],
  ['Es sind ca. 5 km. Ich gehe zu Fuß.', ['Es sind ca. 5 km.', 'Ich gehe zu Fuß.']],
  ['I work at Acme Inc. and like it. You?', ['I work at Acme Inc. and like it.', 'You?']],
  ['42. And I live in Rome.', ['42.', 'And I live in Rome.']],
  ['Steps:\n1. Buy milk.\n2. Call Bo.', ['Steps:', '1. Buy milk.', '2. Call Bo.']],
  ['好的！我住在罗马。你呢？', ['好的！', '我住在罗马。', '你呢？']],
])('LANG-2: %j', (text, sentences) => {
  expect(trimmed(text)).toEqual(sentences);
});

it('LANG-2: a number alone stays a sentence for the rules', () => {
  expect(sentencesOf('42. And I live in Rome.')).toEqual(['42.', 'And I live in Rome.']);
});

it('LANG-3: a quotation is split, but not for the rules', () => {
  const text = 'She said "No. Never." Then she left.';
  expect(trimmed(text)).toEqual(['She said "No.', 'Never."', 'Then she left.']);
  expect(sentencesOf(text)).toEqual(['She said "No. Never."', 'Then she left.']);
});

it('LANG-4: words are folded', () => {
  expect(fold('ＣＡＦÉ Straße it’s مُحَمَّد שָׁלוֹם')).toBe("cafe strasse it's محمد שלום");
  expect(fold('日本語 カタカナ ガ')).toBe('日本語 カタカナ ガ');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

it('LANG-5: folding in place keeps positions', () => {
  expect(foldInPlace('ÉCOLE d’été')).toBe("ecole d'ete");
  fc.assert(
    fc.property(texts, (text) => {
      expect(foldInPlace(text)).toHaveLength(text.length);
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../../src/language/sentences.ts';
import { analyze } from '../../../src/language/terms.ts';
import { languageOf, withoutFunctionWords } from '../../../src/language/text-language.ts';

describe('language of a text', () => {
  it.each([
    ['en', 'What did I tell you about the boat?'],
    ['de', 'Wann ist der Termin bei meiner Ärztin?'],
    ['es', '¿Cuándo es la fiesta de mi hermana?'],
    ['fr', "Où est-ce que j'ai rangé les clés ?"],
    ['pt', 'Onde eu moro e com quem?'],
    ['it', 'Dove abito e con chi?'],
    ['nl', 'Waar woont mijn zus en hoe heet zij?'],
    [undefined, 'Anna met Tom.'],
    ['en', '[10:02] Per: Hi!\n[10:03] Anna: I live in Rome.\n[10:04] Per: Oh!'],
  ])('LANG-7: %s is the language of: %s', (language, text) => {
    expect(languageOf(analyze(text))).toBe(language);
  });

  it('LANG-7: a question without its function words keeps its other words', () => {
    expect(withoutFunctionWords(analyze('Quelle est la capitale du Pérou ?'))).toEqual(
      analyze('capitale Pérou'),
    );
    expect(withoutFunctionWords(analyze('Who are we?'))).toEqual(analyze('Who are we?'));
  });

  it.each([
    ['Der Termin ist am 12. September. Bitte merken.', 2],
    ['Er wohnt im 3. Stock.', 1],
    ['Das war der 2. Versuch.', 1],
    ['Vom 3. bis 5. Mai bin ich weg. Danach nicht.', 2],
    ['I am 12. My brother is 9.', 2],
    ['The answer is 42. Then we left.', 2],
  ])('LANG-8: the full stop of an ordinal ends no sentence: %s', (text, count) => {
    expect(splitSentences(text)).toHaveLength(count);
  });
});

import { describe, expect, it } from 'vitest';
import { withOwnPronoun, withVerbPronouns } from '../../../src/language/acts/own-pronouns.ts';
import { isPersonal } from '../../../src/language/question-features.ts';

// cspell:disable
const OWN: Readonly<Record<string, readonly string[]>> = {
  Spanish: ['dejé el coro', 'ayer vendí la bici', 'al final me quedé en casa', 'aprendí a nadar de mayor'],
  Portuguese: ['comecei um curso', 'tô sem carro', 'saí do coral'],
  Chinese: ['刚搬到长沙', '养了一只鹦鹉', '不太能喝酒', '决定明年考研', '上個月換工作了', '不吃香菜'],
  Japanese: ['先月、名古屋に引っ越した', '猫を二匹飼ってます', '来年結婚する予定', '辛いものは食べられない'],
};
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  French: ['Explique-moi la théorie de la relativité', 'santé publique'],
  Spanish: [
    'el café está frío',
    '¿qué es el té?',
    'aquí llovió ayer',
    'José vive en Lima',
    'j’ai mangé une pomme',
  ],
  Portuguese: ['o rei é velho', 'a Polizei fica ali', 'die Polizei ist da', 'i miei amici'],
  Chinese: ['他搬到长沙了', '你说过了', '把这段话改短', '西瓜怎么挑', '再写一遍', '什么是光合作用'],
  Japanese: ['彼は引っ越した', 'あなたは何が好き', 'レシピを教えて', '敬語とは', '短く書いてください'],
};

describe.each(Object.keys(OF_OTHERS))('in %s', (language) => {
  it.each(OWN[language] ?? [])('LANG-9: "%s" is said of the speaker', (text) => {
    expect(withOwnPronoun(text)).not.toBe(text);
    expect(isPersonal(text)).toBe(true);
  });

  it.each(OF_OTHERS[language] ?? [])('LANG-9: "%s" is not', (text) => {
    expect(withOwnPronoun(text)).toBe(text);
  });
});

it.each([
  ['¿cuándo entrego el trabajo?', true],
  ['¿a qué hora salgo?', true],
  ['¿dónde lo compro?', true],
  ['¿qué me pongo?', true],
  ['¿cuándo llegó Colón a América?', false],
  ['¿cuándo vino el Papa?', false],
  ['¿qué le dijo Sancho?', false],
  ['¿cómo limpio un horno?', false],
])('LANG-9: whether "%s" asks of the speaker: %s', (question, isOwn) => {
  expect(withVerbPronouns(question) !== question).toBe(isOwn);
});
// cspell:enable

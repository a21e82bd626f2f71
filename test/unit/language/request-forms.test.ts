import { describe, expect, it } from 'vitest';
import { hasRequestForm } from '../../../src/language/acts/request-forms.ts';

// cspell:disable
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  German: [
    'Rezept für Kartoffelsuppe',
    'gib mir fünf Spiele für Gruppen',
    'in welchem Jahr starb Mozart',
    'bitte diesen Satz korrigieren',
    'ist die Tomate Obst oder Gemüse',
    'was kostet ein Kilo Gold',
  ],
  French: [
    'recette de soupe à l’oignon',
    'donne-moi cinq jeux de groupe',
    'dans quel pays est Tombouctou',
    'la tomate est-elle un fruit',
    'corrige cette phrase',
    'combien pèse une baleine bleue',
  ],
  Spanish: [
    'receta de sopa de cebolla',
    'dame cinco juegos de grupo',
    'en qué país está Tombuctú',
    'el tomate es fruta o verdura',
    'con qué frecuencia regar un cactus',
    'la montaña más alta del mundo',
    'cuéntame un chiste',
    'búscame tres sinónimos de alegre',
  ],
  Portuguese: [
    'diferença entre crocodilo e jacaré',
    'faça uma carta de demissão',
    'em que país fica Timbuktu',
    'tomate é fruta ou legume',
    'quanto pesa uma baleia azul',
    'me explica a fotossíntese',
  ],
  Italian: [
    'riassunto della fotosintesi',
    'dammi cinque giochi di gruppo',
    'in quale paese si trova Timbuctù',
    'consigli per imparare l’inglese',
  ],
  Dutch: ['geef me vijf spelletjes', 'maak een rijmpje over sneeuw'],
  Chinese: [
    '给我说个谜语',
    '用一句话解释重力',
    '再简单一点',
    '把這句話翻譯成英文',
    '番茄是水果还是蔬菜',
    '推荐三本科幻小说',
    '面包发酵需要多长时间',
    'Python 怎么读取 csv 文件',
    '光合作用的步骤',
  ],
  Japanese: [
    'カレーの作り方',
    '秋についての俳句を書いて',
    'トマトは果物か野菜か',
    '光合成の流れを説明してください',
    'りんごの英語は',
    '空が青い理由',
  ],
};

/** What people tell of themselves without a word for "I". */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  German: [
    'suche Wohnung in Köln',
    'finde Rosenkohl furchtbar',
    'mache Diät seit Montag',
    'bitte nie Koriander',
  ],
  French: [
    'fais du yoga tous les jours',
    'corrige des copies tout le week-end',
    'cherche un appart à Nantes',
  ],
  Spanish: [
    'busca piso en Sevilla',
    'la receta de la abuela se perdió',
    'que mi hija no come huevo',
    'llámame Pepe',
  ],
  Dutch: ['geen vlees voor mij', 'net verhuisd'],
  Portuguese: ['faço yoga todo dia', 'de dieta desde segunda', 'o pequeno está com febre'],
  Italian: ['cerca casa a Torino', 'che mia figlia non mangia uova', 'sei mesi senza fumare'],
  Chinese: ['搬到杭州了', '膝盖又疼了', '我还是喜欢喝茶', '没多久就辞职了', '怎么也睡不着', '多少有点累'],
  Japanese: ['今日は残業で十時まで', '海老アレルギー', '娘が小学校に入りました', '夫は月末まで出張'],
};
// cspell:enable

it.each([
  'qualified as a pilot last week',
  'a quality saddle arrived today',
  'was tired after the gig',
  'list of chores is done',
])('REC-103: in English, "%s" has not: its words only look like those of other languages', (text) => {
  expect(hasRequestForm(text)).toBe(false);
});

describe.each(Object.keys(REQUESTS))('in %s', (language) => {
  it.each(REQUESTS[language] ?? [])('REC-103: "%s" has the form of a request', (text) => {
    expect(hasRequestForm(text)).toBe(true);
  });

  it.each(TOLD[language] ?? [])('REC-103: "%s" has not', (text) => {
    expect(hasRequestForm(text)).toBe(false);
  });
});

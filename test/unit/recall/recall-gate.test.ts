import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GATE_WEIGHTS,
  gateThresholds,
  LITTLE,
  LOST_SHARES,
  scoreQuestion,
  type GateDecision,
} from '../../../src/recall/gate/score-question.ts';
import { memoryEvidence } from '../../../src/recall/gate/memory-evidence.ts';
import { readText } from '../../../src/language/read-text.ts';
import { questionFeatures, foldQuestion, takeOutFrame } from '../../../src/language/question-features.ts';
import record from '../../fixtures/data/judgement-weights.json' with { type: 'json' };

const NOTHING = {
  statementCoverage: 0,
  messageCoverage: 0,
  statedWords: 0,
  hasKnownName: 0,
  namesSpeaker: 0,
};
const EVERYTHING = { ...NOTHING, statementCoverage: 1, messageCoverage: 1, statedWords: 1, hasKnownName: 1 };

function decide(question: string, evidence = NOTHING, minRelevance?: number): GateDecision {
  const options = minRelevance === undefined ? {} : { minRelevance };
  return scoreQuestion({ ...questionFeatures(question), ...evidence }, options).decision;
}

const inner = (question: string): string => takeOutFrame(foldQuestion(question));

const GENERAL = [
  'What is the capital of Mongolia?',
  'Wie hoch ist der Mont Blanc?',
  '¿Cuántos planetas hay en el sistema solar?',
  'Quelle est la capitale du Canada ?',
  'Qual é a capital do Japão?',
  '法国的首都是哪里？',
  'フランスの首都は？',
];
const PERSONAL = [
  'What should I cook tonight?',
  'Was soll ich heute kochen?',
  '¿Qué cocino hoy para mi hermana?',
  "Qu'est-ce que je cuisine ce soir pour ma sœur ?",
  'O que eu cozinho hoje para minha irmã?',
  '我今天晚上吃什么？',
  '私の次の予約はいつ？',
];

describe('the gate', () => {
  it('GATE-1: a general question that memory knows nothing about recalls nothing, in seven languages', () => {
    for (const question of [...GENERAL, '给我同义词：快', '告诉我老子是谁'])
      expect([question, decide(question)]).toEqual([question, 'quiet']);
  });

  it.each(['boats', 'zebra?', 'weather in Lisbon'])(
    'GATE-38: "%s" is looked up where a message says it',
    (words) => {
      const said = { ...NOTHING, messageCoverage: 1 };
      expect(decide(words, said)).toBe('little');
      expect(decide(words, { ...said, messageCoverage: 0.9 })).toBe('quiet');
      expect(decide(words, said, 0.8)).toBe('quiet');
    },
  );

  it('GATE-38: a general question of few words is not looked up', () => {
    expect(decide('capital of Mongolia', { ...NOTHING, messageCoverage: 1 })).toBe('quiet');
  });

  it('GATE-2: a question of the user about themselves recalls, in seven languages', () => {
    for (const question of [...PERSONAL, 'What did you show me in bold?', '给我的狗买什么玩具？']) {
      expect([question, decide(question)]).not.toEqual([question, 'quiet']);
    }
  });

  // cspell:disable
  it.each([
    '¿sigo en el coro?',
    '¿cuándo viajamos a Lima?',
    '¿A qué hora salgo los martes?',
    'recomiéndame un libro',
    'sugiéreme una cena',
    'ainda faço natação?',
    'quando a gente viaja?',
    'faccio ancora yoga?',
    'consigliami un film',
    '家里买什么植物好？',
    '我家的猫几岁了',
    '犬の名前なんだっけ？',
    '温泉に行きたい',
    'come si chiama mia zia?',
    'che regalo scelgo?',
  ])('GATE-34: "%s" is as personal as with a pronoun', (question) => {
    expect(questionFeatures(question).isPersonal).toBe(1);
  });

  it.each([
    '¿cómo puedo quitar una mancha?',
    '¿cuándo llegó Colón a América?',
    'dame cinco sinónimos de alegre',
    '¿cuántos gramos tiene una libra?',
    'come posso pulire un forno?',
    'como posso limpar um forno?',
    'hoe maak ik een back-up?',
    '冷たい飲み物の種類は？',
    '¿me explicas qué es un átomo?',
    'mi spieghi la fotosintesi?',
  ])('GATE-34: "%s" is not personal', (question) => {
    expect(questionFeatures(question).isPersonal).toBe(0);
  });

  it.each([
    ['晚上吃什么好？', 'asksAdvice'],
    ['該點什麼？', 'asksAdvice'],
    ['明日は何を着たらいい？', 'asksAdvice'],
    ['还在打工吗？', 'isTimed'],
    ['女兒什麼時候回來？', 'isTimed'],
    ['まだ泳いでる？', 'isTimed'],
    ['女儿的生日是哪天？', 'isOfKin'],
    ['妻の誕生日は？', 'isOfKin'],
    ['chi è Marta?', 'asksWho'],
    ['wie is Marta?', 'asksWho'],
  ] as const)('GATE-35: "%s" is known by its words: %s', (question, feature) => {
    expect(questionFeatures(question)[feature]).toBe(1);
  });

  it.each([
    ['把这句话改得正式一点：我明天不来了', 0],
    ['traduce al inglés: mañana no puedo ir, estoy mala', 0],
    ['corrige mi carta: tengo ganas de trabajar', 1],
  ])('GATE-36: the text behind the colon does not make "%s" personal', (question, isPersonal) => {
    expect(questionFeatures(question).isPersonal).toBe(isPersonal);
  });

  it.each([
    ['¿cuántos litros tiene un galón?', 1],
    ['¿cuántos primos tengo?', 0],
    ['quantos primos eu tenho?', 0],
    ['地球到月亮多远？', 1],
    ['我的房租是多少？', 0],
    ['¿cuándo murió Cervantes?', 1],
  ])('GATE-37: whether "%s" asks for an amount or date of general knowledge: %s', (question, isGeneral) => {
    expect(questionFeatures(question).isGeneral).toBe(isGeneral);
  });

  it.each(['鲁迅的儿子叫什么？', '母亲节是哪一天', '英語の母音は？', '织女是谁的妻子'])(
    'GATE-35: "%s" is not about kin of the user',
    (question) => {
      expect(questionFeatures(question).isOfKin).toBe(0);
    },
  );
  // cspell:enable

  it('GATE-3: an opening clause that only announces a question is removed', () => {
    for (const frame of [
      'Quick question: ',
      'My neighbor wants to know: ',
      'Something for an exam tomorrow, ',
      'hey, i was just wondering, ',
      'Eine kurze Frage für die Schule: ',
      'Mi hija me preguntó: ',
    ]) {
      expect(inner(`${frame}how deep is the sea?`)).toBe('how deep is the sea?');
    }
  });

  it('GATE-4: an opening clause that says something else, or that no question follows, is kept', () => {
    for (const question of [
      "for my sister's wedding, which gift?",
      'i live in leeds: which bus?',
      'a question?',
    ]) {
      expect(inner(question)).toBe(question);
    }
  });

  it('GATE-5: a personal opening clause does not make a general question personal', () => {
    for (const question of GENERAL.slice(0, 1)) {
      for (const frame of ['Can you tell me ', 'My aunt keeps asking: ', 'I want to know ']) {
        expect([frame, decide(frame + question)]).toEqual([frame, 'quiet']);
      }
    }
  });

  it('GATE-6: what memory states outweighs the form of the question', () => {
    expect(decide('How many plates?')).toBe('quiet');
    expect(decide('How many plates?', EVERYTHING)).toBe('full');
  });

  it('GATE-7: coverage weighs words by rarity, over what a message and its neighbors state', () => {
    const rarity = (term: string): number => (term === 'cello' ? 3 : 1);
    const places = {
      rarity,
      stated: [new Set(['cello']), new Set(['choir']), new Set<string>(), new Set(['lesson'])],
      found: [new Set(['lesson'])],
      names: new Set(['ana']),
      speakers: new Set(['bo']),
    };
    const terms = new Set(['cello', 'choir', 'lesson', 'unknown']);
    expect(memoryEvidence(terms, places)).toEqual({
      statementCoverage: 4 / 6,
      messageCoverage: 1 / 6,
      statedWords: 5 / 6,
      hasKnownName: 0,
      namesSpeaker: 0,
    });
    expect(memoryEvidence(new Set(['ana']), places).hasKnownName).toBe(1);
    expect(memoryEvidence(new Set(['bo']), places)).toMatchObject({ hasKnownName: 1, namesSpeaker: 1 });
    expect(memoryEvidence(new Set(), places)).toEqual(NOTHING);
    // Who has taken part is asked about as the user is.
    expect(decide('When did Bo move?', { ...NOTHING, hasKnownName: 1, namesSpeaker: 1 })).toBe('full');
  });

  it('GATE-8: minRelevance 0 turns the gate off, and higher values let fewer questions through', () => {
    expect(decide(GENERAL[0] ?? '', NOTHING, 0)).toBe('full');
    const relevance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(relevance, relevance, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const [quiet, full] = gateThresholds(low);
        expect(quiet).toBeLessThanOrEqual(full);
        expect(gateThresholds(high)[0]).toBeGreaterThanOrEqual(quiet);
        expect(gateThresholds(high)[1]).toBeGreaterThanOrEqual(full);
      }),
    );
  });

  it('GATE-9: every question has a score from 0 to 1 whose parts add up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (question) => {
        const { score, why } = scoreQuestion({ ...questionFeatures(question), ...NOTHING });
        const sum = Object.values(why).reduce((all, part) => all + part, GATE_WEIGHTS.bias);
        expect(score).toBeCloseTo(1 / (1 + Math.exp(-sum)), 9);
      }),
    );
  });

  it('GATE-10: when unsure, at most four turns with 200 tokens in total are recalled', () => {
    const [quiet, full] = gateThresholds(0.5);
    const at = (score: number): GateDecision => {
      const weights = { ...GATE_WEIGHTS, bias: Math.log(score / (1 - score)), features: {} };
      return scoreQuestion({ ...questionFeatures('x'), ...NOTHING }, { weights }).decision;
    };
    expect([at(quiet - 0.01), at((quiet + full) / 2), at(full + 0.01)]).toEqual(['quiet', 'little', 'full']);
    expect(LITTLE).toEqual({ turns: 4, tokens: 200 });
  });

  it.each([
    'May Grandpa have grapefruit?',
    'How tall is she now?',
    'A birthday idea for the kids?',
    'lunch for mum and Bob',
    'Was darf Oma essen?',
    'Kann er schwimmen?',
    'Comment va papa ?',
    'Un regalo para el abuelo?',
    'Que mange maman le soir ?',
    'A table for eight, with family',
  ])('GATE-32: "%s" is about somebody whom only the user can mean', (question) => {
    expect(questionFeatures(question).isOfKin).toBe(1);
  });

  it.each([
    "Who was Napoleon's wife?",
    'Did Rembrandt paint his wife?',
    'Who was the mother of Julius Caesar?',
    "When is Mother's Day in Spain?",
    'How much does a father earn in Sweden on leave?',
    'At what age do children lose their teeth?',
    'How do they make glass?',
    'Ideas for a family picnic',
    'Write a bedtime story for kids',
    'What is a mother tongue?',
    '¿Qué ver en Gran Canaria?',
    '¿Quién es el papa?',
    'How do daughter cells form?',
  ])('GATE-32: "%s" is not', (question) => {
    expect(questionFeatures(question).isOfKin).toBe(0);
  });

  it.each([
    ['小王是谁？', ['小王']],
    ['我女儿几岁了？', ['女儿']],
    ['什么时候去上海？', ['去上', '上海']],
    ['書道は何曜日？', ['書道']],
    ['犬の名前は何ですか', ['名前']],
    ['コーラは飲める？', ['コー', 'ーラ']],
    ['りんごはすき？', ['りん', 'んご', 'ごは', 'はす', 'すき']],
    ['Who is 小王?', ['小王']],
  ])('GATE-33: of "%s", only content words are looked up', (question, terms) => {
    expect([...readText(question).askedTerms]).toEqual(terms);
  });

  it.each([
    'What torque did you give for the stem bolts?',
    'Which desk had you suggested?',
    'You told me a trick for the lid, which one?',
    'How loud was it in that comparison of yours?',
    'What was in your last plan?',
    'Welches Öl hast du für die Kette empfohlen?',
    '¿Qué maceta recomendaste?',
    'Quel vin tu as conseillé ?',
    'O que você disse do molho?',
    'Che vino hai consigliato?',
    '你上次推荐的书是哪本？',
    'この前教えてくれた店は？',
  ])('REC-88: "%s" asks for what the assistant said', (question) => {
    expect(questionFeatures(question)).toMatchObject({ isPersonal: 1, isGeneral: 0 });
  });

  it.each([
    'What is your recommendation for a cheap laptop?',
    'What happens if you told a lie under oath?',
    'What do you suggest for dinner?',
    'How do you list files in a folder?',
    'When you mentioned someone on Slack, how do they see it?',
    'Was empfiehlst du gegen Kalk?',
    '你推荐什么电影？',
    '你说这个怎么样？',
  ])('REC-88: "%s" asks for something new', (question) => {
    expect(questionFeatures(question).isPersonal).toBe(0);
  });

  it('GATE-12: the weights of the gate are the fitted ones', () => {
    expect(GATE_WEIGHTS).toEqual(record.gate.table);
    expect(GATE_WEIGHTS.thresholds).toHaveLength(LOST_SHARES.length);
  });
});

import { wordPattern } from '../../../src/language/words/life-words.ts';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KnowledgeDraft } from '../../../src/learning/knowledge-draft.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import { isEnding } from '../../../src/learning/claims/endings.ts';
import { claimsOfTurn, keepClaims, readClaims } from '../../../src/learning/claims/learn-claims.ts';
import { markClaims } from '../../../src/learning/claims/mark-claims.ts';
import { splitClauses } from '../../../src/language/clauses.ts';
import { statementKinds, statementTopic } from '../../../src/language/matters.ts';
import { CLAIM_WEIGHTS } from '../../../src/learning/claims/claim-weights.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import record from '../../fixtures/data/judgement-weights.json' with { type: 'json' };

afterEach(() => {
  vi.restoreAllMocks();
});

const clauses = (text: string): string[] => splitClauses(text).map((clause) => clause.text);
const marked = (text: string): string[] =>
  markClaims(text, { threshold: CLAIM_WEIGHTS.confident }).map((each) => each.text);

/** Learns from messages with these texts, each in a turn of its own, and returns their claims. */
async function learnt(texts: readonly string[]): Promise<ClaimRow[]> {
  const turns = texts.map((content, at): StoredMessage[] => [
    {
      ...{ id: `m${at}`, sessionId: 's', scope: 'user', turnId: `t${at}`, state: 'complete' },
      ...{ createdAt: at, seq: at, turn: at, role: 'user', content },
    },
  ]);
  const draft = new KnowledgeDraft(new KnowledgeRows('user'));
  await keepClaims(
    draft,
    { tombstones: () => Promise.resolve([]) },
    await readClaims({ turns, context: [] }),
  );
  return draft.claims();
}

/** The claims that have ended by their text; each text is a message of its own. */
async function ended(...texts: string[]): Promise<string[]> {
  return (await learnt(texts)).flatMap(({ text, endedBy }) => (endedBy === undefined ? [] : text));
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'I ',
        'my dog ',
        'and she ',
        'lol ',
        'btw, ',
        '. ',
        '! ',
        '\n',
        ', ',
        '🙂 ',
        'Dr. ',
        '我住在柏林。',
      ),
      fc.string(),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('clauses', () => {
  it('STMT-1: a text is split at sentence ends, line breaks, emoji and fillers, and long clauses before a new subject', () => {
    expect(clauses('We moved in March. It rains!\nNew line 🎉 party lol my sister sings btw')).toEqual([
      'We moved in March.',
      'It rains!',
      'New line',
      'party',
      'my sister sings',
    ]);
    expect(
      clauses(
        'i have been a postman in the same small town for twenty years and my brother runs the bakery next to the church',
      ),
    ).toEqual([
      'i have been a postman in the same small town for twenty years',
      'and my brother runs the bakery next to the church',
    ]);
    expect(clauses('Dr. Sato lives at 3.5 km')).toEqual(['Dr. Sato lives at 3.5 km']);
    expect(clauses('我住在柏林。我有两只猫。')).toEqual(['我住在柏林。', '我有两只猫。']);
  });

  it('STMT-2: each clause is in the text at its position, in order and without overlap', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const clause of splitClauses(text)) {
          expect(text.slice(clause.start, clause.end)).toBe(clause.text);
          expect(clause.text.trim()).not.toBe('');
          expect(clause.start).toBeGreaterThanOrEqual(end);
          ({ end } = clause);
        }
      }),
    );
  });
});

describe('marked statements', () => {
  it('STMT-3: what users say about themselves is marked verbatim, and questions are not', () => {
    const told = 'I am a nurse in Leeds and I am allergic to peanuts.';
    expect(marked(`Hi there! ${told} What is the boiling point of water?`)).toEqual([told]);
    for (const asked of [
      'how do I boil an egg',
      'translate this into Spanish: my sister Ana works as a nurse in Leeds',
      'write a short story about a dentist who hates Mondays',
      'what does this mean: "I have been allergic to peanuts since March"',
    ]) {
      expect(marked(asked)).toEqual([]);
    }
  });

  it('STMT-4: statements are marked in other languages too', () => {
    for (const told of [
      'Ich arbeite seit März als Krankenpfleger in Leipzig.',
      'Soy alérgica a los cacahuetes y vivo en Sevilla.',
      "J'habite à Lyon avec ma fille Zoé et notre chien.",
      '我对花生过敏，住在杭州。',
    ]) {
      expect(marked(told).join(' ')).not.toBe('');
    }
  });

  // cspell:disable
  it.each([
    [
      'Mi primo Julio se muda a Vigo el 3 de marzo, ¿qué le regalo?',
      'Mi primo Julio se muda a Vigo el 3 de marzo',
    ],
    ['meu irmão chega no dia 5 de maio, o que eu cozinho?', 'meu irmão chega no dia 5 de maio'],
    ['mia sorella arriva il 5 maggio, che cosa cucino?', 'mia sorella arriva il 5 maggio'],
    ['mijn broer komt op 5 mei, wat kook ik?', 'mijn broer komt op 5 mei'],
    ['我哥五月五号结婚，送什么好？', '我哥五月五号结婚'],
    ['兄が5月5日に結婚します、何を贈ればいいですか？', '兄が5月5日に結婚します'],
  ])('STMT-18: what is stated in front of a question is a statement: %s', (message, statement) => {
    expect(markClaims(message).map(({ text }) => text)).toContain(statement);
  });

  it('STMT-19: what follows the Chinese colon of a request is a text to work on', () => {
    expect(marked('把这段话翻译成英文：我对花生过敏，住在杭州。')).toEqual([]);
  });

  it.each([
    'mio suocero vive con noi da aprile',
    'onze kat heet Flip',
    'we zijn in mei verhuisd',
    '養了一隻貓，叫布丁',
    '上周辞职了',
    '妻と娘がいます',
    '先月バイトを辞めた',
  ])('STMT-20: "%s" is a statement', (told) => {
    expect(markClaims(told)).not.toEqual([]);
  });

  it.each([
    'Me despidieron en mayo',
    'Rompimos hace un mes',
    'troquei de emprego em maio',
    'ho lasciato la palestra',
    'we zijn uit elkaar',
    '公司不去了，退出了',
    '婚礼改到八月了',
    '結婚式は延期になった',
  ])('PROF-16: "%s" tells of a change', (told) => {
    expect(markClaims(told, { threshold: 0 }).some((claim) => claim.isEnding)).toBe(true);
  });

  it('PROF-16: that one has nobody or nothing of some kind is no limit', () => {
    expect(markClaims('no tengo tiempo para nada', { threshold: 0 })[0]?.kinds).not.toContain('limit');
    expect(markClaims('no tengo coche', { threshold: 0 })[0]?.kinds).toContain('limit');
  });

  it('STMT-5: in scripts without spaces, two characters count as a word', () => {
    const before = '还需要修改吗？';
    expect(markClaims('我对花生过敏，住在杭州', { before })[0]?.question).toBeUndefined();
    expect(markClaims('小龙虾', { before, threshold: 0 })[0]?.question).toBe(before);
  });
  // cspell:enable

  it('STMT-5: an answer of up to three words is stored with its question', () => {
    const [answer] = markClaims('Rosa.', { before: 'Lovely! What is your sister called?', threshold: 0 });
    expect(answer).toMatchObject({ text: 'Rosa.', question: 'What is your sister called?', topic: 'sister' });
    const [longer] = markClaims('She is called Rosa Maria.', {
      before: 'What is her name?',
      threshold: 0,
    });
    expect(longer?.question).toBeUndefined();
  });

  it('STMT-6: pasted text is not marked and does not shift positions', () => {
    const text = '> I am allergic to peanuts and live in Leeds.\n\nI am allergic to kiwis and live in York.';
    const [statement, ...others] = markClaims(text);
    expect(others).toEqual([]);
    expect(statement && text.slice(statement.start, statement.end)).toBe(
      'I am allergic to kiwis and live in York.',
    );
  });

  it('STMT-7: any text is marked without an error, alike each time, with a score from 0 to 1 and a kind', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, before) => {
        const statements = markClaims(text, { before, threshold: 0 });
        expect(markClaims(text, { before, threshold: 0 })).toEqual(statements);
        for (const { start, end, score, kinds, ...statement } of statements) {
          expect(text.slice(start, end)).toBe(statement.text);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThan(1);
          expect(kinds.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it.each([
    'Could you call me Bo?',
    'please always use metric units',
    'From now on, answer in one sentence.',
    'when I ask for recipes, just give me the list, no stories',
    'stop apologizing all the time',
    'you can be blunt',
    'Bitte immer zuerst das Ergebnis.',
    'du kannst mich ruhig duzen, nenn mich Bo',
    'A partir de ahora responde en dos líneas.',
    'tu peux me tutoyer, appelle-moi Bo',
    'a partir de agora responda em inglês',
    '以后请简短回答',
    'これからは短く答えてください',
    "don't suggest me pork",
    'never show me spoilers',
    'In everything you cook for us, no nuts please.',
    'Style: never exclamation marks.',
    'schick mir keine Sprachnachrichten',
    'ne me propose jamais de porc',
    'no me recomiendes carne',
  ])('STMT-9: a request for every answer is a statement about style: %s', (text) => {
    const kinds = markClaims(text).flatMap((statement) => statement.kinds);
    expect(kinds).toContain('answering-style');
  });

  it.each([
    'Could you call a plumber for me in Spanish?',
    'Please write a poem about a knight who never gives up.',
    'How do I stop worrying?',
    'Kannst du mir das übersetzen?',
    'Explain photosynthesis in one sentence.',
    'They will call me back tomorrow.',
    "don't send me the file yet",
    "don't tell me that you lost it",
    'do not write me off',
    'What format: pdf or docx?',
    'Write an apology to a client. Tone: friendly.',
  ])('STMT-10: a request for one answer is not a statement: %s', (text) => {
    const kinds = markClaims(text).flatMap((statement) => statement.kinds);
    expect(kinds).not.toContain('answering-style');
  });

  it('STMT-8: the kinds and topic of a statement follow from what it is about', () => {
    expect(statementKinds('please keep answers short and no emojis')).toContain('answering-style');
    expect(statementKinds('my name is Tove')).toContain('name');
    expect(statementKinds('we moved to Bergen in May')).toContain('home');
    expect(statementKinds('I work at a bank')).toContain('work');
    expect(statementKinds("I'm on insulin since June")).toContain('health');
    expect(statementKinds("I don't have a car")).toContain('limit');
    expect(statementKinds('The sky is blue')).toEqual(['other']);
    expect(statementTopic('my sister Ana sings')).toBe(statementTopic('my sister has moved'));
    expect(statementTopic('I live in Oslo')).toBe('home');
  });

  it('STMT-11: the weights of statements are the fitted ones', () => {
    expect(CLAIM_WEIGHTS).toEqual(record.statements.table);
  });
});

describe('endings', () => {
  it('STMT-12: an ending ends the statements it is about and no others', async () => {
    expect(await ended('my girlfriend Ida is a vet', 'I sing in a choir', 'Ida and I broke up')).toEqual([
      'my girlfriend Ida is a vet',
    ]);
    expect(await ended('I work at a bank', 'I live in Porto', 'i quit my job')).toEqual(['I work at a bank']);
    expect(await ended('I live in Porto', 'I work at a bank', 'we moved to Faro')).toEqual([
      'I live in Porto',
    ]);
    expect(await ended("I'm vegan", "I'm not vegan anymore")).toEqual(["I'm vegan"]);
    expect(await ended('I play the cello', 'I used to play the cello')).toEqual(['I play the cello']);
    expect(await ended('yoga is on Mondays', 'yoga is on Fridays now')).toEqual(['yoga is on Mondays']);
    expect(await ended('I sing in a choir', 'my dog is called Bo', 'scratch that')).toEqual([
      'my dog is called Bo',
    ]);
    expect(await ended('my sister Ana is a vet', 'my sister Ana sings now in a choir')).toEqual([]);
  });

  it('STMT-13: a statement is ended at most once, by a later one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText), async (texts) => {
        const claims = new Map((await learnt(texts)).map((claim) => [claim.id, claim]));
        for (const { seq, endedBy } of claims.values()) {
          if (endedBy !== undefined) expect(claims.get(endedBy)?.seq).toBeGreaterThan(seq);
        }
      }),
    );
  });

  it('STMT-14: whether a statement ends something follows from it alone', () => {
    expect(isEnding('we broke up')).toBe(true);
    expect(isEnding('scratch that')).toBe(true);
    expect(isEnding('my sister sings')).toBe(false);
  });
});

describe('clauses whose subject is left out', () => {
  const kept = (text: string): string[] => markClaims(text).map((each) => each.text);

  it('STMT-17: a clause that goes on about the person of the claim before is kept, and a question is not', () => {
    expect(kept("My cousin Noor left the bank. She's going to be a lifeguard.")).toContain(
      "She's going to be a lifeguard.",
    );
    expect(kept("The lamp is broken. She's going to be a lifeguard.")).toEqual([]);
    expect(kept('My cousin Noor left the bank. Is she going to be a lifeguard?')).toHaveLength(1);
  });

  it('STMT-21: no verb that says I is looked for in letters without a bound', () => {
    expect(wordPattern('{iVerb}').source).not.toMatch(/\\p\{L\}|[*+]|\{\d+,\}/u);
  });

  it('STMT-17: verbs say I by their form, and what stands behind the colon of a request is the own', () => {
    expect(kept('Trabajo en una imprenta.')).toEqual(['Trabajo en una imprenta.']);
    expect(kept('El trabajo en equipo es importante.')).toEqual([]);
    expect(kept('Trabalho na padaria.')).toEqual(['Trabalho na padaria.']);
    expect(kept('help me plan my week: i study law in the morning and work at a kiosk at night')).toContain(
      'and work at a kiosk at night',
    );
    expect(kept('write a card for my sister, friendly and short')).not.toContain('friendly and short');
    expect(kept('write a slogan: catchy, work at it, no puns')).toEqual([]);
  });

  it.each([
    ['I run 5 km every morning', 'now I run 10!', ['run 5 km']],
    ['max 8 km cycling a day, my knee is bad', 'i can cycle 20 easily now', ['max 8 km']],
    ['I can lift 40 kg', "I'm 40 now and lift weights", []],
    ['I drink 2 liters of water a day', 'now I drink 3 coffees', []],
    ['I sleep 7 hours', 'I only wish I could now sleep 9', []],
    ['I run 5 km a day', 'now I run 10 errands', []],
    ['my team has 6 engineers', 'now my team has 8 engineers', ['my team has 6 engineers']],
    ['our budget is 6500 euro, flights are booked', 'change: flights rebooked, cost 180', []],
  ])('CLM-27: of "%s" and "%s" the number that is replaced ends', async (earlier, later, texts) => {
    const claims = await learnt([earlier, later]);
    const over = claims.filter(({ endedBy }) => endedBy !== undefined);
    expect(over.map(({ text, endedText = text }) => endedText)).toEqual(texts);
  });
});

describe('keepClaims', () => {
  it('STMT-16: many turns are marked with a pause between two, as each is on its own', async () => {
    const turns = ['I live in Porto.', 'How are you?', 'My dog is called Bo.', 'I work at a bank.'].map(
      (content, at): StoredMessage[] => [
        {
          ...{ id: `m${at}`, sessionId: 's', scope: 'user', turnId: `t${at}`, state: 'complete' },
          ...{ createdAt: at, seq: at, turn: at, role: 'user', content },
        },
      ],
    );
    const draft = new KnowledgeDraft(new KnowledgeRows('user'));
    const pauses = vi.spyOn(globalThis, 'MessageChannel');
    await keepClaims(
      draft,
      { tombstones: () => Promise.resolve([]) },
      await readClaims({ turns, context: [] }),
    );
    expect(pauses).toHaveBeenCalledTimes(3);
    const alone = turns.flatMap((turn, at) => claimsOfTurn(turn, turns.slice(0, at)));
    expect(alone).toHaveLength(3);
    expect(draft.claims().map(({ id, text }) => [id, text])).toEqual(alone.map(({ id, text }) => [id, text]));
  });
});

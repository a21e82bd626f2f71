import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usefulUntil } from '../../../src/language/lasting-use.ts';
import { statementKinds, statementTopic } from '../../../src/language/matters.ts';
import {
  chooseProfile,
  type ProfileSources,
  type ProfileClaim,
} from '../../../src/recall/profile/choose-profile.ts';

const countTokens = (text: string): number => text.split(' ').length;
const now = Date.UTC(2026, 0, 10);

function statement(text: string, more: Partial<ProfileClaim> = {}): ProfileClaim {
  return { id: text, text, score: 0.5, topic: text, kinds: ['family'], createdAt: 0, ...more };
}

const told = (sources: ProfileSources, maxTokens = 120): string[] =>
  chooseProfile(sources, { countTokens, now, maxTokens }).map(({ text }) => text);

describe('the profile', () => {
  it('PROF-1: the profile lists pinned facts first, then facts, then statements from oldest to newest', () => {
    expect(
      told({
        pins: [{ id: 'p', text: 'user speaks Danish' }],
        facts: [{ id: 'f', text: 'user has dog Bo' }],
        claims: [statement('I row', { createdAt: 2 }), statement('I sing', { createdAt: 1 })],
      }),
    ).toEqual(['user speaks Danish', 'user has dog Bo', 'I sing', 'I row']);
  });

  it('PROF-2: the most useful lines come first and part of the budget is reserved for constraints', () => {
    const claims = [
      statement('our two three four', { score: 0.9 }),
      statement('my six seven eight', { score: 0.8 }),
      statement('no nuts for me', { score: 0.2, kinds: ['diet'] }),
    ];
    expect(told({ claims }, 15)).toEqual(expect.arrayContaining(['no nuts for me', 'our two three four']));
    expect(told({ claims: claims.slice(0, 2) }, 9)).toEqual(['our two three four']);
  });

  it('PROF-3: each topic lists only its newest statement and nothing that has ended', () => {
    const claims = [
      statement('I live in Porto', { topic: 'home', createdAt: 1, score: 0.9 }),
      statement('I live in Faro', { topic: 'home', createdAt: 2 }),
      statement('I work nights', { endedBy: 'x' }),
    ];
    expect(told({ claims })).toEqual(['I live in Faro']);
  });

  it('PROF-7: a statement that may be outdated, is about a certain hour or about others is left out', () => {
    const work = statement('I work in a hotel', { kinds: ['work'], createdAt: 1 });
    const change = (more: Partial<ProfileClaim>): ProfileClaim =>
      statement('I am at the hotel desk now', { isEnding: true, createdAt: 2, kinds: ['other'], ...more });
    expect(told({ claims: [work] })).toEqual(['I work in a hotel']);
    expect(told({ claims: [work, change({})] })).toEqual([]);
    const atDesk = change({ text: "I'm at the front desk now" });
    expect(told({ claims: [{ ...work, text: 'I clean rooms at the Ritz' }, atDesk] })).toEqual([]);
    const dog = statement('I have a dog', { kinds: ['pet'], createdAt: 1 });
    expect(told({ claims: [dog, atDesk] })).toEqual(['I have a dog']);
    expect(told({ claims: [work, change({ text: 'I left the night shift', topic: work.topic })] })).toEqual(
      [],
    );
    expect(told({ claims: [work, change({ kinds: ['work'] })] })).toEqual(['I am at the hotel desk now']);
    expect(told({ claims: [work, change({ kinds: ['pet'] })] })).toContain('I work in a hotel');
    expect(told({ claims: [work, change({ createdAt: 0 })] })).toEqual(['I work in a hotel']);
    expect(
      told({
        claims: [
          statement("it's 3 am and my son is ill"),
          statement('mi hijo llama a las once'),
          statement('he likes the sea'),
        ],
      }),
    ).toEqual([]);
    // What somebody must not eat is told all the same.
    const diet = statement('I eat no eggs', { kinds: ['diet'], createdAt: 1 });
    expect(told({ claims: [diet, change({})] })).toEqual(['I eat no eggs']);
  });

  it.each([
    'I cancelled Netflix',
    'I stopped watching the news',
    'I gave up the Japanese app',
    'That is over now',
  ])('PROF-7: an ending removes only what it may be about: "%s"', (text) => {
    const lines = [
      'My name is Ada',
      'I live in Ulm with my husband Tom',
      'I work as a nurse',
      'I have a dog',
    ];
    const claims = lines.map((line, at) =>
      statement(line, { kinds: statementKinds(line), topic: statementTopic(line), createdAt: at }),
    );
    const ending = { kinds: statementKinds(text), topic: statementTopic(text), createdAt: 9 };
    expect(told({ claims: [...claims, statement(text, { ...ending, isEnding: true })] })).toEqual(lines);
  });

  it('PROF-11: a line names whom it is about', () => {
    const lines = (texts: readonly string[], kinds: readonly string[]): string[] =>
      told({ claims: texts.map((text, at) => statement(text, { kinds, createdAt: at + 1 })) });
    expect(lines(['his girlfriend is pregnant', 'She had a fall', 'and he snores'], ['health'])).toEqual([]);
    expect(lines(['she moved in with me', 'she feeds my cat Kit', 'Omar is diabetic'], ['health'])).toEqual([
      'she feeds my cat Kit',
      'Omar is diabetic',
    ]);
    expect(lines(['He has lived with me since Easter'], ['family'])).toEqual([]);
    expect(
      lines(
        ["It's a lot with three kids", 'and it makes my kids laugh', 'It was fun for my son'],
        ['family'],
      ),
    ).toEqual([]);
    expect(lines(["It's my son's birthday on 2 May", "It's our cat who snores"], ['family'])).toHaveLength(2);
    expect(lines(['It gives me hives'], ['health'])).toHaveLength(1);
    expect(lines(['My doctor said I am diabetic'], ['health'])).toEqual(['My doctor said I am diabetic']);
    expect(lines(['and hates long answers', "isn't into fish"], ['answering-style', 'diet'])).toEqual([]);
    expect(lines(['Ella has asthma', 'Il cane ha il diabete'], ['health'])).toHaveLength(2);
  });

  it('PROF-13: thanks, notes in brackets and lines about whom the user talks to are left out', () => {
    const lines = (kinds: readonly string[], ...texts: readonly string[]): string[] =>
      told({ claims: texts.map((text, at) => statement(text, { kinds, createdAt: at + 1 })) });
    expect(
      lines(['diet'], 'Your cooking is amazing!', 'Thanks for the vegan recipe', '[photo: a plate of fish]'),
    ).toEqual([]);
    expect(lines(['diet'], 'I eat no fish, you know', 'No fish for my sister')).toHaveLength(2);
    expect(lines(['answering-style'], 'Please keep your answers short')).toHaveLength(1);
    expect(lines(['family'], 'My cousin Ada says', 'My aunt told me:')).toEqual([]);
    expect(lines(['family'], 'My son has two rabbits, as I said')).toHaveLength(1);
    expect(
      lines(['family'], 'old as the hills) told my son so', 'and my aunt Ada says I talk a lot'),
    ).toEqual([]);
    expect(lines(['family'], 'Meine Schwester Lea meint, ich rede viel')).toEqual([]);
    expect(lines(['family'], 'My son (he is 9) has two rabbits', '2) my cat is deaf :)')).toHaveLength(2);
    expect(lines(['health'], 'do you know if I can run with a sore knee')).toEqual([]);
    expect(lines(['work'], 'I think my boss is leaving', 'Creo que mi jefa se va')).toEqual([]);
    expect(
      lines(
        ['health'],
        "I'm so glad your knee is fine",
        'I hope you and your dad get well',
        "it's as if I were deaf",
      ),
    ).toEqual([]);
    expect(lines(['health'], 'I hope your tea helps, I have gout', "I'm glad my knee is fine")).toHaveLength(
      2,
    );
    expect(
      lines(['diet'], "I'll keep that in mind when I eat", 'This photo is of us at a vegan fair'),
    ).toEqual([]);
    expect(lines(['health'], 'I have asthma and it is as if I breathe through a straw')).toHaveLength(1);
    expect(lines(['health'], 'This photo shows my broken arm')).toHaveLength(1);
    expect(lines(['health'], 'My doctor says I have gout', 'I think I am lactose intolerant')).toHaveLength(
      2,
    );
  });

  it.each([
    ["I'll keep that in mind the next time I need a rest", false],
    ['We will write shorter replies next time', false],
    ['Next time keep my bad ear in mind', true],
    ['Please keep it short from now on', true],
    ['Never say never!', false],
    ['Never say "as an AI"', true],
  ])('PROF-13: whether "%s" is a wish for answers is %s', (text, isWish) => {
    expect(statementKinds(text).includes('answering-style')).toBe(isWish);
  });

  it.each(['It is great to see how far we have come', "I'm gonna make my dreams come true!"])(
    'PROF-13: "%s" is not about food',
    (text) => {
      expect(statementKinds(text)).not.toContain('diet');
    },
  );

  it.each([
    ['back on land in Genoa', false],
    ['ill do it myself', false],
    ['even when times are hard, they always have my back', false],
    ['we dance to hip-hop', false],
    ["I've had my back operated", true],
    ['my hip got replaced', true],
    ['my back hurts', true],
    ['I need back surgery', true],
    ['my dad is ill', true],
    ['mi hija es celíaca', true],
    ['estoy enferma', true],
    ['trabajo de enfermera', false],
    ['mon père est aveugle', true],
    ['我家的狗快看不见了', true],
  ])('PROF-11: whether "%s" is about health is %s', (text, isHealth) => {
    expect(statementKinds(text).includes('health')).toBe(isHealth);
  });

  it.each([
    ['Voy a correr un maratón', true],
    ['Vamos a tener un bebé', true],
    ['I have a dog', false],
    ['Vamos al parque cada día', false],
  ])('PROF-10: whether "%s" is a plan is %s', (text, isPlan) => {
    expect(statementKinds(text).includes('plan')).toBe(isPlan);
  });

  it('PROF-10: a plan is listed until its day, and what holds for the moment or on some weekdays is not', () => {
    const saidAt = Date.UTC(2026, 3, 2);
    const on = (day: number, text: string, kinds = ['work']): string[] =>
      chooseProfile(
        { claims: [statement(text, { createdAt: saidAt, kinds })] },
        { countTokens, now: day },
      ).map((line) => line.text);
    const soon = Date.UTC(2026, 3, 9);
    const later = Date.UTC(2026, 8, 1);
    const plan = 'I want to open my shop on 1 May';
    expect(on(soon, plan)).toEqual([plan]);
    expect(on(later, plan)).toEqual([]);
    const near = 'I will fly to my sister next week';
    expect(on(soon, near)).toEqual([near]);
    expect(on(later, near)).toEqual([]);
    expect(on(soon, 'I just got off the phone with my landlord')).toEqual([]);
    const moved = 'I moved my shop to Leipzig in March';
    expect(on(later, moved)).toEqual([moved]);
    const appointment = 'I see my doctor on 1 May';
    expect(on(soon, appointment)).toEqual([appointment]);
    expect(on(later, appointment)).toEqual([]);
    for (const text of [
      'I adopted a dog on 3 May',
      'I have worked at a bakery since 3 May',
      "My son's birthday is on May 3rd",
      'I will never forget 3 May 2019, when I quit a job',
      'I am a baker since dec 3',
    ]) {
      expect(on(Date.UTC(2028, 3, 2), text), text).toEqual([text]);
    }
    for (const text of [
      'I have a guided tour on 3 May',
      "I've got an exam on May 3",
      'My exam is scheduled for 3 May',
      'I have knee surgery on 3 May',
      'My operation is on May 3rd',
    ]) {
      expect(on(soon, text), text).toEqual([text]);
      expect(on(later, text), text).toEqual([]);
    }
    for (const text of [
      'My date of birth is 3 May',
      'Our Christmas is on January 7',
      "I'm a vegan as of 3 May",
      'My new boss is Tom, from 3 May',
      'I am allergic to nuts, test on 3 May',
      'I have adopted a dog on 3 May',
      'My address is 12 May Street',
    ]) {
      expect(on(later, text), text).toEqual([text]);
    }
    const undated = 'I want to open my own shop';
    expect(on(later, undated)).toEqual([undated]);
    for (const text of [
      'my nephew is staying with me meanwhile',
      "I'm between jobs since April",
      'my leave is almost over',
      'my physio is on Mondays and Fridays',
      'we are at my aunt’s for now',
      "I'd love to leave my job at the harbor",
      'one day I will open a bakery',
      'do I have gout if my toe hurts?',
      'and my sister used to run a bakery',
      'but I used to have a dog',
      'Früher hatte ich einen Hund',
      'solía nadar con mi hija',
    ]) {
      expect(on(soon, text), text).toEqual([]);
    }
    for (const text of [
      "I'm used to my loud neighbors",
      'my kids are not used to dogs',
      'We got used to the night shift',
      'I used to eat meat but I am vegan now',
      'Früher hatte ich Hunde, jetzt eine Katze',
      'I live in the house where my aunt and her family used to live',
    ]) {
      expect(on(later, text), text).toEqual([text]);
    }
    const diet = 'no coffee for me after 3 pm';
    expect(on(later, diet, ['diet'])).toEqual([diet]);
    const age = 'my son is almost 12';
    expect(on(later, age)).toEqual([age]);
  });

  it.each([
    ["I'm at my mum's until Friday", 9],
    ["I'm taking antibiotics until Sunday", 9],
    ['I can only eat soft food for a week', 8],
    ["I'm not allowed to lift anything for six weeks", 43],
    ['The kids are off school for two weeks', 15],
    ["I'm on crutches until May", 60],
    ['I have lived in Rome for two weeks', Infinity],
    ["I've been vegan for a month", Infinity],
    ['I lived in Rome until May', Infinity],
    ['I go to Spain for two weeks every summer', Infinity],
    ['I am paid for 40 hours a week', Infinity],
    ['We are open Mondays until Friday', Infinity],
    ['I shall be in hospital on the eleventh of April', 10],
    ['taking my son Bo to the lake next sat', 14],
  ])('PROF-14: "%s" is of use for %i days', (text, days) => {
    const saidAt = Date.UTC(2026, 3, 2);
    const passed = (usefulUntil(text, saidAt) - saidAt) / 86_400_000;
    expect(passed).toBeLessThanOrEqual(days);
    if (days === Infinity) expect(passed).toBe(Infinity);
    else expect(passed).toBeGreaterThan(days / 2);
  });

  it('PROF-8: a statement with a low score is left out unless it says how to answer', () => {
    const claims = [
      statement('my cat is grey', { score: 0.3 }),
      statement('call me Wim', { score: 0.2, kinds: ['answering-style'] }),
    ];
    const lines = chooseProfile({ claims }, { countTokens, now, minScore: 0.4 });
    expect(lines.map(({ text }) => text)).toEqual(['call me Wim']);
  });

  it('PROF-4: the profile takes at most a quarter of the context', () => {
    const claims = [statement('my two three four'), statement('my six')];
    const lines = chooseProfile({ claims }, { countTokens, now, contextTokens: 16 });
    expect(lines.map(({ text }) => text)).toEqual(['my six']);
  });

  it('PROF-6: the profile stays within its budget, says nothing twice, and does not depend on the order of statements', () => {
    const claims = fc.array(
      fc.record({
        id: fc.uuid(),
        text: fc
          .array(fc.constantFrom('cello', 'Porto', 'nuts', 'Ana', 'vet', 'choir'))
          .map((w) => w.join(' ')),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
        topic: fc.constantFrom('home', 'work'),
        kinds: fc.array(fc.constantFrom('diet', 'other')),
        createdAt: fc.nat({ max: 5 }),
      }),
    );
    fc.assert(
      fc.property(claims, fc.nat({ max: 30 }), (list, maxTokens) => {
        const lines = chooseProfile({ claims: list }, { countTokens, now, maxTokens });
        expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
        expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length);
        expect(chooseProfile({ claims: list.toReversed() }, { countTokens, now, maxTokens })).toEqual(lines);
      }),
    );
  });
});

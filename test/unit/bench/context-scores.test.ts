import { describe, expect, it } from 'vitest';
import {
  framedQuestions,
  judgeContext,
  recalledTokens,
  repetition,
  type ReadContext,
} from '../../bench/context/asked-contexts.ts';
import { contextFindings, factFindings } from '../../bench/context/context-findings.ts';
import { scoreContexts, type PlayedChat } from '../../bench/context/context-scores.ts';
import { judgeFact, type StatedFact } from '../../bench/context/listed-facts.ts';
import type { Ask, NaturalChat } from '../../bench/context/natural-chats.ts';

const CHAT: NaturalChat = {
  id: 'chat',
  messages: [{ role: 'user', content: 'i moved to Lyon', at: '2026-01-01T10:00:00Z', session: 'a' }],
  facts: [
    {
      about: ['user'],
      relation: ['live', 'moved'],
      object: [['lyon']],
      maxWords: 2,
      holds: true,
      evidence: 0,
    },
    { about: ['user'], relation: ['work', 'job'], object: [['bakery']], holds: false, evidence: 0 },
    {
      about: ['user'],
      relation: ['hate', 'dislike', 'like'],
      object: [['leek', 'leeks']],
      negated: true,
      holds: true,
      evidence: 0,
    },
    { about: ["o'neil", 'the landlord'], relation: ['is'], object: [['landlord']], holds: true, evidence: 0 },
  ],
  traps: [{ about: 'user', relation: ['like'], object: [['lyon']], negated: false }],
  asks: [
    { question: 'Where is home?', needs: [['lyon'], ['rhone', 'rhône']], kind: 'direct' },
    { question: 'What is a prime?', needs: [], kind: 'unrelated' },
  ],
};

function fact(
  subject: string,
  predicate: string,
  object: string,
  more: Partial<StatedFact> = {},
): StatedFact {
  return { id: `${subject} ${predicate} ${object}`, subject, predicate, object, hasEnded: false, ...more };
}

function contextOf(
  ...items: readonly (readonly [kind: string, text: string, tokens: number, factId?: string])[]
): ReadContext {
  return {
    text: items.map(([, text]) => text).join('\n'),
    items: items.map(([kind, text, tokens, factId]) => ({
      kind,
      text,
      tokens,
      ...(factId ? { factId } : {}),
    })),
  };
}

function played(facts: readonly StatedFact[], ...contexts: readonly ReadContext[]): PlayedChat {
  return { chat: CHAT, facts: [...facts], asked: contexts.map((context) => ({ context })) };
}

const [DIRECT, UNRELATED] = CHAT.asks as [Ask, Ask];
const NOTHING = contextOf();

describe('facts', () => {
  it.each([
    ['right', 'User', 'lives in', 'Lyon'],
    ['right', 'user', 'moved to', 'old Lyon'],
    ['wrong: too many words', 'user', 'lives in', 'the old Lyon'],
    ['wrong: another subject', 'Ana', 'lives in', 'Lyon'],
    ['wrong: another relation', 'user', 'owns', 'Lyon'],
    ['wrong: negated', 'user', 'does not live in', 'Lyon'],
    ['right: negated as it should be', 'user', 'does not like', 'leeks'],
    ['right: a negative word', 'user', 'hates', 'leeks'],
    ['wrong: not negated', 'user', 'likes', 'leeks'],
    ['right: the name among others', 'Mr. O’Neil junior', 'is', 'my landlord'],
    ['wrong: a name is whole', 'so’neil', 'is', 'my landlord'],
    ['trap', 'user', 'likes', 'Lyon'],
    ['wrong: no trap where it is negated', 'user', 'never likes', 'Lyon'],
  ])('BEN-1: is %s: %s %s %s', (verdict, subject, predicate, object) => {
    expect(judgeFact(fact(subject, predicate, object), CHAT).kind).toBe(verdict.replace(/:.*/, ''));
  });

  it('BEN-2: precision, recall, stale facts and traps are counted over all chats', () => {
    const home = fact('user', 'lives in', 'Lyon');
    const job = fact('user', 'works at', 'a bakery');
    const scores = scoreContexts([
      played([home, fact('user', 'likes', 'Lyon'), { ...home, id: 'again' }]),
      { ...played([job, fact('x', 'y', 'z')]), chat: structuredClone(CHAT) },
    ]);
    expect(scores.facts).toEqual({
      said: 5,
      precision: 60,
      recall: 25,
      recallOfWhatHolds: 16.7,
      staleAmongRight: 33.3,
      traps: 1,
    });
    expect(scoreContexts([played([{ ...job, hasEnded: true }])]).facts.staleAmongRight).toBe(0);
  });
});

describe('contexts', () => {
  it('BEN-3: a need is met by any spelling in its group, regardless of case', () => {
    const half = played([], contextOf(['recalled', 'I moved to LYON', 20]), NOTHING);
    const all = played([], contextOf(['recalled', 'Lyon, at the Rhône', 40]), NOTHING);
    const scores = scoreContexts([half, all]);
    expect(scores.asks['direct']).toEqual({ n: 2, needsMet: 75, allMet: 50, meanTokens: 30 });
    expect(scores.relatedMeanTokens).toBe(30);
    expect(scores.asks['unrelated']).toEqual({ n: 2, needsMet: null, allMet: 0, meanTokens: 0 });
  });

  it.each([
    ['nothing', NOTHING, 100, 0],
    ['a small profile', contextOf(['profile', 'user lives in Lyon', 120]), 100, 0],
    ['a large profile', contextOf(['profile', 'user lives in Lyon', 100], ['pinned', 'x', 60]), 0, 40],
    ['an old turn', contextOf(['recalled', 'user: hi', 7], ['profile', 'x', 10]), 0, 7],
  ])('BEN-4: with %s', (_name, context, quiet, meanTokens) => {
    expect(scoreContexts([played([], NOTHING, context)]).unrelated).toEqual({ n: 1, quiet, meanTokens });
  });

  it('BEN-4: framed questions are counted separately, without what is always included', () => {
    const framed = contextOf(['profile', 'x', 500]);
    const noisy = contextOf(['fact', 'x', 9], ['profile', 'x', 500]);
    const chats = [framed, noisy].map((each) => ({
      ...played([], NOTHING, NOTHING),
      asked: [{ context: NOTHING }, { context: NOTHING, framed: each }],
    }));
    expect(scoreContexts(chats).framed).toEqual({ n: 2, quiet: 50, meanTokens: 5 });
    expect(recalledTokens(noisy)).toBe(9);
  });

  it('BEN-5: the opening clauses come in turn, over all chats', () => {
    const framed = framedQuestions(Array.from({ length: 5 }, () => CHAT));
    expect(framed.map(([direct]) => direct)).toEqual(Array.from({ length: 5 }));
    const frames = framed.map(([, unrelated]) => unrelated?.replace(UNRELATED.question, ''));
    expect(new Set(frames.slice(0, 4)).size).toBe(4);
    expect(frames[4]).toBe(frames[0]);
    expect(frames.every((frame) => frame && frame.length > 10)).toBe(true);
  });

  it.each([
    [true, 'fact', 'user works at a bakery'],
    [true, 'summary', 'Lives in Lyon.\nHas a job in a bakery.'],
    [false, 'fact', 'user worked at a bakery until May'],
    [false, 'summary', 'Lives in Lyon.\nThe user quit the job in the bakery.'],
    [false, 'recalled', 'user: i work in a bakery'],
    [false, 'fact', 'user lives in Lyon'],
  ])('BEN-6: %s for the %s "%s"', (states, kind, text) => {
    expect(judgeContext(contextOf([kind, text, 9]), DIRECT, CHAT, new Set()).statesEnded).toBe(states);
  });

  it('BEN-6: a stale fact is found by its id, also in other words', () => {
    const job = fact('user', 'works at', 'a bakery');
    const chat = played([job], contextOf(['fact', 'told otherwise', 9, job.id]), NOTHING);
    expect(scoreContexts([chat]).staleStatedPercent).toBe(50);
    const ended = { ...chat, facts: [{ ...job, hasEnded: true }] };
    expect(scoreContexts([ended]).staleStatedPercent).toBe(0);
  });

  it('BEN-14: what ended is told alone if a line of any kind tells it without a mark and its replacement stands nowhere', () => {
    const job = { about: 'user', relation: ['work'], object: [['bakery']], holds: false };
    const heir = { about: ['user'], relation: ['work'], object: [['museum']], holds: true };
    const chat = { ...CHAT, facts: [job, heir] as NaturalChat['facts'] };
    const isAlone = (...items: [kind: string, text: string, tokens: number][]): boolean =>
      judgeContext(contextOf(...items), DIRECT, chat, new Set()).tellsEndedAlone;
    expect(isAlone(['recalled', 'user: i work in a bakery', 9])).toBe(true);
    expect(isAlone(['recalled', 'no longer true: "i work in a bakery"', 9])).toBe(false);
    expect(isAlone(['recalled', 'i work in a bakery', 9], ['fact', 'user works at the museum', 9])).toBe(
      false,
    );
    expect(isAlone(['recalled', 'i have a dog', 9])).toBe(false);
  });

  it('BEN-6: what ended and holds again, or was replaced with the same words, is not counted', () => {
    const [, job] = CHAT.facts;
    const again = job ? [...CHAT.facts, { ...job, holds: true }] : [];
    const context = contextOf(['fact', 'user works at a bakery', 9]);
    expect(judgeContext(context, DIRECT, { ...CHAT, facts: again }, new Set()).statesEnded).toBe(false);
  });

  it('BEN-7: repetition is the share of six-word sequences that have occurred before', () => {
    expect(repetition('one two three four five six one two three four five')).toBe(0);
    expect(repetition('one two three four five six, One two three four five six')).toBeCloseTo(1 / 7);
    expect(repetition('one two three four five six seven eight nine ten eleven twelve')).toBe(0);
    const twice = contextOf(['recalled', 'a b c d e f a b c d e f', 9]);
    expect(scoreContexts([played([], twice, NOTHING)]).repeatedPercent).toBe(7.1);
  });

  it('BEN-10: figures without anything to count are null', () => {
    const scores = scoreContexts([]);
    expect(scores.facts.precision).toBeNull();
    expect(scores.unrelated).toEqual({ n: 0, quiet: null, meanTokens: null });
    expect(scores.relatedMeanTokens).toBeNull();
  });

  it('BEN-3: the log names each fact and context that lowers a figure', () => {
    const job = fact('user', 'works at', 'a bakery');
    const chat = played(
      [fact('user', 'lives in', 'Lyon'), job, fact('x', 'y', 'z'), fact('user', 'likes', 'Lyon')],
      contextOf(['fact', 'user works at a bakery', 9, job.id]),
      contextOf(['recalled', 'user: hi', 7]),
    );
    expect(factFindings(chat).map((line) => line.slice(0, 5))).toEqual(['STALE', 'WRONG', 'TRAP ']);
    const lines = contextFindings(chat);
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['MISS ', 'ENDED', 'NOISE']);
    expect(lines[0]).toContain('[["lyon"],["rhone","rhône"]]');
  });
});

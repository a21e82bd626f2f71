import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkExtraction } from '../../../src/learning/check-extraction.ts';
import type { ExtractionInput, SourceMessage } from '../../../src/learning/extractor.ts';
import { quoteFinder } from '../../../src/learning/cut-text.ts';
import { inThirdPerson, thirdPersonVerb, tripleInThirdPerson } from '../../../src/learning/first-person.ts';
import { llmExtractor } from '../../../src/learning/llm/llm-extractor.ts';
import { parsePeriod } from '../../../src/learning/llm/read-extraction.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { malformedReplies } from '../../fixtures/malformed-replies.ts';

const message = (
  id: string,
  role: SourceMessage['role'],
  text: string,
  pasted?: string[],
): SourceMessage => ({
  id,
  role,
  text,
  createdAt: 1000,
  ...(pasted ? { pasted } : {}),
});

const INPUT: ExtractionInput = {
  messages: [
    message('u', 'user', 'I moved to  Lisbon, and my sister Mara said “it’s sunny”.'),
    message('a', 'assistant', 'You live in Lisbon. I am a model. Porto is near Lisbon.'),
    message('t', 'tool', 'Lisbon has 545,000 inhabitants. I am a table.'),
    message('p', 'user', 'Look what he wrote:\n> I live in Oslo with Eve\nI like it.', [
      '> I live in Oslo with Eve',
    ]),
  ],
  context: [],
  entities: [],
  facts: [{ id: 'k1', subject: 'user', predicate: 'lives in', object: 'Rome' }],
};

const FACT = { subject: 'Mara', predicate: 'lives in', object: 'Lisbon', messageId: 'u' };

type Checked = ReturnType<typeof checkExtraction>;

const check = (triples: unknown, mentions: unknown = [], unreadable: unknown = 0): Checked =>
  checkExtraction({ triples, mentions, unreadable }, INPUT);

/** What becomes of one fact: its words and whose they are, or why it was turned down. */
function fate(change: object): unknown {
  const { triples, rejected } = check([{ ...FACT, ...change }]);
  const [triple] = triples;
  if (!triple) return rejected[0]?.reason;
  return [triple.subject, triple.predicate, triple.object, triple.statedBy];
}

describe('proposals', () => {
  it('CHK-1: a valid fact is accepted, and code determines whose word it is', () => {
    expect(fate({})).toEqual(['Mara', 'lives in', 'Lisbon', 'user']);
    expect(fate({ quote: null, validFrom: null, validTo: null, supersedes: null })).toEqual(fate({}));
    expect(fate({ messageId: 'a' })).toEqual(['Mara', 'lives in', 'Lisbon', 'assistant']);
    expect(fate({ messageId: 't', statedBy: 'user', source: 'user' })).toEqual([
      'Mara',
      'lives in',
      'Lisbon',
      'tool',
    ]);
  });

  it.each([
    [{ subject: 7 }, 'malformed'],
    [{ predicate: ' \n ' }, 'malformed'],
    [{ object: null }, 'malformed'],
    [{ object: '…' }, 'malformed'],
    [{ object: 'mara' }, 'malformed'],
    [{ quote: ['Mara'] }, 'malformed'],
    [{ subject: 'x'.repeat(301) }, 'too-long'],
    [{ predicate: 'x'.repeat(301) }, 'too-long'],
    [{ subject: '__proto__' }, 'reserved-name'],
    [{ object: 'constructor' }, 'reserved-name'],
    [{ subject: 'She' }, 'pronoun'],
    [{ messageId: 'nowhere' }, 'unknown-message'],
    [{ messageId: undefined }, 'unknown-message'],
    [{ messageId: ['u'] }, 'unknown-message'],
    [{ quote: 'I moved to Porto' }, 'quote-not-found'],
    [{ quote: '' }, 'quote-not-found'],
    [{ quote: 'You live in Lisbon' }, 'quote-not-found'],
    [{ validFrom: Number.NaN }, 'invalid-dates'],
    [{ validFrom: '2024' }, 'invalid-dates'],
    [{ validTo: 9e15 }, 'invalid-dates'],
    [{ validFrom: 2, validTo: 1 }, 'invalid-dates'],
  ])('CHK-2: an invalid fact is rejected with a reason (%#)', (change, reason) => {
    expect(fate(change)).toBe(reason);
    expect(check([{ ...FACT, ...change }, FACT]).triples).toHaveLength(1);
  });

  it.each([
    [null],
    [undefined],
    ['text'],
    [7n],
    [[]],
    [() => 1],
    [Symbol('x')],
    [{ triples: {}, mentions: 'x' }],
    [
      {
        triples: [null, 1, [[]], Symbol('x'), () => 1, { subject: {} }],
        mentions: [undefined, {}, { name: 1n }],
      },
    ],
    [{ triples: [], mentions: [{ name: 'Sam', messageId: 'u', aliases: 'x' }], unreadable: Number.NaN }],
  ])(
    'CHK-3: a malformed proposal is checked without an error, and nothing of it is accepted (%#)',
    (extraction) => {
      const { mentions, triples, rejected } = checkExtraction(extraction, INPUT);
      expect([...mentions, ...triples]).toEqual([]);
      expect(rejected.length).toBeGreaterThan(0);
    },
  );

  it('CHK-4: at most 200 proposals of each kind are checked, repetitions dropped, and unreadable ones counted', () => {
    const facts = Array.from({ length: 5000 }, (_, index) => ({ ...FACT, object: `thing ${index}` }));
    const { triples, rejected } = check(facts, [], 3);
    expect(triples).toHaveLength(200);
    expect(rejected).toEqual([
      { reason: 'unreadable', count: 3 },
      { reason: 'over-limit', count: 4800 },
    ]);
    const same = check([
      FACT,
      { ...FACT, subject: ' mara ' },
      { ...FACT, predicate: 'live in' },
      { ...FACT, messageId: 'a' },
    ]);
    expect(same.triples.map(({ messageId }) => messageId)).toEqual(['u', 'a']);
    expect(same.rejected).toEqual([]);
  });

  it('CHK-5: only known facts can be replaced, and only by what the user or the assistant says', () => {
    const replaced = (messageId: string): unknown =>
      check([{ ...FACT, messageId, supersedes: ['k1', 'k1', 'other', 7] }]).triples[0]?.supersedes;
    expect(replaced('u')).toEqual(['k1']);
    expect(replaced('a')).toEqual(['k1']);
    expect(replaced('t')).toBeUndefined();
    expect(check([{ ...FACT, supersedes: 'k1' }]).triples[0]).not.toHaveProperty('supersedes');
  });

  it('CHK-6: mentions keep the name, distinguishing aliases and a note', () => {
    const { mentions, rejected } = check(
      [],
      [
        {
          name: ' Mara ',
          messageId: 'u',
          aliases: ['mara', 'Mari', 'she', 'I', 'user', 'my sister', 7, 'Mari'],
          note: 'Lives\nin Lisbon.',
        },
        { name: 'I', messageId: 'u', aliases: ['Jack'] },
        { name: 'you', messageId: 'a' },
        { name: 'I', messageId: 'a' },
        { name: 'it', messageId: 'u' },
        { name: 'Sam', messageId: 'x' },
        { name: 'Sam', messageId: 'u', note: 'x'.repeat(1001) },
        { name: 'Mara', messageId: 'u', note: 'Lives in Lisbon.' },
      ],
    );
    expect(mentions).toEqual([
      { name: 'Mara', messageId: 'u', aliases: ['Mari'], note: 'Lives in Lisbon.' },
      { name: 'user', messageId: 'u', aliases: ['Jack'] },
      { name: 'user', messageId: 'a' },
    ]);
    expect(rejected.map(({ reason }) => reason).toSorted()).toEqual([
      'about-assistant',
      'pronoun',
      'too-long',
      'unknown-message',
    ]);
  });
});

describe('quotes', () => {
  it.each([
    ['I moved to Lisbon', 'I moved to  Lisbon'],
    ['“my SISTER Mara”', 'my sister Mara'],
    ['mara said "it\'s sunny"', 'Mara said “it’s sunny'],
    ['  …  ', undefined],
    ['I moved to', 'I moved to'],
    ['Imoved', undefined],
  ])('CHK-7: the quote %j is stored with the words of the message', (quote, words) => {
    expect(quoteFinder(INPUT.messages[0]?.text ?? '')(quote)).toBe(words);
  });

  it('CHK-7: no quote spans text that was removed', () => {
    const find = quoteFinder('I live […] in Paris.');
    expect([find('I live in Paris'), find('I live […] in Paris'), find('in paris')]).toEqual([
      undefined,
      undefined,
      'in Paris',
    ]);
  });

  it('CHK-8: every accepted quote is part of its message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, from, length) => {
        const quote = quoteFinder(text)(text.slice(from % (text.length + 1)).slice(0, length));
        if (quote !== undefined) expect(text).toContain(quote);
      }),
    );
    fc.assert(
      fc.property(fc.lorem({ maxCount: 20 }), fc.nat(), fc.integer({ min: 1 }), (text, from, length) => {
        const quote = text
          .slice(from % text.length)
          .slice(0, length)
          .trim();
        fc.pre(/\w/u.test(quote));
        expect(quoteFinder(text)(quote.toUpperCase())).toBe(quote);
      }),
    );
  });
});

describe('who "I" and "you" are', () => {
  it.each([
    ['user', 'I', 'user'],
    ['user', 'me', 'user'],
    ['user', 'We', 'user'],
    ['user', 'my dog', "user's dog"],
    ['user', 'the user', 'user'],
    ['user', 'you', 'about-assistant'],
    ['user', 'your answer', 'about-assistant'],
    ['user', 'the assistant', 'about-assistant'],
    ['user', 'US', 'US'],
    ['user', 'Mine Street', 'Mine Street'],
    ['assistant', 'you', 'user'],
    ['assistant', 'your dog', "user's dog"],
    ['assistant', 'I', 'about-assistant'],
    ['assistant', 'User', 'user'],
    ['other', 'I', 'unknown-speaker'],
    ['other', 'your dog', 'unknown-speaker'],
    ['other', 'Sam', 'Sam'],
  ] as const)('CHK-9: when the %s says %j, %s is meant', (speaker, name, who) => {
    const outcome = inThirdPerson(name, speaker);
    expect('name' in outcome ? outcome.name : outcome.reason).toBe(who);
  });

  it.each([
    ['am not', 'is not'],
    ['have', 'has'],
    ['live in', 'lives in'],
    ['lives in', 'lives in'],
    ['was', 'was'],
    ['were born in', 'was born in'],
    ["don't like", "doesn't like"],
    ['do not like', 'does not like'],
    ['really love', 'really loves'],
    ['study at', 'studies at'],
    ['watch', 'watches'],
    ['commute to', 'commutes to'],
    ['worked at', 'worked at'],
    ['went to', 'went to'],
    ['need', 'needs'],
    ['living in', 'living in'],
    ['can swim', 'can swim'],
    ['favorite color', 'favorite color'],
    ['heißt', 'heißt'],
    ['', ''],
  ])('CHK-10: "I %s" is stored about the user as "%s"', (first, third) => {
    expect(thirdPersonVerb(first)).toBe(third);
    expect(tripleInThirdPerson({ subject: 'I', predicate: first, object: 'x' }, 'user')).toEqual({
      triple: { subject: 'user', predicate: third, object: 'x' },
    });
  });

  it('CHK-11: facts in the first and second person are about the user, and none is about the assistant', () => {
    expect(fate({ subject: 'I', predicate: 'live in' })).toEqual(['user', 'lives in', 'Lisbon', 'user']);
    expect(fate({ subject: 'Mara', predicate: 'is sister of', object: 'me' })).toEqual([
      'Mara',
      'is sister of',
      'user',
      'user',
    ]);
    expect(fate({ subject: 'You', predicate: 'live in', messageId: 'a' })).toEqual([
      'user',
      'lives in',
      'Lisbon',
      'assistant',
    ]);
    expect(fate({ subject: 'I', predicate: 'am', object: 'a model', messageId: 'a' })).toBe(
      'about-assistant',
    );
    expect(fate({ subject: 'You', messageId: 'u' })).toBe('about-assistant');
    const ofTool = check([{ ...FACT, subject: 'I', messageId: 't' }]);
    expect(ofTool.triples).toEqual([expect.objectContaining({ subject: 'user', isForeign: true })]);
    expect(ofTool.rejected).toEqual([{ reason: 'unknown-speaker', count: 1 }]);
  });

  it('CHK-12: pasted text is never the user\'s word, and its "I" is not the user', () => {
    const pasted = { messageId: 'p', subject: 'Eve', predicate: 'lives in', object: 'Oslo' };
    expect(fate({ ...pasted, quote: 'in Oslo with Eve' })).toEqual(['Eve', 'lives in', 'Oslo', 'document']);
    expect(fate(pasted)).toEqual(['Eve', 'lives in', 'Oslo', 'document']);
    expect(fate({ ...pasted, quote: 'Look what he wrote' })).toEqual(['Eve', 'lives in', 'Oslo', 'document']);
    for (const subject of ['I', 'user']) {
      const { triples, rejected } = check([{ ...pasted, subject, quote: 'I live in Oslo' }]);
      expect(triples).toEqual([expect.objectContaining({ subject: 'user', isForeign: true })]);
      expect(rejected).toEqual([{ reason: 'unknown-speaker', count: 1 }]);
    }
    expect(check([{ ...FACT, ...pasted, supersedes: ['k1'] }]).triples[0]).not.toHaveProperty('supersedes');
    const own = { messageId: 'p', subject: 'I', predicate: 'like', object: 'what he wrote' };
    expect(fate({ ...own, quote: 'I like it' })).toEqual(['user', 'likes', 'what he wrote', 'user']);
  });
});

describe('dates', () => {
  it.each([
    ['2024', Date.UTC(2024, 0), Date.UTC(2025, 0)],
    [2024, Date.UTC(2024, 0), Date.UTC(2025, 0)],
    ['2024-12', Date.UTC(2024, 11), Date.UTC(2025, 0)],
    [' 2024-02-29 ', Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1)],
    ['2024-05-01T10:00', Date.UTC(2024, 4, 1, 10), Date.UTC(2024, 4, 1, 10)],
    ['2024-05-01T10:00:30+02:00', Date.UTC(2024, 4, 1, 8, 0, 30), Date.UTC(2024, 4, 1, 8, 0, 30)],
  ])('CHK-13: %j is a time', (text, from, to) => {
    expect(parsePeriod(text)).toEqual({ from, to });
  });

  it.each([
    '',
    'yesterday',
    '24',
    '2024-13',
    '2023-02-29',
    '2024-1-1',
    '01/02/2024',
    '2024-05-01T25:00',
    null,
    {},
    NaN,
  ])('CHK-13: %j is not a time', (text) => {
    expect(parsePeriod(text)).toBeUndefined();
  });
});

describe('malformed replies', () => {
  const replies = malformedReplies();

  it('CHK-14: 300 malformed replies give only facts with the words of their own message', async () => {
    expect(replies).toHaveLength(300);
    for (const reply of replies) {
      const extractor = llmExtractor(async () => ({ text: reply as string }));
      let extraction: unknown;
      try {
        extraction = await extractor.extract(INPUT);
      } catch (error) {
        expect(error).toBeInstanceOf(MnemoraError);
        expect(error).toMatchObject({ code: 'llm-reply' });
        continue;
      }
      const { triples, mentions, rejected } = checkExtraction(extraction, INPUT);
      for (const { messageId, quote, subject, object } of triples) {
        const source = INPUT.messages.find(({ id }) => id === messageId);
        expect(source).toBeDefined();
        if (quote !== undefined) expect(source?.text).toContain(quote);
        expect([subject, object].join()).not.toMatch(/__proto__|constructor/u);
      }
      expect(triples.length).toBeLessThanOrEqual(200);
      expect(mentions.length).toBeLessThanOrEqual(200);
      expect(triples.length + mentions.length + rejected.length).toBeGreaterThan(0);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

import { NO_CHANGE } from '../../../src/storage/knowledge-store.ts';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { nameKey } from '../../../src/graph/entity-name.ts';
import { analyze } from '../../../src/language/terms.ts';
import { resolveQuery } from '../../../src/learning/facts-about.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import { entityMessageScores, queryEvents } from '../../../src/learning/sentence-search.ts';
import type { KnownSentence } from '../../../src/learning/sentence-index.ts';
import { eventDate } from '../../../src/language/times.ts';
import type { EntityRow, FactRow } from '../../../src/storage/schema.ts';
import type { KnownAtQuery } from '../../../src/graph/graph-query.ts';
import { parseQuery } from '../../../src/search/analyzer.ts';

const SAID = Date.UTC(2023, 2, 10);
const NOW = Date.UTC(2023, 9, 18);
const DAY = 86_400_000;

let seq = 0;

/** What message `m` says in these words; without words, that the message is not quoted. */
function fact(
  [subject, predicate, object]: readonly [string, string, string],
  m: string,
  quote?: string,
  more: Partial<FactRow> = {},
): FactRow {
  seq += 1;
  return {
    id: `f${seq}`,
    seq,
    scope: 's',
    subject,
    predicate,
    object,
    subjectKey: nameKey(subject),
    objectKey: nameKey(object),
    validFrom: SAID,
    recordedAt: SAID,
    supersedes: [],
    source: 'extracted',
    sources: [quote === undefined ? { messageId: m } : { messageId: m, quote }],
    messageIds: [m],
    attributes: {},
    ...more,
  };
}

function entity(name: string, mentions: EntityRow['mentions']): EntityRow {
  const messageIds = mentions.flatMap((mention) => mention.messageIds);
  const key = nameKey(name);
  return {
    scope: 's',
    key,
    id: `e-${key}`,
    name,
    attributes: {},
    isStandalone: false,
    mentions,
    messageIds,
  };
}

const mention = (
  note: string,
  messageIds: string[],
  aliases: string[] = [],
): EntityRow['mentions'][number] => ({
  note,
  messageIds,
  aliases,
  recordedAt: SAID,
});

function rowsOf(facts: FactRow[], entities: EntityRow[] = []): KnowledgeRows {
  const rows = new KnowledgeRows('user');
  rows.apply({ ...NO_CHANGE, facts, entities, removedEntities: [] });
  return rows;
}

const NOLAN = [
  fact(['Christopher Nolan', 'won', 'the Oscar'], 'won', 'He won the Oscar.'),
  fact(['Christopher Nolan', 'directed', 'Interstellar'], 'directed', 'It is one of his.'),
  fact(['Christopher Nolan', 'likes', 'tea'], 'named', 'Nolan likes tea.'),
  ...['rain', 'snow', 'wind', 'sun', 'fog', 'ice', 'hail', 'mist'].map((object) =>
    fact(['Ada', 'saw', object], `ada-${object}`, `She saw ${object}.`),
  ),
];

function scoresFor(rows: KnowledgeRows, text: string, query?: KnownAtQuery): ReadonlyMap<string, number> {
  return entityMessageScores(rows, resolveQuery(rows, parseQuery(text)), query);
}

describe('entityMessageScores', () => {
  it('RANK-13: messages that say "he" are found, those that share most words with the question first', () => {
    const scores = scoresFor(rowsOf(NOLAN), 'What did Nolan win?');
    expect([...scores.keys()].toSorted()).toEqual(['directed', 'won']);
    expect(scores.get('won')).toBe(1);
    expect(scores.get('directed')).toBeLessThan(0.9);
    expect(scoresFor(rowsOf(NOLAN), 'Who won the cup?').size).toBe(0);
    const unquoted = fact(['Christopher Nolan', 'won', 'the cup'], 'unquoted');
    expect(scoresFor(rowsOf([...NOLAN, unquoted]), 'What did Ada win?').has('unquoted')).toBe(false);
  });

  it('RANK-14: a message that names the entity as the question does is left to keyword search', () => {
    const rows = rowsOf(NOLAN, [entity('Christopher Nolan', [mention('', ['x'], ['Chris'])])]);
    expect(scoresFor(rows, 'What does Nolan like?').has('named')).toBe(false);
    expect(scoresFor(rows, 'What does Chris like?').get('named')).toBe(1);
    const both = [
      fact(['Nolan', 'met', 'Ada'], 'half', 'He met Ada.'),
      fact(['Nolan', 'knows', 'Ada'], 'all', 'Nolan knows Ada.'),
    ];
    expect([...scoresFor(rowsOf(both), 'Nolan and Ada').keys()]).toEqual(['half']);
  });

  it('RANK-15: facts that hold for almost everything count little', () => {
    const facts = Array.from({ length: 50 }, (_, i) => fact(['user', 'saw', `thing ${i}`], `m${i}`));
    const rows = rowsOf([...facts, fact(['Bo', 'saw', 'land'], 'bo', 'He saw land.')]);
    const scores = scoresFor(rows, 'What did I ever do?');
    expect(Math.max(...scores.values())).toBeLessThan(0.1);
    expect(scoresFor(rows, 'Who is Bo?').get('bo')).toBe(1);
  });

  it('RANK-29: the most common word of a question finds none by itself, and beside others counts as before', () => {
    const found = (words: readonly string[], count: number): string[] => {
      const about = Array.from({ length: count }, (_, i) =>
        fact(['user', i % 2 === 0 ? 'likes' : 'saw', `thing ${i}`], `m${i}`),
      );
      const { sentenceIndex } = rowsOf([...about, fact(['user', 'adores', 'jazz'], 'jazz')]);
      const hits = sentenceIndex.search(words, 100, () => true);
      return hits.flatMap(({ id }) => sentenceIndex.get(id)?.text ?? []);
    };
    expect(found(['user', 'jazz'], 99)).toHaveLength(100);
    expect(found(['user', 'jazz'], 200)).toEqual(['user adores jazz']);
    // It finds none, and the words that nobody has said do not either.
    expect(found(['user', 'nowhere'], 200)).toEqual([]);
    // Of several common words, only the most common one.
    const liked = found(['user', 'like', 'nowhere'], 150);
    expect(liked).toHaveLength(75);
    expect(liked.every((text) => text.startsWith('user likes'))).toBe(true);
    // Alone it finds what it did.
    expect(found(['user'], 200)).toHaveLength(100);
    // A tenth of all sentences is too many to choose from where they are more than ten times as many as may be found.
    const among = (count: number): string[] => {
      const others = Array.from({ length: 9 * count }, (_, i) => fact([`Bo ${i}`, 'met', 'Ada'], `b${i}`));
      const own = Array.from({ length: count }, (_, i) => fact(['user', 'saw', `thing ${i}`], `m${i}`));
      const { sentenceIndex } = rowsOf([...others, ...own, fact(['user', 'adores', 'jazz'], 'jazz')]);
      return sentenceIndex.search(['user', 'jazz'], 10, () => true).map(({ id }) => id);
    };
    expect(among(99)).toHaveLength(10);
    expect(among(100)).toHaveLength(1);
  });

  it('RANK-29: a common word adds to the score of what others find', () => {
    const about = Array.from({ length: 200 }, (_, i) => fact(['user', 'saw', `thing ${i}`], `m${i}`));
    const { sentenceIndex } = rowsOf([
      ...about,
      fact(['Bo', 'adores', 'jazz'], 'bo'),
      fact(['user', 'adores', 'jazz'], 'jazz'),
    ]);
    const [first, second] = sentenceIndex.search(['user', 'jazz'], 100, () => true);
    expect(sentenceIndex.get(first?.id ?? '')?.text).toBe('user adores jazz');
    expect(first?.score).toBeGreaterThan(second?.score ?? Infinity);
  });

  it('RANK-31: of the sentences with words of the question, only those with the name are read', () => {
    const names = fc.constantFrom('Bo', 'Bo Ray', 'Ada Ray', 'the', '☕', 'tea');
    const facts = fc.array(fc.tuple(names, fc.constantFrom('saw', 'likes'), names), { maxLength: 30 });
    fc.assert(
      fc.property(facts, fc.uniqueArray(names, { minLength: 1 }), (told, asked) => {
        const { sentenceIndex } = rowsOf(told.map((each, i) => fact(each, `m${i}`)));
        const keys = new Set(asked.map(nameKey));
        const words = ['saw', ...analyze(asked.join(' '))];
        const isAbout = ({ entities }: KnownSentence): boolean => entities.some((key) => keys.has(key));
        const all = sentenceIndex.search(words, 5, isAbout);
        expect(sentenceIndex.search(words, 5, isAbout, keys)).toEqual(all);
      }),
    );
    const others = Array.from({ length: 50 }, (_, i) => fact([`Cy ${i}`, 'saw', 'land'], `m${i}`));
    const { sentenceIndex } = rowsOf([...others, fact(['Bo', 'saw', 'land'], 'bo')]);
    const read = vi.fn(() => true);
    expect(sentenceIndex.search(['saw', 'land', 'bo'], 5, read, ['bo'])).toHaveLength(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('RANK-16: a note raises its message if the name comes from another one', () => {
    const rows = rowsOf(NOLAN, [
      entity('Oppenheimer', [
        mention('Oppenheimer was a physicist.', ['lent', 'other']),
        mention('Oppenheimer was tall.', ['own']),
        mention('', ['empty', 'other']),
      ]),
    ]);
    expect([...scoresFor(rows, 'What was Oppenheimer?').keys()]).toEqual(['lent']);
    expect(scoresFor(rows, 'What was Oppenheimer?', { knownAt: SAID - 1 }).size).toBe(0);
  });

  it('RANK-11: retracted, replaced or corrected facts raise no message, and neither do their notes', () => {
    const paris = fact(['Anna', 'lives in', 'Paris'], 'old', 'She lives in Paris.');
    const rome = fact(['Anna', 'lives in', 'Rome'], 'new', 'She lives in Rome.', {
      validFrom: SAID + DAY,
      recordedAt: SAID + DAY,
    });
    const tea = fact(['Anna', 'likes', 'tea'], 'tea', 'She likes tea.');
    const coffee = fact(['Anna', 'likes', 'coffee'], 'tea', 'She likes tea.', {
      source: 'user',
      supersedes: [tea.id],
      recordedAt: SAID + DAY,
    });
    const past = fact(['Anna', 'worked in', 'Oslo'], 'past', 'She worked in Oslo.', { validTo: SAID + 1 });
    const notes = [mention('Anna lives in Paris.', ['old', 'lent'])];
    const rows = rowsOf([paris, rome, tea, coffee, past], [entity('Anna', notes)]);
    expect([...scoresFor(rows, 'Where does Anna live and work?').keys()].toSorted()).toEqual(['new', 'past']);
    const then = scoresFor(rows, 'Where does Anna live and work?', { knownAt: SAID });
    expect([...then.keys()].toSorted()).toEqual(['old', 'past', 'tea']);
  });

  it('RANK-17: rows added and removed one by one are searched like those loaded at once', () => {
    const words = fc.constantFrom('Ada', 'Bo', 'Cy', 'likes', 'saw', 'rain');
    const row = fc.tuple(fc.nat(4), words, words, words);
    fc.assert(
      fc.property(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 12 }), (steps) => {
        const rows = rowsOf([]);
        const facts = new Map<string, FactRow>();
        const entities = new Map<string, EntityRow>();
        for (const [[number, subject, predicate, object], isGone] of steps) {
          const id = `f${number}`;
          const each = fact([subject, predicate, object], `m${number}`, `${predicate} it`, {
            id,
            seq: number,
          });
          const noted = entity(`${subject} Dee`, [mention(`${object} ${number}`, [`n${number}`, 'lent'])]);
          const removedEntities = isGone ? [noted.id] : [];
          const removedFacts = facts.has(id) || isGone ? [id] : [];
          rows.apply({ ...NO_CHANGE, removedFacts, removedEntities });
          if (isGone) {
            facts.delete(id);
            entities.delete(noted.id);
            continue;
          }
          rows.apply({ ...NO_CHANGE, facts: [each], entities: [noted], removedEntities: [] });
          facts.set(id, each);
          entities.set(noted.id, noted);
        }
        const whole = rowsOf([...facts.values()], [...entities.values()]);
        const text = 'What did Ada, Bo and Ada Dee like and see?';
        const scoresOf = (each: KnowledgeRows): unknown => Object.fromEntries(scoresFor(each, text));
        expect(scoresOf(rows)).toEqual(scoresOf(whole));
      }),
      { numRuns: 200 },
    );
  });
});

describe('dates of events', () => {
  const rows = rowsOf(
    [
      fact(['user', 'has birthday', 'May 8, 1990'], 'm1'),
      fact(['Anna', 'has birthday', '4 July'], 'm2'),
      fact(['user', 'is married on', 'June 3'], 'm3'),
      fact(['user', 'had', 'knee surgery'], 'm4', undefined, { validFrom: Date.UTC(2023, 1, 1) }),
      fact(['Ben', 'has', 'fever'], 'm5'),
      fact(["Cy's exam", 'is on', '2 April'], 'm6'),
    ],
    [entity('Lake Garda', [mention('Our holiday at Lake Garda was in July 2022.', ['m7'])])],
  );
  const dateOf = (phrase: string, by: 'date' | 'beginning' = 'beginning'): string | undefined => {
    const date = eventDate(phrase, by, queryEvents(rows, phrase, {}), NOW);
    return date && [date.from, date.to].map((time) => new Date(time).toISOString().slice(0, 10)).join(' ');
  };

  it.each([
    ['my birthday', '2023-05-08 2023-05-08'], // the last one
    ["Anna's birthday", '2023-07-04 2023-07-04'],
    ['our wedding', '2023-06-03 2023-06-03'], // told as "married", in March
    ['the exam', '2023-04-02 2023-04-02'],
    ["Cy's exam", '2023-04-02 2023-04-02'],
    ['the knee surgery', '2023-02-01 2023-02-01'], // since then it is so
    ['our holiday', '2022-07-01 2022-07-31'],
    ["Ben's birthday", undefined],
    ['her birthday', undefined],
    ['the fever', undefined], // of somebody whom the phrase does not name
    ["Ben's fever", '2023-03-10 2023-03-10'],
    ['Anna', undefined],
    ['the', undefined],
  ])('TIME-7: "%s" was %s', (phrase, expected) => {
    expect(dateOf(phrase)).toBe(expected);
  });

  it('TIME-7: asked for its date alone, an event without one has none', () => {
    expect(dateOf('the knee surgery', 'date')).toBeUndefined();
    expect(dateOf('my birthday', 'date')).toBe('2023-05-08 2023-05-08');
  });

  it('TIME-8: a corrected date is no longer used', () => {
    const wrong = fact(['user', 'has birthday', '8 May'], 'm1');
    const right = fact(['user', 'has birthday', '9 May'], 'm1', undefined, {
      source: 'user',
      supersedes: [wrong.id],
    });
    const told = queryEvents(rowsOf([wrong, right]), 'my birthday', {});
    expect(told.map(({ sentence }) => sentence)).toEqual(['user has birthday 9 may']);
  });
});

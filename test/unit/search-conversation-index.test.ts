import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/search/analyze.ts';
import { ConversationIndex } from '../../src/search/conversation-index.ts';
import type { LevelParts } from '../../src/search/conversation-scores.ts';
import { KeywordIndex } from '../../src/search/keyword-index.ts';

const WEIGHTS: LevelParts = { message: 1, surroundings: 1, session: 1 };
const word = fc.constantFrom('alps', 'bear', 'cider', 'dune', 'ember', 'the', '北京', '!');
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const number = fc.integer({ min: 0, max: 13 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('add' as const), number, session: fc.nat({ max: 2 }), text }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly order: number;
  readonly text: string;
}

/** Each level as a keyword index of its own, over texts that are joined anew. */
function naiveParts(messages: readonly Message[], query: string): Map<string, LevelParts> {
  const chain = (of: Message): Message[] =>
    messages.filter((each) => each.sessionId === of.sessionId).toSorted((a, b) => a.order - b.order);
  const around = (of: Message): Message[] => {
    const session = chain(of);
    const at = session.indexOf(of);
    return session.slice(Math.max(0, at - 2), at + 3);
  };
  const joined = (parts: readonly Message[]): string => parts.map((each) => each.text).join(' | ');
  const level = (texts: ReadonlyMap<string, string>): Map<string, number> => {
    const index = new KeywordIndex();
    for (const [id, body] of texts) index.add(id, body);
    const hits = index.search(query, texts.size);
    const best = hits[0]?.score ?? 0;
    return new Map(hits.map(({ id, score }) => [id, score / best]));
  };
  const own = level(new Map(messages.map((each) => [each.id, each.text])));
  const near = level(new Map(messages.map((each) => [each.id, joined(around(each))])));
  const sessions = level(new Map(messages.map((each) => [each.sessionId, joined(chain(each))])));
  return new Map(
    messages.map(({ id, sessionId }) => [
      id,
      {
        message: own.get(id) ?? 0,
        surroundings: near.get(id) ?? 0,
        session: sessions.get(sessionId) ?? 0,
      },
    ]),
  );
}

function filled(texts: readonly string[], sessionId = 's'): ConversationIndex {
  const index = new ConversationIndex();
  for (const [order, body] of texts.entries()) index.add(`m${order}`, body, { sessionId, order });
  return index;
}

describe('ConversationIndex', () => {
  it('K60: messages, surroundings and sessions score as BM25 over their joined texts computed anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), text, (steps, query) => {
        let index = new ConversationIndex();
        const model = new Map<string, Message>();
        for (const current of steps) {
          if (current.do === 'reopen') {
            index = ConversationIndex.fromSnapshot(structuredClone(index.toSnapshot()));
            continue;
          }
          const id = `m${current.number}`;
          if (current.do === 'delete') {
            expect(index.delete(id)).toBe(model.delete(id));
            continue;
          }
          // Numbers come in any order: so do messages of a turn that was long in the making.
          const place = { sessionId: `s${current.session}`, order: current.number };
          index.add(id, current.text, place);
          model.set(id, { id, ...place, text: current.text });
        }
        expect(index.size).toBe(model.size);
        const scores = index.score(query);
        for (const [id, expected] of naiveParts([...model.values()], query)) {
          const parts = scores.partsOf(id);
          expect(parts.message).toBeCloseTo(expected.message, 10);
          expect(parts.surroundings).toBeCloseTo(expected.surroundings, 10);
          expect(parts.session).toBeCloseTo(expected.session, 10);
        }
        const found = [...model.keys()].filter((id) => scores.partsOf(id).message > 0);
        expect(scores.best(99, WEIGHTS).toSorted()).toEqual(found.toSorted());
        expect(analyze(query).length > 0 || found.length === 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('K61: surroundings reach two messages far and end with the session', () => {
    const index = filled(['a', 'b', 'the lighthouse', 'c', 'd', 'e']);
    index.add('other', 'x', { sessionId: 't', order: 3 });
    const scores = index.score('lighthouse');
    for (const id of ['m0', 'm1', 'm3', 'm4']) expect(scores.partsOf(id).surroundings).toBeGreaterThan(0);
    expect(scores.best(9, WEIGHTS)).toEqual(['m2']);
    expect(scores.partsOf('m5')).toMatchObject({ message: 0, surroundings: 0, session: 1 });
    expect(scores.partsOf('other')).toEqual({ message: 0, surroundings: 0, session: 0 });
    expect(scores.partsOf('unknown')).toEqual({ message: 0, surroundings: 0, session: 0 });
  });

  it('K62: messages around a deleted one become neighbours, and a late one comes between those it belongs between', () => {
    const index = filled(['a', 'b', 'c']);
    expect(index.neighbour('m0', 'previous')).toBeUndefined();
    expect(index.neighbour('m2', 'next')).toBeUndefined();
    index.delete('m1');
    expect([index.neighbour('m0', 'next'), index.neighbour('m2', 'previous')]).toEqual(['m2', 'm0']);
    index.add('late', 'd', { sessionId: 's', order: 1 });
    expect([index.neighbour('m0', 'next'), index.neighbour('m2', 'previous')]).toEqual(['late', 'late']);
    expect(index.neighbour('gone', 'next')).toBeUndefined();
  });

  it('K63: parts are shares of the best that the filter admits', () => {
    const index = filled(['apple apple apple', 'apple pie with cream and sugar', 'tea', 'tea', 'tea', 'tea']);
    expect(index.score('apple').partsOf('m0').message).toBe(1);
    const parts = index.score('apple', (id) => id !== 'm0');
    expect(parts.partsOf('m1').message).toBe(1);
    expect(parts.best(9, WEIGHTS)).not.toContain('m0');
  });

  it('K64: closing the holes of many deletes changes no score', () => {
    const index = new ConversationIndex();
    const fresh = new ConversationIndex();
    for (let i = 0; i < 3000; i++) {
      const body = `note ${i % 7} of day ${i % 31} number ${i}`;
      const place = { sessionId: `s${i % 3}`, order: i };
      index.add(`m${i}`, body, place);
      if (i % 4 === 0) fresh.add(`m${i}`, body, place);
    }
    for (let i = 0; i < 3000; i++) if (i % 4 !== 0) index.delete(`m${i}`);
    const [scores, expected] = [index.score('day 3 number 1000'), fresh.score('day 3 number 1000')];
    expect(scores.best(50, WEIGHTS)).toEqual(expected.best(50, WEIGHTS));
    for (const id of expected.best(50, WEIGHTS)) expect(scores.partsOf(id)).toEqual(expected.partsOf(id));
  });

  it('K65: a snapshot is typed arrays throughout, holds nothing of what was deleted, and is refused when damaged', () => {
    const index = filled(['red green', 'green']);
    const before = index.toSnapshot();
    index.add('secret', 'swordfish', { sessionId: 'hidden', order: 0 });
    index.delete('secret');
    const snapshot = index.toSnapshot();
    expect(snapshot).toEqual(before);
    const values = [...Object.values(snapshot.keywords), ...Object.values(snapshot)].filter(
      (value) => value !== snapshot.keywords && typeof value !== 'number',
    );
    expect(values).toHaveLength(8);
    expect(values.every((value) => ArrayBuffer.isView(value))).toBe(true);
    const refused = expect.objectContaining({ code: 'invalid-input' });
    const bad = [
      { ...snapshot, sessions: snapshot.sessions.map(() => 9) },
      { ...snapshot, orders: snapshot.orders.slice(1) },
      { ...snapshot, orders: snapshot.orders.map(() => NaN) },
      { ...snapshot, sessionIds: new Uint8Array([1]) },
      { ...snapshot, keywords: { ...snapshot.keywords, version: 0 as never } },
    ];
    for (const each of bad) expect(() => ConversationIndex.fromSnapshot(each)).toThrow(refused);
    expect(ConversationIndex.fromSnapshot(snapshot).size).toBe(2);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/language/terms.ts';
import { ConversationIndex } from '../../../src/search/conversation-index.ts';
import {
  mergeSegments,
  type ConversationSegment,
  type MessageMetadata,
} from '../../../src/search/conversation-segment.ts';
import type { LevelParts } from '../../../src/search/conversation-scores.ts';
import { KeywordIndex } from '../../../src/search/keyword-index.ts';
import { packTraits } from '../../../src/search/message-traits.ts';

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

const placed = (sessionId: string, order: number, speaker?: string): MessageMetadata => {
  const place = { sessionId, order, turnId: `t${order >> 1}`, createdAt: 1e12 + order };
  return speaker === undefined ? place : { ...place, speaker };
};

// Few numbers, so that a message is saved several times over.
const few = fc.nat({ max: 5 });
const saving = fc.record({ do: fc.constantFrom('save' as const, 'merge' as const, 'reopen' as const) });
const savingStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('add' as const), number: few, session: fc.nat({ max: 2 }), text }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), number: few }) },
  { weight: 4, arbitrary: saving },
);

interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly order: number;
  readonly text: string;
}

/** Each level as a keyword index of its own, over texts that are joined from scratch. */
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
  for (const [order, body] of texts.entries()) index.add(`m${order}`, body, placed(sessionId, order));
  return index;
}

describe('ConversationIndex', () => {
  it('KEY-17: messages, surroundings and sessions score like BM25 over their joined texts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), text, (steps, query) => {
        let index = new ConversationIndex();
        const model = new Map<string, Message>();
        for (const current of steps) {
          if (current.do === 'reopen') {
            index = ConversationIndex.fromSegments([structuredClone(index.toSegment(index.ids()))]);
            continue;
          }
          const id = `m${current.number}`;
          if (current.do === 'delete') {
            expect(index.delete(id)).toBe(model.delete(id));
            continue;
          }
          // Numbers come in any order: so do messages of a turn that was long in the making.
          const place = placed(`s${current.session}`, current.number);
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

  it('IDX-6: an index saved in segments, merged, erased from and reopened scores like one built from scratch', () => {
    fc.assert(
      fc.property(fc.array(savingStep, { maxLength: 40 }), text, (steps, query) => {
        let index = new ConversationIndex();
        let saved: ConversationSegment[] = [];
        const unsaved: string[] = [];
        const model = new Map<string, Message>();
        const put = (to: ConversationIndex, { id, sessionId, order, text: body }: Message): void =>
          to.add(
            id,
            body,
            placed(sessionId, order, order % 3 === 0 ? `Speaker ${order}` : undefined),
            packTraits(body),
          );
        const add = (message: Message): void => put(index, message);
        for (const current of steps) {
          if (current.do === 'save')
            saved.push(structuredClone(index.toSegment([...new Set(unsaved.splice(0))])));
          if (current.do === 'merge') {
            saved = [mergeSegments(saved)];
            const ids = saved.flatMap((segment) => segment.ids);
            expect(new Set(ids).size).toBe(ids.length);
          }
          if (current.do === 'reopen') {
            index = ConversationIndex.fromSegments(saved);
            for (const id of unsaved) {
              const message = model.get(id);
              if (message) add(message);
            }
          }
          if (current.do === 'delete') {
            const id = `m${current.number}`;
            index.delete(id);
            model.delete(id);
            saved = saved.map((segment) => mergeSegments([segment], new Set([id])));
          }
          if (current.do === 'add') {
            const { number: order, session, text: body } = current;
            const message = { id: `m${order}`, sessionId: `s${session}`, order, text: body };
            add(message);
            model.set(message.id, message);
            unsaved.push(message.id);
          }
        }
        const fresh = new ConversationIndex();
        for (const message of model.values()) put(fresh, message);
        expect(index.size).toBe(fresh.size);
        expect(index.speakers.toSorted()).toEqual(fresh.speakers.toSorted());
        const [scores, expected] = [index.score(query), fresh.score(query)];
        expect(scores.best(99, WEIGHTS)).toEqual(expected.best(99, WEIGHTS));
        for (const id of model.keys()) {
          expect(scores.partsOf(id)).toEqual(expected.partsOf(id));
          expect(index.metadataOf(id)).toEqual(fresh.metadataOf(id));
          expect(index.traitsOf(id)).toEqual(fresh.traitsOf(id));
          expect(index.neighbor(id, 'next')).toBe(fresh.neighbor(id, 'next'));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('IDX-7: only the postings of searched terms are read from a segment, each once', () => {
    const index = filled(['red green', 'green', 'blue']);
    const segment = index.toSegment(index.ids());
    let reads = 0;
    const postings = new Proxy(segment.postings, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const opened = ConversationIndex.fromSegments([{ ...segment, postings }]);
    expect(reads).toBe(0);
    expect(opened.score('green').best(9, WEIGHTS)).toEqual(['m1', 'm0']);
    expect(reads).toBe(2);
    opened.score('green');
    opened.score('never said');
    expect(reads).toBe(2);
  });

  it('KEY-18: surroundings are two messages on each side, within the session', () => {
    const index = filled(['a', 'b', 'the lighthouse', 'c', 'd', 'e']);
    index.add('other', 'x', placed('t', 3));
    const scores = index.score('lighthouse');
    for (const id of ['m0', 'm1', 'm3', 'm4']) expect(scores.partsOf(id).surroundings).toBeGreaterThan(0);
    expect(scores.best(9, WEIGHTS)).toEqual(['m2']);
    expect(scores.partsOf('m5')).toMatchObject({ message: 0, surroundings: 0, session: 1 });
    expect(scores.partsOf('other')).toEqual({ message: 0, surroundings: 0, session: 0 });
    expect(scores.partsOf('unknown')).toEqual({ message: 0, surroundings: 0, session: 0 });
  });

  it('KEY-19: messages around a deleted one become neighbors, and a late message takes its place', () => {
    const index = filled(['a', 'b', 'c']);
    expect(index.neighbor('m0', 'previous')).toBeUndefined();
    expect(index.neighbor('m2', 'next')).toBeUndefined();
    index.delete('m1');
    expect([index.neighbor('m0', 'next'), index.neighbor('m2', 'previous')]).toEqual(['m2', 'm0']);
    index.add('late', 'd', placed('s', 1));
    expect([index.neighbor('m0', 'next'), index.neighbor('m2', 'previous')]).toEqual(['late', 'late']);
    expect(index.neighbor('gone', 'next')).toBeUndefined();
  });

  it('KEY-20: parts are relative to the best message that the filter admits', () => {
    const index = filled(['apple apple apple', 'apple pie with cream and sugar', 'tea', 'tea', 'tea', 'tea']);
    expect(index.score('apple').partsOf('m0').message).toBe(1);
    const parts = index.score('apple', ({ order }) => order !== 0);
    expect(parts.partsOf('m1').message).toBe(1);
    expect(parts.best(9, WEIGHTS)).not.toContain('m0');
  });

  it('KEY-21: compacting after many deletions changes no score', () => {
    const index = new ConversationIndex();
    const fresh = new ConversationIndex();
    for (let i = 0; i < 3000; i++) {
      const body = `note ${i % 7} of day ${i % 31} number ${i}`;
      const place = placed(`s${i % 3}`, i);
      index.add(`m${i}`, body, place);
      if (i % 4 === 0) fresh.add(`m${i}`, body, place);
    }
    const ids = index.ids();
    const opened = [index.toSegment(ids.slice(0, 1700)), index.toSegment(ids.slice(1600))];
    for (const each of [ConversationIndex.fromSegments(opened), index]) {
      for (let i = 0; i < 3000; i++) if (i % 4 !== 0) each.delete(`m${i}`);
      const [scores, expected] = [each.score('day 3 number 1000'), fresh.score('day 3 number 1000')];
      expect(scores.best(50, WEIGHTS)).toEqual(expected.best(50, WEIGHTS));
      for (const id of expected.best(50, WEIGHTS)) {
        expect(scores.partsOf(id)).toEqual(expected.partsOf(id));
        expect(each.metadataOf(id)).toEqual(fresh.metadataOf(id));
      }
      expect(each.toSegment(each.ids())).toEqual(fresh.toSegment(fresh.ids()));
    }
  });

  it('KEY-22: a segment is typed arrays and ids, has nothing of deleted messages, and is rejected if damaged', () => {
    const index = filled(['red green', 'green']);
    const before = index.toSegment(index.ids());
    index.add('secret', 'swordfish', placed('hidden', 0, 'Mallory'));
    expect(index.speakers).toEqual(['Mallory']);
    index.delete('secret');
    expect(index.speakers).toEqual([]);
    const segment = index.toSegment(['secret', ...index.ids()]);
    expect(segment).toEqual(before);
    const { properties } = segment;
    const refused = expect.objectContaining({ code: 'invalid-input' });
    const bad = [
      null as never,
      { ...segment, version: 0 },
      { ...segment, properties: undefined as never },
      { ...segment, properties: null as never },
      { ...segment, properties: {} as never },
      ...Object.entries(properties).map(([name, column]) => ({
        ...segment,
        properties: { ...properties, [name]: damage(column) },
      })),
      { ...segment, properties: filled(['red']).toSegment(['m0']).properties },
    ];
    for (const each of bad) expect(() => ConversationIndex.fromSegments([each])).toThrow(refused);
    expect(ConversationIndex.fromSegments([segment]).size).toBe(2);
  });
});

/** Typed arrays with one bit the other way; anything else a little different. */
function damage(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer.slice(0));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return Reflect.construct(value.constructor as Uint8ArrayConstructor, [bytes.buffer]);
  }
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, damage(part)]));
}

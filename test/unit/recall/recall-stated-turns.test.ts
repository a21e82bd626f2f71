import { describe, expect, it } from 'vitest';
import {
  statedBySuccessors,
  statedElsewhere,
  statedIn,
  withOutdated,
} from '../../../src/recall/stated-turns.ts';
import { withoutReactions } from '../../../src/recall/reactions.ts';
import type { OutdatedQuote } from '../../../src/learning/claims/outdated-quotes.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import type { FoundTurn } from '../../../src/recall/layout/context-layout.ts';
import type { IndexedMessage } from '../../../src/recall/index/scope-index.ts';
import { claimsByMessage } from '../../fixtures/claims/by-message.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';

const DAY = Date.UTC(2026, 2, 1);

function message(id: string, content: string): StoredMessage {
  return {
    id,
    sessionId: 's',
    turnId: `turn ${id}`,
    turn: 0,
    seq: 0,
    role: 'user',
    content,
    createdAt: DAY,
    state: 'complete',
  };
}

function turnOf(said: StoredMessage): FoundTurn {
  return { messages: [said], score: 1, why: {} };
}

function row(messageId: string, text: string, rest: Partial<ClaimRow> = {}): ClaimRow {
  return {
    id: `${messageId} ${text}`,
    scope: 'user',
    text,
    messageId,
    ...{ sessionId: 's', seq: 0, start: 0, end: text.length, matters: [] },
    origin: 'user',
    kinds: ['other'],
    topic: '',
    score: 0.5,
    saidAt: DAY,
    ...rest,
  };
}

/** What is told of messages that were found in this order. */
function told(
  said: readonly StoredMessage[],
  rows: readonly ClaimRow[],
  outdated: ReadonlyMap<string, readonly OutdatedQuote[]> = new Map(),
): string[] {
  const hits = said.map(({ id }, at) => ({ id, score: 10 - at, parts: {} }));
  return statedIn(hits, claimsByMessage(rows), said.map(turnOf), outdated, new Set()).map(({ text }) => text);
}

describe('how turns are quoted', () => {
  it('REC-30: the two best messages are quoted whole if short, others by their sentences', () => {
    const said = ['a', 'b', 'c'].map((id) => message(id, `Mina has a parrot ${id}.\nIt is called Figo.`));
    const rows = said.map(({ id }) => row(id, `Mina has a parrot ${id}.`));
    expect(told(said, rows)).toEqual([
      'Mina has a parrot a. It is called Figo.',
      'Mina has a parrot b. It is called Figo.',
      'Mina has a parrot c.',
    ]);
    expect(told(said, [])).toHaveLength(2);
  });

  it("REC-31: long messages, questions, other people's messages, pasted text and ended statements are not quoted whole", () => {
    const rows = [row('a', 'Mina has a parrot.')];
    const whole = (content: string, ended: readonly ClaimRow[] = []): string | undefined =>
      told([message('a', content)], [...rows, ...ended])[0];
    expect(whole('Mina has a parrot. It sings.')).toBe('Mina has a parrot. It sings.');
    for (const content of [
      `Mina has a parrot. ${'It sings. '.repeat(40)}`,
      'Mina has a parrot. Does it need a bath?',
      'Mina has a parrot. She wrote:\n\n> I live in Lima and my parrot bites.\n> It is green.',
    ])
      expect(whole(content)).toBe('Mina has a parrot.');
    const others = { ...message('a', 'Mina has a parrot. It sings.'), name: 'Kim' } as StoredMessage;
    expect(told([others], rows)).toEqual(['Mina has a parrot.']);
    const ended = [row('a', 'It sings.', { endedBy: 'other' })];
    expect(whole('Mina has a parrot. It sings.', ended)).toBe('Mina has a parrot.');
  });

  it('REC-32: among messages not found, sentences about nobody come last', () => {
    const rows = [
      row('task', 'assume that the bag holds ten balls', { score: 0.9 }),
      row('own', 'I row on Sundays', { score: 0.3 }),
      row('kin', 'Mum takes the bus', { score: 0.4, kinds: ['family'] }),
      row('found', 'I sing'),
      row('past', 'I smoke', { endedBy: 'other' }),
    ];
    const place = ({ messageId }: ClaimRow): IndexedMessage =>
      ({ id: messageId, turnId: messageId, sessionId: 's', createdAt: DAY }) as IndexedMessage;
    const notes = statedElsewhere(claimsByMessage(rows), [turnOf(message('found', 'I sing'))], (id) =>
      place(row(id, '')),
    );
    expect(notes.map(({ sources }) => sources[0])).toEqual(['kin', 'own', 'task']);
  });
});

describe('answers that only react', () => {
  const answered = (content: string, asked = 'We sold the herd, two goats stay.'): FoundTurn => {
    const place = { sessionId: 's', turnId: 'turn q', turn: 0, seq: 1, createdAt: DAY } as const;
    const answer: StoredMessage = { ...place, id: 'a', role: 'assistant', content, state: 'complete' };
    return { messages: [message('q', asked), answer], score: 1, why: {} };
  };
  const quoted = (turn: FoundTurn, words: readonly string[] = [], hits: readonly string[] = []): number =>
    withoutReactions(
      [turn],
      hits.map((id) => ({ id, score: 1, parts: {} })),
      new Set(words),
    )[0]?.messages.length ?? 0;

  it('REC-89: they are not quoted', () => {
    expect(quoted(answered('Good that they stay.'))).toBe(1);
  });

  it('REC-89: an answer is quoted if it is long, found, about the question, or an answer to one', () => {
    expect(quoted(answered('A goat eats two kilos of hay a day. '.repeat(8)))).toBe(2);
    expect(quoted(answered('Good that they stay.'), [], ['a'])).toBe(2);
    expect(quoted(answered('Feed them hay.'), ['hai', 'hay'])).toBe(2);
    expect(quoted(answered('Two kilos.', 'How much hay does a goat eat?'))).toBe(2);
    expect(quoted(answered('Dear vet, …', 'Write a mail to the vet'))).toBe(2);
  });
});

describe('turns with something that has ended', () => {
  const said = [message('old', 'I sing in a choir. I keep bees.'), message('end', 'I quit the choir.')];
  const turns = said.map((each, at): FoundTurn => ({ ...turnOf(each), score: 2 - at }));
  const since = new Map([['old', [{ quote: 'I sing in a choir.', since: DAY, byMessageId: 'end' }]]]);
  const ended = row('old', 'I sing in a choir.', { endedBy: 'end I quit the choir.' });
  const scores = (rows: readonly ClaimRow[]): number[] =>
    withOutdated(turns, since, claimsByMessage(rows)).map(({ score }) => score);

  it('REC-80: a turn in which something holds keeps its rank, and one in which nothing holds goes behind its successor', () => {
    const [kept, beside = 0] = scores([ended, row('old', 'I keep bees.')]);
    expect(kept).toBe(2);
    expect(beside).toBeLessThan(2);
    expect(beside).toBeCloseTo(2);
    const [behind = 2] = scores([ended]);
    expect(behind).toBeLessThan(1);
  });

  it('REC-82: what ended something of a turn is told beside it, though search has not found it', () => {
    const place = message('end', 'I quit the choir.') as unknown as IndexedMessage;
    const rows = [ended, row('end', 'I quit the choir.')];
    const notes = (found: readonly FoundTurn[], of: readonly ClaimRow[] = rows): string[] =>
      statedBySuccessors(found, since, claimsByMessage(of), () => place).map(({ text }) => text);
    expect(notes(turns.slice(0, 1))).toEqual(['I quit the choir.']);
    expect(notes(turns)).toEqual([]);
    expect(notes(turns.slice(1))).toEqual([]);
    // Nothing is told of a successor that is over, too.
    expect(notes(turns.slice(0, 1), [ended, row('end', 'I quit the choir.', { endedBy: 'x' })])).toEqual([]);
  });

  it('REC-82: if the successor is over as well, what ended it stands in its place', () => {
    const chain = ['old', 'end', 'last'].map((id, at) => ({ ...turnOf(message(id, id)), score: 9 - at }));
    const over = new Map([
      ...since,
      ['end', [{ quote: 'I quit the choir.', since: DAY, byMessageId: 'last' }]] as const,
    ]);
    const rows = [ended, row('end', 'end', { endedBy: 'last' }), row('last', 'last')];
    const order = withOutdated(chain, over, claimsByMessage(rows)).toSorted((a, b) => b.score - a.score);
    expect(order[0]?.messages[0]?.id).toBe('last');
  });

  it('REC-83: a short message of which a part is over is told by the words that hold', () => {
    const text = 'I sing in a choir and I keep bees.';
    const rows = [row('a', 'I keep bees.')];
    const outdated = new Map([['a', [{ quote: 'I sing in a choir', since: DAY }]]]);
    expect(told([message('a', text)], rows)).toEqual([text]);
    expect(told([message('a', text)], rows, outdated)).toEqual(['I keep bees.']);
  });
});

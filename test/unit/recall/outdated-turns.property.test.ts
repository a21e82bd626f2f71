import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OutdatedQuote } from '../../../src/learning/claims/outdated-quotes.ts';
import type { FoundTurn } from '../../../src/recall/layout/context-layout.ts';
import {
  statedBySuccessors,
  statedElsewhere,
  statedIn,
  withOutdated,
} from '../../../src/recall/stated-turns.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import { claimsByMessage } from '../../fixtures/claims/by-message.ts';
import { assemble, EMPTY, spoken } from '../../fixtures/context-input.ts';

/** How much of a sentence is over. */
const states = fc.constantFrom('holds', 'part', 'whole', 'rejected', 'question');
const messages = fc.array(states, { minLength: 1, maxLength: 4 });
const turns = fc.array(
  fc.record({
    user: messages,
    assistant: messages,
    score: fc.integer({ min: 0, max: 9 }),
    /** Turn that ended something of it. */
    by: fc.nat(7),
    isFound: fc.boolean(),
  }),
  { minLength: 1, maxLength: 7 },
);
const NAMES = ['alder', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'maple'];

interface Said {
  readonly found: FoundTurn[];
  readonly missed: FoundTurn[];
  readonly rows: ClaimRow[];
  readonly outdated: ReadonlyMap<string, readonly OutdatedQuote[]>;
}

function said(given: typeof turns extends fc.Arbitrary<infer Turns> ? Turns : never): Said {
  const rows: ClaimRow[] = [];
  const outdated = new Map<string, OutdatedQuote[]>();
  const all = given.map(({ user, assistant, by, score }, turn) => {
    const spokenBy = (role: 'user' | 'assistant', sentences: readonly string[]) => {
      const place = role === 'user' ? 0 : 1;
      const texts = sentences.map(
        (state, at) =>
          `${NAMES[turn]}${place}${at} grows in the yard and ${NAMES[turn]}${place}${at} is old${state === 'question' ? '?' : '.'}`,
      );
      const message = spoken(texts.join(' '), turn, role, place);
      for (const [at, text] of texts.entries()) {
        const state = sentences[at] ?? 'holds';
        if (state === 'question') continue;
        const [held = '', over = ''] = text.split(' and ');
        if (state !== 'holds') {
          const quote = state === 'part' ? over : text;
          const end = state === 'rejected' ? { isRejected: true as const } : { byMessageId: `m${by}x0` };
          outdated.set(message.id, [...(outdated.get(message.id) ?? []), { quote, since: turn, ...end }]);
        }
        if (role === 'user') rows.push(claim(message.id, state === 'part' ? held : text, state));
      }
      return message;
    };
    return { messages: [spokenBy('user', user), spokenBy('assistant', assistant)], score, why: {} };
  });
  const isFound = (_turn: FoundTurn, at: number): boolean => given[at]?.isFound === true;
  return {
    found: all.filter(isFound),
    missed: all.filter((turn, at) => !isFound(turn, at)),
    rows,
    outdated,
  };
}

function claim(messageId: string, text: string, state: string): ClaimRow {
  return {
    id: `${messageId} ${text}`,
    ...{ scope: 'user', text, messageId, sessionId: 's', seq: 0, start: 0, end: text.length, matters: [] },
    ...{ origin: 'user', kinds: ['other'], topic: '', score: 0.5, saidAt: 0 },
    ...(state === 'whole' || state === 'rejected' ? { endedBy: 'other' } : {}),
  } as ClaimRow;
}

function marksIn(text: string): string[] {
  return Array.from(
    text.matchAll(/(?:no longer true since [\d-]+|rejected by the user): "([^"]*)"/gu),
    (match) => String(match[1]),
  );
}

it('REC-83: in any context, words that are over stand under a mark wherever they are quoted', () => {
  let quoted = 0;
  fc.assert(
    fc.property(turns, fc.integer({ min: 60, max: 1200 }), (given, maxTokens) => {
      const { found, missed, rows, outdated } = said(given);
      const claims = claimsByMessage(rows);
      const hits = found.flatMap((turn) =>
        turn.messages.map(({ id }) => ({ id, score: turn.score, parts: {} })),
      );
      const places = new Map(missed.flatMap((turn) => turn.messages).map((message) => [message.id, message]));
      const placeOf = (id: string) => places.get(id) as never;
      const replacing = statedBySuccessors(found, outdated, claims, placeOf);
      const { items } = assemble({
        ...EMPTY,
        maxTokens,
        stated: [
          ...statedIn(hits, claims, found, outdated, new Set()),
          ...replacing,
          ...statedElsewhere(claims, found, placeOf, replacing),
        ],
        found: withOutdated(found, outdated, claims),
      });
      for (const { text } of items) {
        const marks = marksIn(text);
        const head = text.slice(0, text.indexOf(']\n') + 1);
        const body = text.startsWith('[') ? text.slice(head.length) : text;
        for (const { quote } of [...outdated.values()].flat()) {
          if (!body.includes(quote)) continue;
          quoted += 1;
          expect(marks).toContain(quote);
        }
        // What holds is not marked, whatever ended beside it.
        for (const { text: held } of rows.filter(({ endedBy }) => endedBy === undefined))
          expect(marks.some((mark) => mark.includes(held))).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
  expect(quoted).toBeGreaterThan(300);
});

it('REC-80: a turn in which something holds keeps its score whatever else of it is over', () => {
  fc.assert(
    fc.property(turns, (given) => {
      const { found, rows, outdated } = said(given);
      const claims = claimsByMessage(rows);
      const marked = withOutdated(found, outdated, claims);
      expect(marked.map(({ messages: each }) => each)).toEqual(found.map(({ messages: each }) => each));
      for (const [at, turn] of marked.entries()) {
        const before = found[at];
        const holds = turn.messages.some(({ id }) =>
          rows.some(({ messageId, endedBy }) => messageId === id && endedBy === undefined),
        );
        if (holds) expect(turn.score).toBeGreaterThanOrEqual(before?.score ?? NaN);
        const parts = turn.messages.flatMap(({ id }) => outdated.get(id) ?? []);
        expect(turn.outdated ?? []).toEqual(parts);
      }
    }),
    { numRuns: 300 },
  );
});

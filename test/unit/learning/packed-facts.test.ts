import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameKey } from '../../../src/graph/entity-name.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import { toParts } from '../../../src/learning/packed-graph.ts';
import { packedWords } from '../../../src/learning/packed-words.ts';
import type { RowChanges } from '../../../src/storage/knowledge-store.ts';
import type { EntityRow, FactRow } from '../../../src/storage/schema.ts';

const NAMES = ['Ann', 'Bob Stone', 'Zoë', 'user', 'Turin'];
const PREDICATES = ['likes', 'lives in', 'does not like', 'has read'];
const WORDS = ['like', 'live', 'read', 'tea', 'turin', 'ann', 'zoë', 'zoe', 'stone', 'not', 'rain'];

const row = fc.record({
  id: fc.integer({ min: 0, max: 11 }),
  subject: fc.constantFrom(...NAMES, 'ANN', "Ann's"),
  predicate: fc.constantFrom(...PREDICATES),
  object: fc.constantFrom(...NAMES, 'tea', 'green tea', 'the rain'),
});
const noted = fc.record({
  note: fc.constantFrom('', 'likes tea', 'It rained in Turin.', 'read what Ann wrote'),
  rewrites: fc.boolean(),
});
const told = fc.record({
  name: fc.constantFrom(...NAMES),
  notes: fc.array(noted, { maxLength: 3 }),
});
const changes = fc.record({
  facts: fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 8 }),
  entities: fc.uniqueArray(told, { selector: ({ name }) => name, maxLength: 4 }),
  removedFacts: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 4 }),
  removedEntities: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
  claims: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
  removedClaims: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
});

let nextSeq = 0;

function toChanges(given: typeof changes extends fc.Arbitrary<infer T> ? T : never): RowChanges {
  return {
    facts: given.facts.map(({ id, subject, predicate, object }): FactRow => {
      const words = { subject, predicate, object, subjectKey: nameKey(subject), objectKey: nameKey(object) };
      const sources = [{ messageId: `m${id}`, quote: `${subject} ${object}` }];
      const times = { validFrom: id, recordedAt: id, seq: nextSeq++ };
      const rest = { scope: 'user', supersedes: [], source: 'extracted' as const, attributes: {} };
      return { id: `f${id}`, ...words, ...times, ...rest, sources, messageIds: [`m${id}`] };
    }),
    entities: given.entities.map(({ name, notes }): EntityRow => {
      const mentions = notes.map(({ note, rewrites }, n) => ({
        ...{ messageIds: [`n${n}`], note, aliases: [], recordedAt: n },
        ...(rewrites ? { rewrites } : {}),
      }));
      const key = nameKey(name);
      const messageIds = mentions.flatMap((mention) => mention.messageIds);
      return {
        scope: 'user',
        key,
        id: `id of ${key}`,
        name,
        attributes: {},
        isStandalone: true,
        mentions,
        messageIds,
      };
    }),
    removedFacts: given.removedFacts.map((id) => `f${id}`),
    removedEntities: given.removedEntities.map((name) => `id of ${nameKey(name)}`),
    claims: given.claims.map((n) => ({
      id: `s${n}`,
      scope: 'user',
      text: `said ${n}`,
      messageId: `m${n}`,
      ...{ sessionId: 's', seq: n, start: 0, end: 6, matters: [] },
      origin: 'user' as const,
      kinds: ['other'],
      topic: 'tea',
      score: 1,
      saidAt: n,
    })),
    removedClaims: given.removedClaims.map((n) => `s${n}`),
  };
}

/** The same rows, as a tab has them that reads them packed. */
function reopened(rows: KnowledgeRows): KnowledgeRows {
  const parts = toParts(rows.all(), 3);
  const packed = parts.map((part) => ({
    rows: JSON.stringify(part),
    index: structuredClone(rows.pack(part)),
  }));
  const words = packedWords(packed);
  expect(words).toHaveLength(parts.length);
  const opened = new KnowledgeRows('user', {}, words);
  for (const part of parts) opened.unpack(structuredClone(part));
  return opened;
}

function answersOf(rows: KnowledgeRows): unknown {
  const { sentenceIndex } = rows;
  const searches = WORDS.map((word) => sentenceIndex.search([word, 'tea'], 50, () => true));
  return {
    searches,
    sentences: searches.flat().map(({ id }) => sentenceIndex.get(id)),
    shared: WORDS.map((word) => sentenceIndex.sharing([word, 'like'])),
    full: sentenceIndex.fullScore,
    stated: rows.claimIndex.statedTerms(['said', '1', '2', '5'], () => 1).map(({ size }) => size),
    claims: [...rows.claims.values()].toSorted((a, b) => a.saidAt - b.saidAt),
  };
}

it('FACT-22: knowledge from a snapshot answers and changes like knowledge from rows', () => {
  fc.assert(
    fc.property(changes, fc.array(changes, { maxLength: 3 }), (before, later) => {
      const rows = new KnowledgeRows('user');
      rows.apply(toChanges(before));
      let opened = reopened(rows);
      expect(answersOf(opened)).toEqual(answersOf(rows));
      for (const each of later) {
        const applied = toChanges(each);
        rows.apply(applied);
        opened.apply(structuredClone(applied));
        expect(answersOf(opened)).toEqual(answersOf(rows));
        opened = reopened(opened);
      }
    }),
    { numRuns: 300 },
  );
});

it('FACT-26: an entity that gains a mention at a time is found by the same notes as one with all of them', () => {
  fc.assert(
    fc.property(fc.array(noted, { minLength: 1, maxLength: 5 }), (notes) => {
      const none = { facts: [], removedFacts: [], removedEntities: [], claims: [], removedClaims: [] };
      const withMentions = (count: number): RowChanges =>
        toChanges({ ...none, entities: [{ name: 'Zoë', notes: notes.slice(0, count) }] });
      const grown = new KnowledgeRows('user');
      for (const [at] of notes.entries()) {
        grown.apply(withMentions(at + 1));
        answersOf(grown);
      }
      const whole = new KnowledgeRows('user');
      whole.apply(withMentions(notes.length));
      expect(answersOf(grown)).toEqual(answersOf(whole));
    }),
  );
});

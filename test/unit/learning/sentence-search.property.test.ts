import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SentenceIndex } from '../../../src/learning/sentence-index.ts';
import type { FactRow } from '../../../src/storage/schema.ts';

const NAMES = ['user', 'Ada', 'Bo', 'Cy Dee', 'Ida', '🦉'];
const PREDICATES = ['likes', 'works at', 'lives in', 'met'];

function factOf(id: string, [subject, predicate, object]: readonly [string, string, string]): FactRow {
  const [subjectKey, objectKey] = [subject.toLowerCase(), object.toLowerCase()];
  return {
    id,
    subject,
    subjectKey,
    predicate,
    object,
    objectKey,
    sources: [],
    recordedAt: 0,
  } as unknown as FactRow;
}

/** So that the entities of most questions are in few facts. */
const COMMON = Array.from({ length: 150 }, (_, at) => ['user', PREDICATES[at % 4] ?? '', 'porto'] as const);

it('RANK-30: facts about some entities are found with the same scores as among all that share a word', () => {
  const name = fc.constantFrom(...NAMES, 'Porto', 'Globex', 'the blue lamp');
  const triple = fc.tuple(name, fc.constantFrom(...PREDICATES), name);
  fc.assert(
    fc.property(
      fc.array(triple, { minLength: 1, maxLength: 40 }),
      fc.array(fc.constantFrom('ada', 'bo', 'cy', 'dee', 'like', 'work', 'porto', 'lamp', 'met', 'user'), {
        minLength: 1,
      }),
      fc.uniqueArray(fc.constantFrom(...NAMES.map((each) => each.toLowerCase())), { minLength: 1 }),
      fc.integer({ min: 1, max: 12 }),
      (triples, words, keys, k) => {
        const all = [...triples, ...COMMON];
        const facts = new Map(all.map((each, at) => [`f${at}`, factOf(`f${at}`, each)]));
        const index = new SentenceIndex({ facts, entityById: () => undefined }, []);
        for (const id of facts.keys()) index.putFact(id);
        const isAbout = ({ entities }: { readonly entities: readonly string[] }): boolean =>
          entities.some((key) => keys.includes(key));
        expect(index.search(words, k, isAbout, keys)).toEqual(index.search(words, k, isAbout));
      },
    ),
  );
});

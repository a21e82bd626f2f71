import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEntities, parseTriples } from '../../../src/learning/parse-replies.ts';

const triples = (text: string): string[][] =>
  parseTriples(text).map(({ subject, predicate, object }) => [subject, predicate, object]);

const SAM = ['Sam', 'likes', 'tea'];
const ANN = ['Ann', 'likes', 'rain'];

describe('facts in a reply', () => {
  it.each([
    ['(Sam, likes, tea)<|>(Ann, likes, rain)', [SAM, ANN]],
    ['(Sam, likes, tea) < | > (Ann, likes, rain)', [SAM, ANN]],
    ['(Sam, likes, tea)\n(Ann, likes, rain)', [SAM, ANN]],
    ['(Sam, likes, tea), (Ann, likes, rain)', [SAM, ANN]],
    ['(Sam,likes,tea).', [SAM]],
    ['( Sam , likes , tea )', [SAM]],
    ['Sam, likes, tea', [SAM]],
    ['Sam, likes, tea.', [SAM]],
    ['(Sam, likes, tea', [SAM]],
    ['- (Sam, likes, tea)\n2. (Ann, likes, rain)', [SAM, ANN]],
    ['("Sam", \'likes\', **tea**)', [SAM]],
    ['(Sam | likes | tea)', [SAM]],
    ['Sam -> likes -> tea', [SAM]],
    ['Sam\tlikes\ttea', [SAM]],
    ['Output: (Sam, likes, tea) END OF EXAMPLE', [SAM]],
    ['Here they are, as asked, for you:\n(Sam, likes, tea)', [SAM]],
    ['```\n(Sam, likes, tea)\n```', [SAM]],
    ['```json\n[{"subject":"Sam","predicate":"likes","object":"tea"},]\n```', [SAM]],
    ['Sure! {"triples":[["Sam","likes","tea"],["Ann","likes","rain"]]} Anything else?', [SAM, ANN]],
    ['[["Sam","likes","tea"],["Ann","li', [SAM]],
    ['["Sam","likes","tea"]', [SAM]],
    ['**(Sam, likes, tea)**', [SAM]],
    ['<think>(x, y, z)</think>(Sam, likes, tea)', [SAM]],
    ['["(Sam, likes, tea)", "(Ann, likes, rain)", "(Sam, likes, tea)"]', [SAM, ANN, SAM]],
  ])('EXT-28: the facts in %j are found', (text, expected) => {
    expect(triples(text)).toEqual(expected);
  });

  it.each([
    ['(Apple, Inc., is a, company)', ['Apple, Inc.', 'is a', 'company']],
    ['(Sam, lives in, Paris, France)', ['Sam', 'lives in', 'Paris, France']],
    [
      '(Martin Luther King, Jr., was born in, Atlanta, Georgia)',
      ['Martin Luther King, Jr.', 'was born in', 'Atlanta, Georgia'],
    ],
    ['("Smith, John", knows, Ann)', ['Smith, John', 'knows', 'Ann']],
    ['(Sam, works at, Acme Inc.)', ['Sam', 'works at', 'Acme Inc.']],
    ['(Paris, is capital of, France (country))', ['Paris', 'is capital of', 'France (country)']],
    ['(Sam | lives in | Paris, Texas, USA)', ['Sam', 'lives in', 'Paris, Texas, USA']],
    ['(Sam; Bob, are, friends; foes)', ['Sam; Bob', 'are', 'friends; foes']],
    ['(A|B, or, C|D)', ['A|B', 'or', 'C|D']],
    ["('Salem's Lot, is, a book)", ["'Salem's Lot", 'is', 'a book']],
    ['(1. FC Köln, is a, club)', ['1. FC Köln', 'is a', 'club']],
    ['(__init__, is a, method)', ['__init__', 'is a', 'method']],
  ])('EXT-29: commas and brackets in the names of %j are kept', (text, expected) => {
    expect(triples(text)).toEqual([expected]);
  });

  it.each([
    '',
    '  \n',
    'NONE',
    'none',
    'None.',
    '**NONE**',
    '(NONE)',
    '"none"',
    'N/A',
    '[]',
    '{"triples":[]}',
    'Output: NONE',
    'NONE<|>NONE',
    '(none, none, none)',
  ])('EXT-30: there are no facts in %j', (text) => {
    expect(triples(text)).toEqual([]);
  });

  it.each([
    '(a, b)',
    'garbage',
    'I am sorry, I cannot do that.',
    '( , likes, tea)',
    '(Sam, ..., tea)',
    '[{"subject":"Sam","predicate":"likes"}]',
    '[["Sam","likes",{"__proto__":"tea"}]]',
    '[["Sam","likes","tea","cake"]]',
    '[1, null, true]',
    `(Sam, likes, ${'x'.repeat(501)})`,
  ])('EXT-31: an invalid line does not affect others: %j', (text) => {
    expect(triples(text)).toEqual([]);
    if (!text.startsWith('['))
      expect(triples(`(Sam, likes, tea)<|>${text}<|>(Ann, likes, rain)`)).toEqual([SAM, ANN]);
  });

  it('EXT-32: facts are read back as written, whatever the names', () => {
    const name = fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} ]{0,20}[\p{L}\p{N}]$/u);
    // A suffix such as "Jr" belongs to the name before the comma.
    const isNoName = (part: string): boolean =>
      / {2}|^(?:none|inc|ltd|llc|corp|co|jr|sr|phd|md|esq|gmbh)$/iu.test(part);
    const words = fc.tuple(name, name, name).filter((parts) => !parts.some(isNoName));
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('<|>', '\n'),
        (facts, joint) => {
          const isNothing = (part: string): boolean => parseEntities(part).length === 0;
          fc.pre(!facts.some((parts) => parts.some(isNothing)));
          expect(triples(facts.map((parts) => `(${parts.join(', ')})`).join(joint))).toEqual(facts);
          expect(triples(JSON.stringify(facts))).toEqual(facts);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('EXT-33: any text can be parsed and gives complete facts of bounded length', () => {
    const hostile = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom('(', ')', '[', ']', '{', '}', ',', '"', '<|>', '\n', '```', '->', '|', ' '),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        for (const part of parseTriples(parts.join('')).flatMap((triple) => Object.values(triple))) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(500);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(parseEntities(parts.join('')).every((entity) => entity.trim() !== '')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['(', '[', '{"a":', '"', ',', ' ', '\t', '```', '<', 'Inc,', '*', '(a, b, c)', '[["a","b","c"],'])(
    'EXT-34: a megabyte of %j is parsed in linear time',
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(parseTriples(`${text}x`).length).toBeLessThan(text.length);
      expect(parseEntities(`${text}x`).length).toBeLessThan(text.length);
    },
  );
});

describe('names in a reply', () => {
  it.each([
    ['Sam, Acme', ['Sam', 'Acme']],
    ['Sam,', ['Sam']],
    ['Sam\nAcme', ['Sam', 'Acme']],
    ['- Sam\n* Acme', ['Sam', 'Acme']],
    ['1. Sam\n2. Acme', ['Sam', 'Acme']],
    ['Output: Sam', ['Sam']],
    ['Sam, sam, SAM', ['Sam']],
    ['Acme, Inc., Sam.', ['Acme, Inc.', 'Sam']],
    ["O'Brien; 'Sam'; \"Ann\"", ["O'Brien", 'Sam', 'Ann']],
    ['["Sam", "Acme"]', ['Sam', 'Acme']],
    ['{"entities":[{"name":"Sam"},"Acme"]}', ['Sam', 'Acme']],
    ['[Sam, Acme]', ['Sam', 'Acme']],
    ['(Sam, Acme)', ['Sam', 'Acme']],
    ['"Sam, Acme"', ['Sam', 'Acme']],
    ["'Sam, Acme'", ['Sam', 'Acme']],
    ['**Sam, Acme**', ['Sam', 'Acme']],
    ['**Sam**, `Acme`', ['Sam', 'Acme']],
    ['"Weird Al" Yankovic, *NSYNC', ['"Weird Al" Yankovic', '*NSYNC']],
    ['*args, **kwargs, __init__', ['*args', '**kwargs', '__init__']],
    ["'Salem's Lot", ["'Salem's Lot"]],
    ['<think>Ann?</think>Sam', ['Sam']],
    [' NONE \n', []],
    ['none', []],
    ['NONE.', []],
    ['', []],
    ['x'.repeat(301), []],
  ])('EXT-35: the names in %j are found', (text, expected) => {
    expect(parseEntities(text)).toEqual(expected);
  });
});

import { expect, it } from 'vitest';
import type { Extraction, ExtractionInput } from '../../../../src/learning/extractor.ts';
import { llmExtractor } from '../../../../src/learning/llm/llm-extractor.ts';

const TEXT = 'I live in Oslo. I work at Acme. My sister Emma is a nurse.';
const INPUT: ExtractionInput = {
  messages: [{ id: 'a', role: 'user', text: TEXT, createdAt: 1 }],
  ...{ context: [], entities: [], facts: [] },
};
const OSLO = '{"subject":"user","predicate":"lives in","object":"Oslo","message":"m1"}';
const ACME = '{"subject":"user","predicate":"works at","object":"Acme","message":"m1"}';
const EMMA = '{"name":"Emma","note":"a nurse","message":"m1"}';
const FACTS = `{"facts":[${OSLO},${ACME}]}`;
const OSLO_LIST = '["user","lives in","Oslo","m1"]';
const ACME_LIST = '["user","works at","Acme","m1"]';

function extracted(text: string): Promise<Extraction> {
  return llmExtractor(async () => ({ text })).extract(INPUT);
}

function fenced(...texts: readonly string[]): string {
  return texts.map((text) => `\`\`\`json\n${text}\n\`\`\``).join('\nand\n');
}

function quoting(fact: string, quote: string): string {
  return `{"quote":"${quote}",${fact.slice(1)}`;
}

it.each([
  ['an object on each line', `${OSLO}\n${ACME}`],
  ['a list on each line', `${OSLO_LIST}\n${ACME_LIST}`],
  ['two lists', `[${OSLO}]\n[${ACME}]`],
  ['a fence for each list', fenced(`{"entities":[${EMMA}]}`, FACTS)],
  ['a fence for each fact', fenced(OSLO, ACME)],
  ['a mention of messages before it', `Based on ["m1", "f2"]:\n${FACTS}`],
  [
    'an analysis before it',
    `<|channel|>analysis<|message|>Facts of ["m1"].<|end|><|channel|>final<|message|>${FACTS}`,
  ],
  ['prose after it', `${FACTS}\nI left out {the rest} [of it].`],
])('EXT-37: all values of a reply are read: %s', async (_what, text) => {
  const { triples, unreadable } = await extracted(text);
  expect(triples.map(({ object }) => object)).toEqual(['Oslo', 'Acme']);
  expect(unreadable).toBe(0);
});

it('EXT-37: entities after the facts are read, and none is read twice', async () => {
  const { mentions, triples } = await extracted(`${FACTS}\n{"entities":[${EMMA}]}`);
  expect(mentions.map(({ name }) => name)).toEqual(['Emma']);
  expect(triples).toHaveLength(2);
  const alone = await extracted(`{"facts":[]}\n{"entities":[${EMMA}]}`);
  expect(alone.mentions).toHaveLength(1);
});

it.each([
  ['a line break', `{"facts":[${quoting(OSLO, 'I live\nin Oslo')},${ACME}]}`, 'I live in Oslo'],
  ['quotation marks', `{"facts":[${quoting(OSLO, 'I "live" in Oslo')},${ACME}]}`, 'I "live" in Oslo'],
  ['an escaped apostrophe', `{"facts":[${quoting(OSLO, "I\\'m in Oslo")},${ACME}]}`, "I'm in Oslo"],
  [
    'a valid escape',
    `{"facts":[${quoting(OSLO, String.raw`I \"live\" \u0069n\tOslo`)},${ACME}]}`,
    'I "live" in Oslo',
  ],
])('EXT-38: a quote may contain %s', async (_what, text, quote) => {
  const { triples, unreadable } = await extracted(text);
  expect(triples.map(({ object }) => object)).toEqual(['Oslo', 'Acme']);
  expect(triples[0]?.quote).toBe(quote);
  expect(unreadable).toBe(0);
});

it.each([
  ['a quotation mark that ends a word', `{"facts":[${quoting(OSLO, 'a "b", c')},${ACME}],"entities":[]}`],
  ['a quotation mark without a partner', `{"facts":[${quoting(OSLO, '5" tall')},${ACME}],"entities":[]}`],
  ['a missing value', `{"facts":[{"subject":,"object":"Oslo"},${ACME}]}`],
  ['a broken list', `{"facts":[["user","lives in" "Oslo"],${ACME_LIST}]}`],
  ['a broken object alone on its line', `{"subject":"user","predicate":}\n${ACME}`],
])('EXT-38: a broken fact is counted, and the others are kept: %s', async (_what, text) => {
  const { triples, unreadable } = await extracted(text);
  expect(triples.map(({ object }) => object)).toContain('Acme');
  expect(triples.length + (unreadable ?? 0)).toBeGreaterThanOrEqual(2);
});

it('EXT-38: two names without a comma between them are not one', async () => {
  const { triples, unreadable } = await extracted('{"facts":[["user" "lives in","Oslo","m1"]]}');
  expect({ triples, unreadable }).toEqual({ triples: [], unreadable: 1 });
});

it('EXT-38: the list of a field of a broken object is not a fact', async () => {
  const broken = '{"name":"Emma","aliases":["Em","lives in","Oslo"],"note":}';
  expect((await extracted(`{"entities":[${broken}],"facts":[${ACME}]}`)).triples).toHaveLength(1);
});

import { expect, it } from 'vitest';
import { partsOf, withoutWords } from '../../../../src/learning/claims/claim-parts.ts';
import { distinctQuotes } from '../../../../src/learning/claims/outdated-quotes.ts';

it.each([
  ['Je vis à Lyon avec ma fille.', ['Je vis à Lyon avec ma fille.']],
  ['Je vis à Lyon, ma fille à Paris.', ['Je vis à Lyon', 'ma fille à Paris.']],
  ["J'adore ma fille.", ["J'adore ma fille."]],
  ['Vivo a Roma ma lavoro a Milano.', ['Vivo a Roma', 'lavoro a Milano.']],
])('CLM-49: "%s" has the parts %j', (text, parts) => {
  expect(partsOf(text).map((part) => part.text)).toEqual(parts);
});

it('CLM-49: what is left of a message whose other half is rejected keeps French "ma"', () => {
  const rejected = { quote: 'Je vis à Lyon', since: 0, isRejected: true } as const;
  const over = { quote: 'Je vis à Lyon, ma femme adore Paris.', since: 0 };
  expect(distinctQuotes([rejected, over]).map(({ quote }) => quote)).toEqual([
    'Je vis à Lyon',
    'ma femme adore Paris.',
  ]);
});

it('CLM-49: what is left of a clause keeps French "ma"', () => {
  expect(withoutWords('Je vis à Lyon, ma fille à Paris.', 'Je vis à Lyon')).toBe('ma fille à Paris.');
  expect(withoutWords('Vivo a Roma ma lavoro a Milano.', 'Vivo a Roma')).toBe('lavoro a Milano.');
});

it.each([
  ['My sister and I live in Oslo, and we teach.', 'My sister and I live in Oslo'],
  ['Tom and I live in Oslo.', 'Tom and I live in Oslo.'],
  ['Meine Schwester und ich wohnen in Lyon.', 'Meine Schwester und ich wohnen in Lyon.'],
])('CLM-48: "%s" has one subject', (text, first) => {
  expect(partsOf(text)[0]?.text).toBe(first);
});

it.each([
  ['Nosotros vivimos en Lyon y yo trabajo en Renault.', 'Nosotros vivimos en Lyon'],
  ['Nós moramos em Lisboa e eu trabalho em Sintra.', 'Nós moramos em Lisboa'],
  ['Io vivo a Roma e io lavoro a Milano.', 'Io vivo a Roma'],
])('CLM-48: "%s" has two subjects', (text, first) => {
  expect(partsOf(text)[0]?.text).toBe(first);
});

import { expect, it } from 'vitest';
import { partsOf, withoutWords } from '../../../../src/learning/claims/claim-parts.ts';

it.each([
  ['Je vis à Lyon avec ma fille.', ['Je vis à Lyon avec ma fille.']],
  ['Je vis à Lyon, ma fille à Paris.', ['Je vis à Lyon', 'ma fille à Paris.']],
  ['Vivo a Roma ma lavoro a Milano.', ['Vivo a Roma', 'lavoro a Milano.']],
])('CLM-49: "%s" has the parts %j', (text, parts) => {
  expect(partsOf(text).map((part) => part.text)).toEqual(parts);
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

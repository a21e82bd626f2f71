import { expect, it } from 'vitest';
import { isOver } from '../../../../src/learning/claims/fact-words.ts';
import type { ClaimRow, FactRow } from '../../../../src/storage/schema.ts';

const says = (text: string): ClaimRow => ({ text }) as ClaimRow;
const fact = (predicate: string, object: string): FactRow => ({ predicate, object }) as FactRow;

it.each([
  ['has boss', 'Anna', 'My boss is Anna', 'Anna is no longer my boss', true],
  ['has boss', 'Anna', 'My boss is Anna', 'We have a new boss, Ruth', true],
  ['has landlord', 'Mr Peters', 'My landlord is Mr Peters', 'We have a new landlord, Mrs Snow', true],
  ['has boss', 'Anna', 'My boss Anna works at Bosch', 'Anna works at Siemens now', false],
  ['has friend', 'Omar', 'My friend is Omar', 'My new friend is Ada', false],
  ['has sister', 'Nora', 'My sister Nora lives in Rome', 'My sister moved to Paris', false],
])('CLM-44: whether "%s %s" is over with "%s" after "%s" is %s', (predicate, object, text, by, over) => {
  expect(isOver(fact(predicate, object), says(text), {}, says(by))).toBe(over);
});

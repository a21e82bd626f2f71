import { expect, it } from 'vitest';
import { withoutEnded } from '../../../../src/learning/claims/claim-ends.ts';
import type { ClaimRow } from '../../../../src/storage/schema.ts';

it.each([
  ['I drink like 5 coffees a shift', ['like 5 coffees'], ''],
  ['I work as a nurse at Globex in Leeds.', ['Leeds'], ''],
  ['My name is Ada and my sister Nora lives in Oslo.', ['Nora'], 'My name is Ada'],
  ['I teach maths and physics at a school', ['physics'], 'I teach maths'],
  ['I eat about 2 pizzas a week, and I row', ['about 2 pizzas'], 'I row'],
  ['I rent a flat, teach piano and have a cat', ['teach piano'], 'I rent a flat, and have a cat'],
  ['I live in Oslo with my cats and teach piano', ['I live in Oslo'], 'teach piano'],
  ['I ski and sail', ['sail'], 'I ski'],
  ['I ski', ['I ski'], ''],
])('CLM-42: what can be told of "%s" without %j is "%s"', (text, over, told) => {
  const claim = { text } as ClaimRow;
  expect(
    withoutEnded(
      claim,
      over.map((words) => ({ at: 0, text: words })),
    ),
  ).toBe(told);
});

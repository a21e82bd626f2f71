import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { weakValueMap } from '../../../src/sessions/open-database.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('HIST-2: a key has one object while it is held, which can be garbage-collected afterwards', async () => {
  let made = 0;
  const shared = weakValueMap((key) => ({ key, number: (made += 1) }));
  const held = shared.get('held');
  for (let n = 0; n < 1000; n += 1) shared.get(`dropped ${n}`);
  expect(shared.get('held')).toBe(held);
  expect(shared.size).toBe(1001);
  for (let tries = 0; shared.size > 1 && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
  }
  expect(shared.size).toBe(1);
  expect(shared.get('held')).toBe(held);
  expect(shared.get('dropped 1').number).toBe(1002);
});

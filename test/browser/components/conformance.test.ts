import { expect, it } from 'vitest';
import type { ConformanceCase } from '../../conformance/case.ts';
import cases from '../../conformance/cases.json';
import { inDatabase, playCases } from '../../conformance/player.ts';

it('CMP-1: the components behave as the conformance cases say, in RAM and over IndexedDB', async () => {
  const results = await playCases(cases as unknown as ConformanceCase[], inDatabase);
  expect(results.filter((result) => result.status !== 'passed')).toEqual([]);
  expect(results.length).toBeGreaterThan(80);
}, 300_000);

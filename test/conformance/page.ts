import type { ConformanceCase } from './case.ts';
import { inDatabase, playCases, type CaseResult } from './player.ts';

/** What `npm run conformance` calls in the page that it opens. */
export function playFile(
  cases: readonly ConformanceCase[],
  onResult: (result: CaseResult) => void,
): Promise<CaseResult[]> {
  return playCases(cases, inDatabase, onResult);
}

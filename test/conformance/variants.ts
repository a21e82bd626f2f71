import type { ConformanceCase } from './case.ts';

/** The ids of cases whose Python or JavaScript twin is the one to follow. */
export function findSuperseded(cases: readonly ConformanceCase[]): ReadonlySet<string> {
  const byId = new Map(cases.map((entry) => [entry.id, entry]));
  const superseded = new Set<string>();
  for (const python of cases) {
    if (!python.id.endsWith('-py')) continue;
    const javascript = byId.get(python.id.replace(/-py$/, '-js'));
    if (!javascript || agree(python, javascript)) continue;
    if (python.product === 'match') superseded.add(javascript.id);
    else if (javascript.product === 'match') superseded.add(python.id);
  }
  // The joining of V-5-js is the one to follow, whatever its twin is.
  if (byId.has('V-5-js')) superseded.add('V-5-py');
  return superseded;
}

/** Whether two variants expect the same, the words of errors aside. */
function agree(a: ConformanceCase, b: ConformanceCase): boolean {
  return a.product === b.product && expectedOf(a) === expectedOf(b);
}

function expectedOf(entry: ConformanceCase): string {
  return JSON.stringify([entry.expect, entry.after ?? null], (key, value: unknown) =>
    key === 'throws' ? '' : value,
  );
}

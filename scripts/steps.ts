import type { TestStep } from './test-steps.ts';

/** Suites that store, lock, embed or spawn, of two minutes in each engine: the short form of `test:engines`. */
const SHORT_FORM = [
  'storage',
  'tabs',
  'jobs',
  'llm',
  'tokens',
  'search',
  'embedding/embedding-model',
  'embedding/embedding-worker',
  'backup/backup-restore',
  'client/memory.test',
  'client/memory-tabs',
  'client/memory-turns',
  'recall/retriever',
].map((path) => `test/browser/${path}`);

const QUICK = ['lint', 'spell', 'types', 'build', 'package', 'size', 'api', 'knip', 'unit'];
const TESTS = ['unit', 'chromium', 'firefox', 'webkit', 'e2e'];

/** Names that stand for several steps. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = { check: QUICK };

/**
 * All steps of `npm test`, in the order in which they begin. The browser tests of Firefox and WebKit and those of
 * `test/e2e` wait a lot, so that another step runs beside them.
 */
export const STEPS: readonly TestStep[] = [
  { name: 'lint', command: 'npm run lint' },
  { name: 'spell', command: 'npm run spell' },
  { name: 'types', command: 'npm run types' },
  { name: 'build', command: 'npm run build' },
  { name: 'package', command: 'npm run check:package', needs: ['build'] },
  { name: 'size', command: 'npm run size', needs: ['build'] },
  { name: 'api', command: 'tsx scripts/api-report.ts' },
  { name: 'knip', command: 'knip' },
  { name: 'unit', command: 'vitest run --project unit', usesAllCores: true },
  { name: 'chromium', command: 'vitest run --project browser', needs: ['build'], usesAllCores: true },
  { name: 'firefox', command: `vitest run --project firefox ${SHORT_FORM.join(' ')}`, needs: ['build'] },
  { name: 'e2e', command: 'vitest run --project e2e', needs: ['build'] },
  { name: 'webkit', command: `vitest run --project webkit ${SHORT_FORM.join(' ')}`, needs: ['build'] },
];

/**
 * Returns the steps of these names, or all without names; of those that run tests, one part of several.
 *
 * @throws Error if a name is unknown, or the step of a part runs no tests
 */
export function chooseSteps(names: readonly string[], shard: string | undefined): readonly TestStep[] {
  const wanted = names.flatMap((name) => GROUPS[name] ?? [name]);
  const known = STEPS.map(({ name }) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `No step ${unknown.join(', ')}. Steps: ${[...known, ...Object.keys(GROUPS)].join(', ')}.`,
    );
  }
  const chosen = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (shard === undefined) return chosen;
  if (!/^[1-9]\d*\/[1-9]\d*$/.test(shard))
    throw new Error(`--shard takes a part such as 1/2, not "${shard}".`);
  const whole = chosen.filter(({ name }) => !TESTS.includes(name)).map(({ name }) => name);
  if (whole.length > 0) throw new Error(`--shard divides tests, not ${whole.join(', ')}.`);
  return chosen.map((step) => ({ ...step, command: `${step.command} --shard=${shard}` }));
}

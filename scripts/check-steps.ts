import type { TestStep } from './test-steps.ts';

/** The quick half of the tests, in groups of steps that run at the same time. */
export const CHECK_STEPS: readonly (readonly TestStep[])[] = [
  [
    { name: 'lint', command: 'npm run lint' },
    { name: 'types', command: 'npm run types' },
    { name: 'spell', command: 'npm run spell' },
  ],
  [{ name: 'unit', command: 'vitest run --project unit' }],
  [{ name: 'build', command: 'npm run build' }],
  [
    { name: 'package', command: 'npm run check:package' },
    { name: 'api', command: 'tsx scripts/api-report.ts' },
    { name: 'knip', command: 'knip' },
    { name: 'size', command: 'size-limit && npm run size' },
  ],
];

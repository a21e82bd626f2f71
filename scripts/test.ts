import { CHECK_STEPS } from './check-steps.ts';
import { type Engine, findEngine, howToInstall, installEngine, requireEngine } from './engines.ts';
import { runSteps } from './test-steps.ts';

/** Suites that store, lock, embed or spawn, of about three minutes in each engine: the short form of `test:engines`. */
const SHORT_FORM = [
  'storage',
  'tabs',
  'jobs',
  'llm',
  'tokens',
  'search',
  'embedding',
  'backup/backup-restore',
  'client/memory.test',
  'client/memory-tabs',
  'client/memory-turns',
  'recall/retriever',
].map((path) => `test/browser/${path}`);

// All checks, the fast ones first: what CI runs, and what the README names.
const chromium = requireEngine('chromium');
const others: readonly Engine[] = ['firefox', 'webkit'];
const found = others.filter((engine) => findEngine(engine) ?? installEngine(engine));
const steps = [
  ...CHECK_STEPS,
  [{ name: 'browser', command: 'vitest run --project browser' }],
  // At the same time, because neither uses the whole of two cores.
  found.map((engine) => ({
    name: engine,
    command: `vitest run --project ${engine} ${SHORT_FORM.join(' ')}`,
  })),
  [{ name: 'e2e', command: 'vitest run --project e2e' }],
];
const passed = await runSteps(steps, {
  stopsAtFailure: true,
  env: { ...process.env, MNEMORA_CHROMIUM: chromium },
});
for (const engine of others.filter((each) => !found.includes(each))) {
  console.log(`Not tested in ${engine}, which is not here. ${howToInstall(engine)}`);
}
process.exitCode = passed ? 0 : 1;

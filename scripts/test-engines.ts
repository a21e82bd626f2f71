/**
 * `npm run test:engines`: the browser tests and the tests of several tabs in Chromium, Firefox and WebKit. Names behind
 * `--` choose some of them. An engine that is not here and cannot be installed counts as failed.
 */
import { ENGINES, findEngine, howToInstall, installEngine } from './engines.ts';
import { runSteps } from './test-steps.ts';

const PROJECTS = { chromium: 'browser', firefox: 'firefox', webkit: 'webkit' };

const named = process.argv.slice(2);
const wanted = ENGINES.filter((engine) => named.length === 0 || named.includes(engine));
const missing = wanted.filter((engine) => !(findEngine(engine) ?? installEngine(engine)));
const steps = [
  ...wanted
    .filter((engine) => !missing.includes(engine))
    .map((engine) => ({ name: engine, command: `vitest run --project ${PROJECTS[engine]}` })),
  { name: 'tabs', command: `vitest run --project e2e test/e2e/engines -t "\\((${wanted.join('|')})\\)"` },
];
const passed = await runSteps(steps, {
  atATime: 1,
  stopsAtFailure: false,
  env: { ...process.env, MNEMORA_ENGINES: 'all' },
});
for (const engine of missing) console.log(`✗ ${engine} is not here. ${howToInstall(engine)}`);
process.exitCode = passed && missing.length === 0 ? 0 : 1;

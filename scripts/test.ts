/**
 * `npm test [-- --only STEP,… [--shard 1/2]]`: all checks, the fast ones first, or only the named steps; of their tests,
 * one part of several. `check` names all steps but the browsers.
 */
import { parseArgs } from 'node:util';
import { type Engine, findEngine, howToInstall, installEngine, requireEngine } from './engines.ts';
import { chooseSteps } from './steps.ts';
import { runSteps, type TestStep } from './test-steps.ts';

/** Steps that run at the same time, but for those that use all cores. */
const AT_A_TIME = 2;

process.exitCode = await main();

async function main(): Promise<number> {
  let steps: readonly TestStep[];
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string', multiple: true, default: [] }, shard: { type: 'string' } },
    });
    steps = chooseSteps(
      values.only.flatMap((names) => names.split(',')),
      values.shard,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const isWanted = (name: string): boolean => steps.some((step) => step.name === name);
  const env = { ...process.env };
  if (isWanted('chromium') || isWanted('e2e')) env['MNEMORA_CHROMIUM'] = requireEngine('chromium');
  const others: readonly Engine[] = ['firefox', 'webkit'];
  const missing = others.filter(
    (engine) => (isWanted(engine) || isWanted('e2e')) && !(findEngine(engine) ?? installEngine(engine)),
  );
  const found = steps.filter(({ name }) => !missing.some((engine) => engine === name));
  const passed = await runSteps(found, { atATime: AT_A_TIME, stopsAtFailure: true, env });
  for (const engine of missing)
    console.log(`Not tested in ${engine}, which is not here. ${howToInstall(engine)}`);
  return passed ? 0 : 1;
}

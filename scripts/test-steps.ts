import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';

/** The folder of what the steps report and print. */
const RESULTS = '.cache/test-results';

/** A part of the tests: a name, and the command that runs it. */
export interface TestStep {
  readonly name: string;
  readonly command: string;
}

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

interface Finished extends TestStep {
  readonly status: number;
  readonly seconds: number;
  readonly results: Results | undefined;
}

/**
 * Runs groups of steps one after the other, up to the first that fails if `stopsAtFailure`; the steps of a group run at
 * the same time. What a step prints stays together. Prints at the end what failed and was skipped, where it is not lost
 * in a long log, and the time of each step. Resolves to whether all steps passed.
 */
export async function runSteps(
  groups: readonly (readonly TestStep[])[],
  options: { readonly stopsAtFailure: boolean; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const finished: Finished[] = [];
  for (const steps of groups) {
    // Of several at a time, the lines would be mixed.
    const printing = steps.length > 1 ? 'at the end' : 'at once';
    finished.push(...(await Promise.all(steps.map((step) => runStep(step, options.env, printing)))));
    if (options.stopsAtFailure && finished.some(({ status }) => status !== 0)) break;
  }
  for (const each of finished) reportTests(each);
  for (const { name, status, seconds, results } of finished) {
    const count = results ? `${results.numPassedTests} passed, ${results.numFailedTests} failed, ` : '';
    console.log(`${status === 0 ? '✓' : '✗'} ${name}: ${count}${Math.round(seconds)} s`);
  }
  return finished.every(({ status }) => status === 0);
}

/** Each step runs Vitest at most once, and Vitest writes its results where vite.config.ts says. */
async function runStep(
  step: TestStep,
  env: NodeJS.ProcessEnv,
  printing: 'at once' | 'at the end',
): Promise<Finished> {
  const heading = `\n— ${step.name}: ${step.command}`;
  // A file, because a pipe could be held open by a process that outlives the step.
  const log = printing === 'at the end' ? `${RESULTS}/${step.name}.log` : undefined;
  console.log(log ? `${heading}\n  is printed when it has ended; until then it is in ${log}` : heading);
  const output = log ? openSync(log, 'w') : 'inherit';
  const start = performance.now();
  const running = spawn(step.command, {
    shell: true,
    stdio: ['inherit', output, output],
    env: { ...env, MNEMORA_TEST_RUN: step.name },
  });
  const [status] = (await once(running, 'exit')) as [number | null];
  const seconds = (performance.now() - start) / 1_000;
  if (log) process.stdout.write(`${heading}\n${readFileSync(log, 'utf8')}`);
  if (typeof output === 'number') closeSync(output);
  return { ...step, status: status ?? 1, seconds, results: readResults(step.name) };
}

function readResults(name: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8')) as Results;
  } catch {
    return undefined; // the step runs no tests, or failed before them, and its exit code says so
  }
}

function reportTests({ name: step, results }: Finished): void {
  for (const { name, message, status, assertionResults } of results?.testResults ?? []) {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed)
      printFailure(step, `${file} > ${test.fullName}`, test.failureMessages.join('\n'));
    // A file that could not be loaded has no failed test.
    if (failed.length === 0 && status === 'failed') printFailure(step, file, message);
    for (const test of assertionResults) {
      if (test.status === 'skipped' || test.status === 'pending') {
        console.log(`Skipped in ${step}: ${file} > ${test.fullName}`);
      }
    }
  }
}

function printFailure(step: string, test: string, message: string): void {
  console.error(`\n✗ ${step}: ${test}\n${message.replaceAll(/^/gm, '    ')}`);
}

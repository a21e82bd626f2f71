import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The folder of what the steps report and print. */
const RESULTS = '.cache/test-results';
/** Lines of a failure, and of what a step has printed that failed without one, that are printed again at the end. */
const MOST_LINES = 40;
const FOLLOW_MS = 500;

/** A part of the tests: a name, and the command that runs it. */
export interface TestStep {
  readonly name: string;
  readonly command: string;
  /** Names of the steps that must have ended before, if they run at all. */
  readonly needs?: readonly string[];
  /** Whether it keeps all cores busy, so that nothing gains by running beside it. @default false */
  readonly usesAllCores?: boolean;
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
  readonly output: string;
  readonly results: Results | undefined;
}

/**
 * Runs steps in their order, several at the same time, up to the first that fails if `stopsAtFailure`. What a step prints
 * stays together. Prints at the end the time of each step, what was skipped, and as the last of all what failed, where
 * it is not lost in a long log. Resolves to whether all steps passed.
 */
export async function runSteps(
  steps: readonly TestStep[],
  options: {
    readonly atATime: number;
    readonly stopsAtFailure: boolean;
    readonly env: NodeJS.ProcessEnv;
  },
): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const waiting = [...steps];
  const running = new Map<TestStep, Promise<void>>();
  const finished: Finished[] = [];
  const hasFailed = (): boolean => finished.some(({ status }) => status !== 0);
  const isReady = ({ needs = [] }: TestStep): boolean =>
    ![...waiting, ...running.keys()].some(({ name }) => needs.includes(name));
  /** How many steps may run while this one does. */
  const limit = ({ usesAllCores }: TestStep): number => (usesAllCores ? 1 : options.atATime);
  for (;;) {
    while (!(options.stopsAtFailure && hasFailed())) {
      const step = waiting.find(isReady);
      // A step that needs all cores is not overtaken by those behind it.
      if (!step || [step, ...running.keys()].some((each) => running.size >= limit(each))) break;
      waiting.splice(waiting.indexOf(step), 1);
      // What one prints that runs beside others would be mixed with what they print.
      const isFollowed = options.atATime === 1 || steps.length === 1;
      const ending = runStep(step, options.env, isFollowed).then((ended) => {
        running.delete(step);
        finished.push(ended);
      });
      running.set(step, ending);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  for (const each of finished) reportSkipped(each);
  for (const { name, status, seconds, results } of finished) {
    const count = results ? `${results.numPassedTests} passed, ${results.numFailedTests} failed, ` : '';
    console.log(`${status === 0 ? '✓' : '✗'} ${name}: ${count}${Math.round(seconds)} s`);
  }
  if (waiting.length > 0) console.log(`Not run: ${waiting.map(({ name }) => name).join(', ')}`);
  for (const each of finished) if (each.status !== 0) reportFailures(each);
  return !hasFailed();
}

/** Each step runs Vitest at most once, and Vitest writes its results where vite.config.ts says. */
async function runStep(step: TestStep, env: NodeJS.ProcessEnv, isFollowed: boolean): Promise<Finished> {
  // A file, because a pipe could be held open by a process that outlives the step.
  const log = `${RESULTS}/${step.name}.log`;
  const heading = `\n— ${step.name}: ${step.command}`;
  console.log(
    isFollowed ? heading : `${heading}\n  is printed when it has ended; until then it is in ${log}`,
  );
  const output = openSync(log, 'w');
  const start = performance.now();
  const child = spawn(step.command, {
    shell: true,
    stdio: ['inherit', output, output],
    env: { ...env, MNEMORA_TEST_RUN: step.name },
  });
  let printed = 0;
  const printNew = (): void => {
    const all = readFileSync(log);
    process.stdout.write(all.subarray(printed));
    printed = all.length;
  };
  const following = isFollowed ? setInterval(printNew, FOLLOW_MS) : undefined;
  const [status] = (await once(child, 'exit')) as [number | null];
  const seconds = (performance.now() - start) / 1_000;
  clearInterval(following);
  closeSync(output);
  if (!isFollowed) console.log(heading);
  printNew();
  const results = readResults(step.name);
  return { ...step, status: status ?? 1, seconds, output: readFileSync(log, 'utf8'), results };
}

function readResults(name: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8')) as Results;
  } catch {
    return undefined; // the step runs no tests, or failed before them, and its exit code says so
  }
}

function reportSkipped({ name: step, results }: Finished): void {
  for (const { name, assertionResults } of results?.testResults ?? []) {
    for (const test of assertionResults) {
      if (test.status === 'skipped' || test.status === 'pending') {
        console.log(`Skipped in ${step}: ${relative(process.cwd(), name)} > ${test.fullName}`);
      }
    }
  }
}

/** Prints each failed test with its message; of a step that failed without one, the end of what it printed. */
function reportFailures({ name: step, output, results }: Finished): void {
  let count = 0;
  for (const { name, message, status, assertionResults } of results?.testResults ?? []) {
    const file = relative(process.cwd(), name);
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ title: `${file} > ${test.fullName}`, text: test.failureMessages.join('\n') }));
    // A file that could not be loaded has no failed test.
    if (failed.length === 0 && status === 'failed') failed.push({ title: file, text: message });
    for (const { title, text } of failed) printFailure(step, title, text.split('\n').slice(0, MOST_LINES));
    count += failed.length;
  }
  if (count > 0) return;
  printFailure(step, 'the end of what it printed', output.trimEnd().split('\n').slice(-MOST_LINES));
}

function printFailure(step: string, title: string, lines: readonly string[]): void {
  // To where all else is printed, so that it is also last where the two are separate.
  console.log(`\n✗ ${step}: ${title}`);
  for (const line of lines) console.log(`    ${stripVTControlCharacters(line)}`);
}

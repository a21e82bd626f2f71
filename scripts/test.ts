import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { requireChromium } from './chromium.ts';

/** All checks, the fast ones first: what CI runs, and what the README names. */
const STEPS: readonly (readonly [run: string, command: string])[] = [
  ['check', 'npm run check'],
  ['browser', 'vitest run --project browser'],
  ['e2e', 'vitest run --project e2e'],
];

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

interface Failure {
  file: string;
  test: string;
  message: string;
}

const chromium = requireChromium();
const failures: Failure[] = [];
const total = { passed: 0, failed: 0, skipped: 0 };
rmSync('.cache/test-results', { recursive: true, force: true });
for (const [run, command] of STEPS) {
  console.log(`\n— ${run}: ${command}`);
  const env = { ...process.env, MNEMORA_CHROMIUM: chromium, MNEMORA_TEST_RUN: run };
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env });
  count(run);
  if (status !== 0) {
    console.error(`\n${run} failed.`);
    report();
    process.exit(status ?? 1);
  }
}
report();

/** Each step runs Vitest once, and Vitest writes its results where vite.config.ts says. */
function count(run: string): void {
  try {
    const results = JSON.parse(readFileSync(`.cache/test-results/${run}.json`, 'utf8')) as Results;
    total.passed += results.numPassedTests;
    total.failed += results.numFailedTests;
    total.skipped += results.numPendingTests;
    failures.push(...failuresOf(results));
  } catch {
    // the step failed before its tests ran, and its exit code says so
  }
}

function failuresOf({ testResults }: Results): Failure[] {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be loaded has no failed test.
    if (failed.length === 0 && status === 'failed') return [{ file, test: '(the file itself)', message }];
    return failed.map((test) => ({ file, test: test.fullName, message: test.failureMessages.join('\n') }));
  });
}

/** Prints all failures again at the end, where they are not lost in a long log. */
function report(): void {
  if (failures.length > 0) console.error(`\nFailed tests (${failures.length}):`);
  for (const { file, test, message } of failures) {
    console.error(`\n✗ ${file} > ${test}\n${message.replaceAll(/^/gm, '    ')}`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
}

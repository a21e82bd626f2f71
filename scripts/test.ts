import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { requireChromium } from './chromium.ts';

/** Everything that must hold, cheap to dear: what CI runs, and what the README names. */
const STEPS: readonly (readonly [run: string, command: string])[] = [
  ['check', 'npm run check'],
  ['browser', 'vitest run --project browser'],
  ['e2e', 'vitest run --project e2e'],
];

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
}

const chromium = requireChromium();
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

/** Each step runs Vitest once, and Vitest writes its counts where vite.config.ts says. */
function count(run: string): void {
  try {
    const results = JSON.parse(readFileSync(`.cache/test-results/${run}.json`, 'utf8')) as Results;
    total.passed += results.numPassedTests;
    total.failed += results.numFailedTests;
    total.skipped += results.numPendingTests;
  } catch {
    // the step failed before its tests ran, and its exit code says so
  }
}

function report(): void {
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
}

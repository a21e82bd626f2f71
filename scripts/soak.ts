import { spawnSync } from 'node:child_process';

// The tests of CI that kill tabs, for longer. Crashes: MNEMORA_ROUNDS rounds (500), from MNEMORA_SEED, so that a failure
// can be replayed. Background work: each of its transactions is met at each moment.
const TESTS = ['test/e2e/crash/crash.test.ts', 'test/e2e/kills/kills.test.ts'];

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', ...TESTS], {
  stdio: 'inherit',
  env: { MNEMORA_ROUNDS: '500', MNEMORA_KILLS: 'all', ...process.env },
});
process.exitCode = status ?? 1;

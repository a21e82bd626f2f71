import { spawnSync } from 'node:child_process';

// The tests of CI that kill tabs, for longer. Crashes: MNEMORA_ROUNDS rounds (500), from MNEMORA_SEED, so that a failure
// can be replayed. Background work: each of its transactions is met at each moment, in MNEMORA_ROUNDS rounds.
// A memory over months: VITE_MNEMORA_SEEDS of them, from VITE_MNEMORA_SEED on.
const TESTS = [
  'test/e2e/crash/crash.test.ts',
  'test/e2e/kills/kills.test.ts',
  'test/e2e/kills/recall-kills.test.ts',
  'test/browser/memory-months.test.ts',
];
const ROUNDS = {
  MNEMORA_ROUNDS: '500',
  MNEMORA_KILLS: 'all',
  VITE_MNEMORA_SEEDS: '20',
  VITE_MNEMORA_STEPS: '48',
};

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', '--project', 'browser', ...TESTS], {
  stdio: 'inherit',
  env: { ...ROUNDS, ...process.env },
});
process.exitCode = status ?? 1;

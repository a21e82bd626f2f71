import { spawnSync } from 'node:child_process';

// Runs the tests that kill tabs for longer than CI does. Crashes: MNEMORA_ROUNDS rounds (500), starting at MNEMORA_SEED,
// so that a failure can be replayed. Background work: tabs are killed at each point of each transaction, in MNEMORA_ROUNDS
// rounds. A memory over months: VITE_MNEMORA_SEEDS runs, starting at VITE_MNEMORA_SEED.
const TESTS = [
  'test/e2e/crash/crash.test.ts',
  'test/e2e/kills/kills.test.ts',
  'test/e2e/kills/recall-kills.test.ts',
  'test/browser/client/memory-months.test.ts',
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

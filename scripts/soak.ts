import { spawnSync } from 'node:child_process';

// The crash test of CI, for longer: MNEMORA_ROUNDS rounds (500), from MNEMORA_SEED, so that a failure can be replayed.
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', 'test/e2e/crash/crash.test.ts'], {
  stdio: 'inherit',
  env: { MNEMORA_ROUNDS: '500', ...process.env },
});
process.exitCode = status ?? 1;

import { spawnSync } from 'node:child_process';

// Runs for longer than CI does. Kills of pages, browsers and storage processes: 500 rounds in Chromium and 100 in Firefox and
// WebKit each, or MNEMORA_ROUNDS; power cuts, as root on Linux: 30 in each, or MNEMORA_CUTS. MNEMORA_SEED replays them.
// Background work: tabs are killed at each point of each transaction, and again until there are MNEMORA_ROUNDS rounds. The
// storage process of WebKit is killed MNEMORA_STORAGE_KILLS times. Backups of MNEMORA_IMPORTED_TURNS turns are imported.
// A memory over months: VITE_MNEMORA_SEEDS runs, starting at VITE_MNEMORA_SEED. Backups are merged after VITE_MNEMORA_RUNS
// lives. Facts and claims are compared MNEMORA_TIMES times as often as by `npm test`. Faults: every operation of IndexedDB
// fails in every way; a failing round prints the VITE_MNEMORA_FAULT that plays it alone.
const TESTS = [
  'test/e2e/rounds/rounds.test.ts',
  'test/e2e/rounds/claim-kills.test.ts',
  'test/e2e/rounds/power-cut.test.ts',
  'test/e2e/kills/kills.test.ts',
  'test/e2e/kills/recall-kills.test.ts',
  'test/e2e/crash/large-import.test.ts',
  'test/e2e/engines/storage-lost.test.ts',
  'test/unit/client/claims.property.test.ts',
  'test/browser/client/claims-two-tabs.property.test.ts',
  'test/browser/client/memory-forget.property.test.ts',
  'test/browser/client/memory-months.test.ts',
  'test/browser/faults/every-fault.test.ts',
];
const ROUNDS = {
  MNEMORA_IMPORTED_TURNS: '20000',
  MNEMORA_KILLS: 'all',
  MNEMORA_STORAGE_KILLS: '20',
  MNEMORA_TIMES: '10',
  VITE_MNEMORA_RUNS: '300',
  VITE_MNEMORA_SEEDS: '20',
  VITE_MNEMORA_STEPS: '48',
  VITE_MNEMORA_FAULTS: 'all',
};

const projects = ['unit', 'browser', 'e2e'].flatMap((name) => ['--project', name]);
const { status } = spawnSync('npx', ['vitest', 'run', ...projects, ...TESTS], {
  stdio: 'inherit',
  env: { ...ROUNDS, ...process.env },
});
process.exitCode = status ?? 1;

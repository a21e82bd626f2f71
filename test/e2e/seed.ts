/**
 * Chooses what a test plays that plays a part: always the same in `npm test`, another in each `npm run test:soak`. Printed by
 * each of them; MNEMORA_SEED repeats it.
 */
export const SEED: number = Number(
  process.env['MNEMORA_SEED'] ?? (process.env['MNEMORA_KILLS'] === 'all' ? Date.now() % 1_000_000 : 1),
);

/** Chooses what a test plays that plays a part. Printed by each of them; MNEMORA_SEED repeats it. */
export const SEED: number = Number(process.env['MNEMORA_SEED'] ?? Date.now() % 1_000_000);

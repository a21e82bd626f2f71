/** Returns a seeded random number generator (mulberry32): numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS =
  `about after again always around because before believe bread bring calendar change coffee cousin dinner early
  evening every family flight follow garden guitar happen holiday kitchen later letter little maybe meeting morning
  mountain movie music never often paint people picture plan pretty project question quiet really remember river
  school second should sister something station story summer teacher think together tomorrow travel under usually
  weather weekend window winter without wonder work would yesterday`.split(/\s+/);

/** A sentence of 6 to 20 common words. */
export function randomSentence(random: () => number): string {
  const length = 6 + Math.floor(random() * 15);
  const words = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '');
  return `${words.join(' ')}.`;
}

import { FIRST_NAMES, LAST_NAMES, THINGS } from './told-sentences.ts';

/** What is told in one of many facts, each another one, two fifths of them about the user. */
export function factAt(n: number): { subject: string; predicate: string; object: string } {
  return {
    subject: n % 10 < 4 ? 'user' : nameAt(n * 7),
    predicate: ['likes', 'knows', 'visited', 'has read about', 'talked of'][n % 5] ?? '',
    object: `${n % 3 === 0 ? nameAt(n * 11 + 1) : (THINGS[n % THINGS.length] ?? '')} number ${n}`,
  };
}

function nameAt(n: number): string {
  const last = LAST_NAMES[Math.floor(n / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  return `${FIRST_NAMES[n % FIRST_NAMES.length] ?? ''} ${last}`;
}

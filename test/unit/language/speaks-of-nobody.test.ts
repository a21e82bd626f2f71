import { describe, expect, it } from 'vitest';
import { speaksOfNobody } from '../../../src/language/speaks-of-nobody.ts';

// cspell:disable
const REQUESTS = [
  'git command to undo the last commit',
  'a limerick about a lighthouse keeper',
  'regex for postal codes with an optional dash',
  'give me an anagram of the word listen',
  'a rhyme on the sea and the wind',
] as const;

const STATEMENTS = [
  'the lease ends in May',
  'tickets for the opera are booked',
  'the roof leaks over the bed',
  'Gerhard fixed the heating within a day.',
  "it's off, the whole thing",
  'no more sugar in anything from now on',
  'fantasy only for the next ones, please!',
  'new flat with a view of the harbour',
  'dog called Pip for the weekend',
  'left arm in a cast for a while, so typing with one hand',
  'off sugar for lent',
  'marathon training for the fall',
] as const;

/** Other languages, of whose words too few are known, and texts with too few words. */
const UNREAD = [
  'werk als loodgieter in Gent',
  'sin gluten desde el verano',
  'de retour à lyon avec le chat',
  'il gatto si chiama birba',
  'o menino tem febre',
  'nur noch abends erreichbar',
  'une blague sur les escargots',
  'pracuję jako lekarz',
  '毎朝六時に走っている',
  'tulsa',
  '',
] as const;
// cspell:enable

describe('what speaks of nobody', () => {
  it.each(REQUESTS)('REC-102: "%s" is taken for an everyday request', (text) => {
    expect(speaksOfNobody(text)).toBe(true);
  });

  it.each(STATEMENTS)('REC-102: "%s" is not', (text) => {
    expect(speaksOfNobody(text)).toBe(false);
  });

  it.each(UNREAD)('REC-102: "%s", which cannot be told, is not', (text) => {
    expect(speaksOfNobody(text)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { speaksOfNobody } from '../../../src/language/speaks-of-nobody.ts';

// cspell:disable
const REQUESTS = [
  'git command to undo the last commit',
  'a limerick about a lighthouse keeper',
  'cheap substitute for saffron in a risotto',
  'regex for postal codes with an optional dash',
  'give me an anagram of the word listen',
  'une blague sur les escargots',
  'una rima sobre el otoño y la lluvia',
] as const;

const STATEMENTS = [
  'the lease ends in May',
  'tickets for the opera are booked',
  'the roof leaks over the bed',
  'Gerhard fixed the heating within a day.',
  'Paul a trouvé le chemin dans le noir',
  'Marta arregló la puerta con un clavo',
  "it's off, the whole thing",
  'no more sugar in anything from now on',
  'fantasy only for the next ones, please!',
  'new flat with a view of the harbour',
  'dog called Pip for the weekend',
  'left arm in a cast for a while, so typing with one hand',
  'die Wohnung ist zu laut für uns',
  'el piso está en la segunda planta',
  'le concert est complet pour la saison',
] as const;

/** Their languages have no words of people's lives here, or are not recognized in a few words. */
const UNREAD = [
  'werk als loodgieter in Gent',
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

/** A sentence of a chat that tells a fact by which somebody is known: where one lives, what one likes, since when. */
export function toldSentence(random: () => number): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const name = `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`;
  const year = 1990 + Math.floor(random() * 35);
  const thing = `${pick(QUALITIES)} ${pick(THINGS)}`;
  switch (Math.floor(random() * 10)) {
    case 0:
      return `I live in ${pick(PLACES)}.`;
    case 1:
      return `I love ${thing}.`;
    case 2:
      return `I like ${thing} and ${pick(THINGS)}.`;
    case 3:
      return `My friend ${name} lives in ${pick(PLACES)}.`;
    case 4:
      return `${name} works at ${pick(FIRMS)}.`;
    case 5:
      return `${name} likes ${thing}.`;
    case 6:
      return `${name} moved to ${pick(PLACES)} in ${year}.`;
    case 7:
      return `${name} and I visited ${pick(PLACES)} in ${year}.`;
    case 8:
      return `I have worked at ${pick(FIRMS)} since ${year}.`;
    default:
      return `${name}'s favourite ${pick(['colour', 'film', 'food', 'song'])} is ${thing}.`;
  }
}

/** As many people as there are names: 300. */
export const FIRST_NAMES: readonly string[] =
  'Anna Boris Clara David Elena Felix Greta Hanna Igor Julia Kevin Laura Marco Nadia Oscar'.split(' ');
export const LAST_NAMES: readonly string[] =
  `Abbott Bergman Carter Dietrich Eriksen Fischer Garcia Hoffmann Ivanov Jensen Keller Larsen Moretti Novak Olsen
  Petrov Quinn Rossi Schmidt Tanaka`.split(/\s+/);
const PLACES = 'Paris Rome Oslo Lima Cairo Delhi Tokyo Berlin Madrid Boston Vienna Dublin'.split(' ');
const FIRMS = 'Acme Globex Siemens Google Initech Umbrella Equinor Philips'.split(' ');
const QUALITIES =
  `old new green sweet quiet warm cold long short wild dark bright spicy salted modern classical rural urban local
  foreign`.split(/\s+/);
export const THINGS: readonly string[] =
  `tea coffee chess jazz rugby hiking novels poems films trains gardens bread cheese soup maps lakes bridges clocks
  boats stamps roses birds puzzles comics`.split(/\s+/);

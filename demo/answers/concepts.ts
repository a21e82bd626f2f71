/** The concepts of a text: its words without function words, stemmed and with synonyms replaced by one of them. */
export function conceptsIn(text: string): ReadonlySet<string> {
  const spoken = PHRASES.reduce((rest, [phrase, word]) => rest.replace(phrase, word), fold(text));
  const words = spoken.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
  return new Set(words.filter((word) => !FUNCTION_WORDS.has(bare(word))).map(conceptOf));
}

/** Adds the broader concepts of each concept: "son" adds "child". */
export function withBroader(concepts: Iterable<string>): ReadonlySet<string> {
  return new Set([...concepts].flatMap((concept) => [concept, ...(BROADER.get(concept) ?? [])]));
}

/** Normalizes a text: lower case, straight apostrophes, no accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}

function conceptOf(word: string): string {
  const stem = stemOf(bare(word));
  return SAME.get(stem) ?? stem;
}

function bare(word: string): string {
  return word.replace(/'(?:s|re|m|ve|ll|d)$/u, '');
}

/** A small stemmer, so that words that differ only in their ending compare equal. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  const stem = STEMS.reduce((rest, [ending, replacement]) => rest.replace(ending, replacement), word);
  return stem.replace(/([^aeiouls])\1$/u, '$1').replace(/(?<=\p{L}{3})e$/u, '');
}

const STEMS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L}{2})ies$/u, 'y'],
  [/(?<=ss|sh|ch|x|z)es$/u, ''],
  [/(?<=[^su])s$/u, ''],
  [/(?<=\p{L}{3})ing$/u, ''],
  [/(?<=\p{L}{3})ed$/u, ''],
];

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about again all also am an and any anything are as at be been both but by can can't cannot cant could currently
  did didn't didnt do does doesn't doesnt don't dont else ever every everything exactly far for from get go going got
  had happen happened happens has hasn't have haven't having he her here hers hes hey him his how i if im in into is
  isn't isnt it its ive just kind know long many me mine more most much must my myself need no not now of often ok
  okay on or other our ours out over please pls question really remember remind right s said say see she shes should
  so some something still such tell than that the their them then there these they thing things think this those to
  today told too u up us very want was wasn't we well were what whats when where which who whom whos whose why will
  with would yet you your yours`.split(/\s+/u),
);

/** Phrases that stand for one concept. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bdo (?:for work|as a job)\b/gu, ' work '],
  [/\bfor a living\b/gu, ' work '],
  [/\b(?:come|am i|are we|is \p{L}+|originally) from\b/gu, ' origin '],
  [/\bwhat(?:'s| is| are| was) (.+) like\b/gu, ' $1 '],
  [/\bhow old\b/gu, ' age '],
  [/\bhow tall\b/gu, ' height '],
  [/\bhow heavy\b/gu, ' weight '],
  [/\byears old\b/gu, ' age '],
  [/\bturn(?:s|ed|ing)? (\d{1,3})\b/gu, ' age $1 birthday '],
  [/\b(?:am|is|i'?m|s?he'?s) (\d{1,3})(?=[,.!]|$| (?:and|btw|now|this|next|turning|years)\b)/gu, ' age $1 '],
];

/** Words with the same meaning in questions about people, one group a line. */
const SYNONYMS = `
  live reside home city town address residence
  work job profession occupation employer employ career
  name call known
  mother mom mum mama mommy
  father dad papa daddy
  grandmother grandma granny nana
  grandfather grandpa granddad
  girlfriend gf
  boyfriend bf
  wife missus
  husband hubby
  child kid children
  favorite favourite fav fave
  color colour
  doctor physician gp
  bike bicycle
  car auto vehicle
  phone cell mobile cellphone smartphone
  flat apartment
  holiday vacation trip journey
  like enjoy love adore
  hate dislike
  prefer preference
  study major degree
  school college university uni
  speak language spoke
  birthday birth
  allergic allergy allergen
  eat ate eaten food diet meal dish
  marry married spouse
  origin hometown
  buy bought
  sell sold
  meet met meeting
  fly flew flown flight
  drive drove driven
  leave left
  lose lost
  begin began begun
  break broke broken
  write wrote written
  find found
  give gave given
  take took taken
  teach taught
`;

/** Broader concepts, one a line, each followed by its narrower ones. */
const KINDS = `
  child: son daughter baby
  sibling: brother sister
  parent: mother father
  grandparent: grandmother grandfather
  partner: wife husband girlfriend boyfriend fiance fiancee
  marry: wife husband
  pet: cat dog rabbit hamster parrot fish bird horse puppy kitten
  family: wife husband son daughter child brother sister mother father
  eat: allergic intolerant vegan vegetarian gluten lactose halal kosher
  avoid: allergic intolerant
  drink: coffee tea beer wine alcohol
  holiday: fly
  live: move
  sport: football soccer tennis basketball cricket swim run hockey
`;

function rows(table: string): string[] {
  return table
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');
}

const SAME: ReadonlyMap<string, string> = new Map(
  rows(SYNONYMS).flatMap((row) => {
    const [first = '', ...others] = row.split(' ');
    return [first, ...others].map((word) => [stemOf(word), stemOf(first)] as const);
  }),
);

const BROADER: ReadonlyMap<string, readonly string[]> = broaderConcepts();

function broaderConcepts(): Map<string, string[]> {
  const wider = new Map<string, string[]>();
  for (const row of rows(KINDS)) {
    const [kind = '', narrower = ''] = row.split(': ');
    for (const word of narrower.split(' ')) {
      const key = conceptOf(word);
      wider.set(key, [...(wider.get(key) ?? []), conceptOf(kind)]);
    }
  }
  return wider;
}

/** Words that name people by their relation to somebody. */
export const PEOPLE: ReadonlySet<string> = conceptsIn(
  `mother father grandmother grandfather girlfriend boyfriend wife husband partner child son daughter baby brother sister
  parent friend boss colleague neighbor roommate aunt uncle cousin niece nephew`,
);

/** Concepts that apply to anybody: "where do I live?" has no other concept. */
export const RELATION_CONCEPTS: ReadonlySet<string> = conceptsIn(
  `live work name age height weight birthday eat drink avoid allergic like hate prefer speak study origin move medicine
  condition sport marry`,
);

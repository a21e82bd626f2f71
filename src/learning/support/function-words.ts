import type { FirstPerson } from '../first-person.ts';
import type { Token } from './clause-tokens.ts';

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));

const SKIPPED: ReadonlySet<string> = new Set(
  `a an the very really just now still also always currently actually mostly usually often only so too quite even totally
  absolutely both all some several two three four five bit little not never no longer been being recently finally severely badly highly super deathly extremely
  der die das den dem ein eine einen einem einer sehr immer noch auch jetzt nicht el la los las un una unos unas muy
  siempre le les une des du tres toujours pas o os as um uma muito sempre il lo gli molto ancora`.split(
    /\s+/u,
  ),
);

export function isSkipped(token: Token | undefined): boolean {
  if (!token) return false;
  return (
    SKIPPED.has(token.word) ||
    /^\d/u.test(token.word) ||
    [...SKIPPED].some((word) => word.length > 4 && isMistyped(token.word, word))
  );
}

/** Whether a word is another one with a letter too few or too many inside it, or with two letters exchanged. */
export function isMistyped(said: string, word: string): boolean {
  if (said === word || Math.abs(said.length - word.length) > 1 || word.length < 4) return false;
  if (said[0] !== word[0] || said.at(-1) !== word.at(-1)) {
    // "liek": the exchange may be at the end.
    if (said.length !== word.length || said.slice(0, -2) !== word.slice(0, -2)) return false;
    return said.at(-1) === word.at(-2) && said.at(-2) === word.at(-1);
  }
  const from = Array.from(word).findIndex((letter, at) => letter !== said[at]);
  if (said.length === word.length) {
    const exchanged =
      word.slice(0, from) + (word[from + 1] ?? '') + (word[from] ?? '') + word.slice(from + 2);
    return exchanged === said;
  }
  const [short, long] = said.length < word.length ? [said, word] : [word, said];
  return word.length >= 5 && short.slice(from) === long.slice(from + 1);
}

export const OPENERS: ReadonlySet<string> = setOf(
  'and but so well yes yeah yep ok okay hi hello hey btw also no actually then plus und aber ja y pero si et mais oui e mas sim ma',
);

const AUXILIARIES = setOf(
  'am is are was were be been have has had do does did will would can could to used absolutely truly honestly do habe hat bin ist ha hemos ai a avons suis est me se le lui n ne y en tambien aussi tambem anche already again ever proud happy',
);

export function isAuxiliary(token: Token | undefined): boolean {
  return token !== undefined && (isSkipped(token) || OPENERS.has(token.word) || AUXILIARIES.has(token.word));
}

export const GERMAN_SUBJECTS: ReadonlySet<string> = new Set(['ich', 'wir', 'er', 'sie', 'es']);

export const NOT_BETWEEN: ReadonlySet<string> = new Set(
  `'s near with without from for about against of over by to at on in like than as into before after because when who which
  that if and or is are was were has have had do does did can will would says said thinks my his her your their our
  mit ohne von bei gegen uber nach fur neben gegenuber con sin cerca avec sans pres face chez contre com sem perto
  senza vicino di`.split(/\s+/u),
);

export interface Persons {
  readonly subjects: ReadonlySet<string>;
  readonly possessives: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
}

export const FIRST: Persons = {
  subjects: setOf('i we ich wir yo nosotros nosotras je j nous on eu nos io noi'),
  possessives: setOf(
    'my our mein meine meinen meinem meiner unser unsere unseren mi mis nuestro nuestra mon ma mes notre nos meu meus minha minhas nosso nossa mio mia miei mie nostro nostra',
  ),
  objects: setOf('me us my our mine mich mir uns mi nos moi nous mim'),
};

export const SECOND: Persons = {
  subjects: setOf('you'),
  possessives: setOf('your'),
  objects: setOf('you your'),
};

const NOBODY: Persons = { subjects: new Set(), possessives: new Set(), objects: new Set() };

export const THIRD: ReadonlySet<string> = setOf(
  'he she it they er sie es el ella ellos ellas il elle ils elles ele ela eles elas lui lei loro',
);

export function firstPersons(speaker: FirstPerson): Persons {
  return speaker === 'user' ? FIRST : speaker === 'assistant' ? SECOND : NOBODY;
}

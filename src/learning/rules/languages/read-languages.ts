import { fold } from '../../../language/fold.ts';
import { otherLanguagesOf } from '../../../language/other-languages.ts';
import type { TextLanguage } from '../../../language/text-language.ts';
import { moodWords } from '../../../language/words/moods.ts';
import { yieldToEventLoop } from '../../../model/event-loop.ts';
import { USER_NAME } from '../../first-person.ts';
import type { StatedFact } from '../rule-statements.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { compileLanguage, type Language, type LanguageRules, type LanguageShape } from './language-rules.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

const RULES: Partial<Record<TextLanguage, LanguageRules>> = {
  ...{ de: GERMAN, fr: FRENCH, es: SPANISH, it: ITALIAN, pt: PORTUGUESE },
};
const compiled = new Map<TextLanguage, Language>();

/** Longer sentences are not read: what they say of the user depends on more than one clause. */
const MAX_CHARACTERS = 300;

/**
 * Returns what the user states about themselves and their people in a German, French, Spanish, Italian or Portuguese
 * sentence: name, age, home, work, family and pets with their names, birthdays, diet, allergies, likes. Predicates are
 * English, as in all facts; the words of names and things are the user's. Each clause must be one of the shapes of its
 * language to the end; conditions, doubts, jokes and reports state nothing.
 *
 * @param sentence a statement in the user's own words
 */
export async function factsInLanguages(sentence: string): Promise<StatedFact[]> {
  const text = sentence
    .trim()
    .replaceAll('’', "'")
    .replace(/[.!…\s]+$/u, '');
  if (text.length > MAX_CHARACTERS || QUOTED_OR_ASKED.test(text)) return [];
  const facts: StatedFact[] = [];
  for (const name of otherLanguagesOf(text)) {
    const rules = RULES[name];
    if (!rules) continue;
    const known = compiled.get(name);
    const language = known ?? compileLanguage(rules);
    facts.push(...factsIn(text, language));
    if (known) continue;
    // Its patterns are compiled when they are first used, which takes a while.
    compiled.set(name, language);
    await yieldToEventLoop();
  }
  return facts;
}

function factsIn(text: string, language: Language): StatedFact[] {
  const bare = text.replace(language.opening, '');
  // What a colon announces may be somebody else's.
  if (/:\s/u.test(bare)) return [];
  const parts = bare.split(COMMA).map((part) => part.replace(language.opening, '').trim());
  const whole = parts.length > 1 ? readPart(bare, [], language) : [];
  if (whole.length > 0) return whole;
  return parts.flatMap((part, at) => [
    ...namedIn([part, ...parts.slice(at + 1)].join(', '), part, language),
    ...readPart(part, [parts[at - 1], parts[at + 1]], language),
  ]);
}

const QUOTED_OR_ASKED = /["“”«»„?？]/u;
const COMMA = /\s*[,;–—]\s+|\s-\s/u;

/** Reads "mi hermana Ana". @param rest the part and what follows, because a comma may stand before the name */
function namedIn(rest: string, part: string, language: Language): StatedFact[] {
  if (isUnreal(part, UNREAL) || PARTED.test(fold(rest))) return [];
  const { index = part.length, groups } = language.named.exec(rest) ?? {};
  const { kin: noun = '', title = '', behind = '' } = groups ?? {};
  const kin = language.kinOf(noun);
  const [name] = GIVEN_NAME.exec(behind) ?? [];
  if (kin === undefined || name === undefined || index >= part.length) return [];
  if (language.noName.test(name) || language.job.test(name)) return [];
  // Where nouns have capitals, only "Meine Schwester Ana lebt …" at the beginning has a name there.
  if (language.hasCapitalNouns && !(index === 0 && /^\s\p{Ll}/u.test(behind.slice(name.length)))) return [];
  return [{ subject: USER_NAME, predicate: `has ${kin}`, object: `${title}${name}` }];
}

/** The end of a relation, which its words do not state. */
const PARTED =
  /\b(?:getrennt|geschieden|trennung|verlassen|separ\w+|divor\w+|quittee?s?|rompi\w*|romp[eu]\w*|cort(?:e|amos|ado)|dej(?:e|amos|ado)|lasciat[aoi]|termin(?:ei|ou|amos|ado)|ex)\b/u;
const GIVEN_NAME = /^\p{Lu}\p{Ll}[\p{L}'-]*(?: \p{Lu}\p{Ll}[\p{L}'-]*)?/u;

/** @param around the parts before and behind, which can say that this one is not so */
function readPart(part: string, around: readonly (string | undefined)[], language: Language): StatedFact[] {
  if (around.some((each) => each !== undefined && isUnreal(each, REPORTED))) return [];
  if (language.relative.test(around[1] ?? '')) return [];
  const whole = isUnreal(part, UNREAL) ? [] : readClause(part, language);
  if (whole.length > 0) return whole;
  // "Vivo en Lima y trabajo como chef"
  const halves = part.split(language.conjunction);
  if (halves.length !== 2 || isUnreal(part, REPORTED)) return [];
  const [first = '', second = ''] = halves;
  const begun = isUnreal(first, UNREAL) ? [] : readClause(first, language);
  if (isUnreal(second, UNREAL)) return begun;
  const continued = readClause(second, language);
  if (continued.length > 0 || begun.length === 0) return [...begun, ...continued];
  return [...begun, ...readClause(`${language.subject} ${second}`, language)];
}

const UNREAL = ['condition', 'doubt', 'joke', 'past'] as const;
const REPORTED = ['condition', 'doubt', 'joke'] as const;

function isUnreal(text: string, moods: typeof UNREAL | typeof REPORTED): boolean {
  const folded = fold(text.replaceAll(LAUGHS_NOT, ' '));
  return INVENTED.test(folded) || moods.some((mood) => moodWords(folded, mood).length > 0);
}

/** Stories, dreams and games. */
const INVENTED =
  /\b(?:stell(?:en|t)? (?:dir|sie sich|euch) vor|nehmen wir an|heisst es|im (?:roman|film|buch|spiel|traum)|imagin\w+|immagin\w+|supon\w*|digamos|disons|facciamo finta|faz de conta|on dirait|(?:dans|en|nel|no) (?:mon|mes|un|le|mi|mis|el|un|mio|meu|um|o) (?:roman|reves?|film|jeu|suenos?|novela|pelicula|juego|sogn[oi]|romanzo|gioco|sonhos?|romance|filme|jogo))\b/u;

/** Portuguese "há" is "ha" without its mark. */
const LAUGHS_NOT = /(?<!\p{L})há(?!\p{L})/giu;

function readClause(clause: string, language: Language): StatedFact[] {
  for (const form of formsOf(clause, language)) {
    for (const shape of language.shapes) {
      const facts = factsOf(shape, form, language);
      if (facts.length > 0) return facts;
    }
  }
  return [];
}

/** Returns a clause as it is and without what does not change what it says, each with its pronoun in front. */
function formsOf(clause: string, { fillers, inverted }: Language): Set<string> {
  const short = clause.replaceAll(fillers, ' ').replaceAll(/\s+/gu, ' ').trim();
  const turned = [clause, short].map((form) => {
    const { front, verb, pronoun, rest = '' } = inverted?.exec(form)?.groups ?? {};
    if (verb === undefined || pronoun === undefined) return form;
    return `${pronoun} ${verb}${front === undefined ? '' : ` ${front}`}${rest}`;
  });
  return new Set([...turned, short]);
}

function factsOf({ pattern, slots, facts }: LanguageShape, clause: string, language: Language): StatedFact[] {
  const match = pattern.exec(clause);
  if (!match) return [];
  const values = new Map<string, readonly string[]>();
  for (const slot of slots) {
    const found = readSlot(slot, match.groups?.[slot]?.trim() ?? '', language);
    if (!found) return [];
    values.set(slot, found);
  }
  const [subject = USER_NAME] = values.get('person') ?? [];
  return facts.flatMap(([predicate, slot]) =>
    (values.get(slot) ?? []).map((object) => ({
      subject,
      predicate: predicate.replace('{kin}', values.get('kin')?.[0] ?? ''),
      object,
    })),
  );
}

/** Returns the values of a slot, or undefined if its words are not of its kind. */
function readSlot(slot: string, text: string, language: Language): string[] | undefined {
  const known = SLOTS[slot];
  if (known) {
    const value = known(text, language);
    return value === undefined ? undefined : [value];
  }
  const list = language.words[slot];
  const bare = text.replace(language.article, '');
  // "À la retraite" is more than an article and a noun.
  if (list) return list.test(text) ? [list.test(bare) ? bare : text] : undefined;
  if (slot !== 'things') {
    return isThing(bare, language) && !language.listMark.test(bare) ? [bare] : undefined;
  }
  const parts = text.split(language.listMark);
  const things = parts.map((part) => part.replace(language.article, '').trim());
  // "Le jazz et danse souvent" and "la chimie et les enfants chantaient fort" are no lists.
  const isList = parts.every(
    (part, at) =>
      (language.article.test(part) || !language.article.test(parts[0] ?? '')) &&
      (parts.length === 1 || (things[at] ?? '').split(' ').length <= 2),
  );
  return isList && things.every((thing) => isThing(thing, language)) ? things : undefined;
}

const SLOTS: Readonly<Record<string, (text: string, language: Language) => string | undefined>> = {
  name: (text, { noName }) => textIf(NAME.test(text) && !noName.test(text), text),
  kin: (text, language) => language.kinOf(text),
  person: (text, { person, noName }) => {
    const { kin, name } = person.exec(text)?.groups ?? {};
    if (kin === undefined) return undefined;
    if (name === undefined) return `${USER_NAME}'s ${kin}`;
    return textIf(NAME.test(name) && !noName.test(name), name);
  },
  place,
  from: place,
  org: (text, { noPlace }) => textIf(ORGANIZATION.test(text) && !noPlace.test(text), text),
  job: (text, { job }) => textIf(job.test(text), text),
  work: (text, language) => textIf(isThing(text, language), text),
  age: (text) => textIf(/^\d{1,2}$|^1[01]\d$/u.test(text), text),
  date: (text, { date }) => textIf(date.test(text), text),
};

function place(text: string, { noPlace }: Language): string | undefined {
  const named = text.replace(/^(?:der|die|den|das|o|a|os|as|il) /u, '');
  return textIf(PLACE.test(named) && !noPlace.test(named), named);
}

function textIf(isMeant: boolean, text: string): string | undefined {
  return isMeant ? text : undefined;
}

const NAME = /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}$/u;
const ORGANIZATION =
  /^\p{Lu}[\p{L}\p{N}&.'-]*(?: (?:de |du |del |da |do |of )?[\p{Lu}\p{N}&][\p{L}\p{N}&.'-]*){0,3}$/u;
const PLACE =
  /^(?:(?:la|le|les|el|los|las) |l')?\p{Lu}[\p{L}'.-]+(?:[ -](?:(?:am|an der|bei|de|del|della|di|do|da|dos|das|sur|sous|en|la|le|les|el|im|ob der)[ -])*(?:l'|d')?\p{Lu}[\p{L}'.-]+){0,3}$/u;

/** Whether a text is one to three words, or a fourth for "de", that can name a thing. */
function isThing(text: string, { ban, noName, hasCapitalNouns }: Language): boolean {
  if (!/^[\p{L}\d](?:[\p{L}\d'.-]|\s(?=\S)){1,60}$/u.test(text) || ban.test(text) || noName.test(text))
    return false;
  const words = text.split(' ').filter((word) => !/^(?:de|des|du|di|del|da|do)$/u.test(word));
  return words.length <= 3 && (!hasCapitalNouns || /(?:^|\s)\p{Lu}[\p{L}-]*$/u.test(text));
}

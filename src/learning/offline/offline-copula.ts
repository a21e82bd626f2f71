import { nameAt } from './offline-names.ts';
import { objectPhrases } from './offline-objects.ts';
import { USER_NAME } from '../first-person.ts';
import { deny, makeFacts, type StatedFact, type StatementContext } from './offline-facts.ts';
import { ownerAt, type Subject } from './offline-subjects.ts';
import type { VerbGroup } from './offline-verbs.ts';
import { textOf, type Word } from './offline-words.ts';

/** What `is` says of a subject: a name, a kind, a property, an age, a place. */
export function copulaFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  context: StatementContext,
): StatedFact[] {
  const phrases = objectPhrases(rest, context.now);
  const make = (predicate: string, objects: readonly string[], from?: number): StatedFact[] =>
    makeFacts(subject, deny(predicate, verb), objects, from);
  if (rest.length === 0) return [];
  if (subject.property) {
    const named = propertyFacts(subject.property, verb, rest, context);
    if (named) return named;
  }
  const [first, second] = rest;
  const lower = first?.lower ?? '';
  if (CALLED.has(lower)) {
    const name = nameText(rest.slice(lower === 'known' ? 2 : 1));
    return name === undefined ? [] : make('is named', [context.referents.fullName(name)]);
  }
  const isNumber = /^\d{1,3}$/u.test(lower) || first?.tags.has('Value');
  const isAge = isNumber && (second?.lower === 'years' || (rest.length === 1 && /^\d\d$/u.test(lower)));
  if (isAge && !verb.isPast && rest.length <= 3 && isPersonal(subject))
    return make('has age', [first?.text ?? '']);
  if (verb.isPerfect && lower === 'to')
    return make('has been to', objectPhrases(rest.slice(1), context.now).texts);
  const office = verb.isPast ? undefined : /^(\p{L}[\p{L} ]*?) of (.+)$/u.exec(subject.names[0] ?? '');
  if (office?.[1] && office[2] && HAD_ONCE.test(office[1]) && first?.isCapital) {
    return makeFacts(
      { names: [office[2]], end: 0 },
      deny(`has ${office[1].toLowerCase()}`, verb),
      phrases.texts,
      undefined,
    );
  }
  if (rest.at(-1)?.lower === 'tall' && /^\d/u.test(lower))
    return make('has height', [textOf(rest.slice(0, -1))]);
  const kin = kinFacts(subject, verb, rest, context);
  if (kin) return kin;
  if (verb.isPast && !/^(?:an?|the)$/u.test(lower)) return [];
  const be = verb.isPast ? 'was' : 'is';
  if (lower === 'one' && second?.lower === 'of') {
    return make(`${be} one of`, [textOf(rest.slice(2, 2 + lengthOfPhrase(rest.slice(2), context.now)))]);
  }
  if (lower === 'a' || lower === 'an') return kindFacts(subject, verb, rest, context);
  if (lower === 'the') return definiteFacts(subject, verb, rest, context);
  const preposition = rest.findIndex(
    (word, index) => index < 3 && PREPOSITIONS.has(word.lower) && word.kind === 'word',
  );
  if (preposition === 0) {
    const texts = objectPhrases(rest.slice(1), context.now).texts;
    if (lower === 'from') return make('is from', texts);
    if (lower === 'into') return make('likes', texts);
    const isDate = nameAt(rest, 1, () => false)?.kind === 'date' || WEEKDAY.test(second?.lower ?? '');
    if (lower === 'on' && isDate && !isPersonal(subject)) return make('is on', texts);
    const isPlace = nameAt(rest, 1, () => false) !== undefined;
    return lower === 'in' && isPlace && !isPersonal(subject) ? make('is in', texts) : [];
  }
  if (preposition > 0) {
    const adjective = rest[preposition - 1]?.lower ?? '';
    if (!WITH_PREPOSITION.has(adjective)) return [];
    const wording = `${be} ${adjective} ${rest[preposition]?.lower ?? ''}`;
    const { texts, since } = objectPhrases(rest.slice(preposition + 1), context.now);
    return make(SAME.get(wording) ?? wording, texts, since);
  }
  const name = nameAt(rest, 0, () => false);
  if (name && name.end === rest.length && isPersonal(subject)) {
    // "I am Jack", and not "I am Dutch".
    const isName = subject.names[0] === USER_NAME && name.kind !== 'date' && !rest.some(isNationality);
    if (isName && name.kind !== 'place') return make('is named', [name.text]);
  }
  // "i'm jack"
  const isFirstName = rest.length === 1 && first?.tags.has('FirstName') && !first.tags.has('Adjective');
  if (first && isFirstName && subject.names[0] === USER_NAME && !TRANSIENT.has(lower))
    return make('is named', [first.text]);
  const states = phrases.texts.filter((text) => !TRANSIENT.has(text.toLowerCase()));
  const isClear = phrases.words.every(
    (part) =>
      part.length <= 3 &&
      !part.some(({ tags }) => tags.has('Verb') && !tags.has('Adjective') && !tags.has('PastTense')),
  );
  return isClear && states.length === phrases.texts.length ? make(be, states) : [];
}

/** `my name is Jack`, `her favorite color is red`, `my dog is called Max`; undefined for any other clause. */
function propertyFacts(
  { owner, noun }: { readonly owner: string; readonly noun: string },
  verb: VerbGroup,
  rest: readonly Word[],
  { referents, now }: StatementContext,
): StatedFact[] | undefined {
  const property = { names: [owner], end: 0 };
  const lower = rest[0]?.lower ?? '';
  const name = nameText(CALLED.has(lower) ? rest.slice(1) : rest);
  if (/^(?:full |first |last |real )?name$/u.test(noun)) {
    const predicate = /^(?:first|last)/u.test(noun) ? `has ${noun}` : 'is named';
    return name === undefined ? [] : makeFacts(property, deny(predicate, verb), [name], undefined);
  }
  const isValue = VALUES.test(noun);
  if (!isValue && (CALLED.has(lower) || (name !== undefined && startsWithName(rest)))) {
    if (name === undefined) return [];
    if (!verb.isNegated) referents.relate(owner, noun, name);
    return makeFacts(property, deny(`has ${noun}`, verb), [name], undefined);
  }
  if (!isValue || verb.isPast) return undefined;
  const date = nameAt(rest, lower === 'on' ? 1 : 0, () => false);
  const texts =
    date?.kind === 'date' ? [date.text] : objectPhrases(lower === 'on' ? rest.slice(1) : rest, now).texts;
  // Of a favorite there is one at a time; who names several has several.
  const isSeveral = texts.length > 1 && noun.startsWith('favorite ');
  return makeFacts(property, deny(isSeveral ? `has among ${noun}` : `has ${noun}`, verb), texts, undefined);
}

/** `Emma is my sister`, `Sam is a friend of mine`, `Sam is Tom's brother`. */
function kinFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  { role, referents, now }: StatementContext,
): StatedFact[] | undefined {
  const owner = ownerAt(rest, role, referents);
  const of = rest.findIndex(({ lower }) => lower === 'of');
  const isMine =
    of > 0 && rest[of + 1]?.lower === (role === 'assistant' ? 'yours' : 'mine') && role !== 'tool';
  if (!owner && !isMine) return undefined;
  const ownerName = owner ? owner.name : USER_NAME;
  const [noun] = objectPhrases(owner ? rest.slice(owner.end) : rest.slice(0, of), now).texts;
  if (ownerName === undefined || noun === undefined || subject.property) return [];
  for (const name of subject.names) if (!verb.isNegated) referents.relate(ownerName, noun, name);
  return makeFacts(
    { names: [ownerName], end: 0 },
    deny(`has ${noun}`, verb),
    subject.names.filter((name) => name !== USER_NAME),
    undefined,
  );
}

/** `is a nurse at Acme`. */
function kindFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  { now }: StatementContext,
): StatedFact[] {
  const { texts, words, places, since } = objectPhrases(rest, now);
  const sound = texts.filter(
    (text, index) => !NO_KINDS.test(text) && (index === 0 || words[index] !== undefined),
  );
  const predicate = verb.isPast ? 'was a' : 'is a';
  const employer = places.get('at') ?? places.get('for');
  const facts = makeFacts(subject, deny(predicate, verb), sound, since);
  if (employer === undefined || verb.isPast || verb.isNegated || sound.length === 0 || !isPersonal(subject))
    return facts;
  return [...facts, ...makeFacts(subject, 'works at', [employer], since)];
}

/** `is the capital of France`. */
function definiteFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  { now }: StatementContext,
): StatedFact[] {
  const of = rest.findIndex(({ lower }) => lower === 'of');
  const { texts } = objectPhrases(rest, now);
  const be = verb.isPast ? 'was' : 'is';
  if (of > 1) {
    const noun = textOf(rest.slice(1, of));
    const owner = nameAt(rest, of + 1, () => false);
    if (owner && !verb.isPast && HAD_ONCE.test(noun)) {
      return makeFacts({ names: [owner.text], end: 0 }, deny(`has ${noun}`, verb), subject.names, undefined);
    }
    if (owner) return makeFacts(subject, deny(`${be} the ${noun} of`, verb), [owner.text], undefined);
  }
  return makeFacts(subject, deny(`${be} the`, verb), texts.slice(0, 1), undefined);
}

function lengthOfPhrase(words: readonly Word[], now: number): number {
  const [part] = objectPhrases(words, now).words;
  const last = part?.at(-1);
  return last ? words.indexOf(last) + 1 : 0;
}

/** The name that a text begins with; one word without a capital does as well: "my name is jack". */
function nameText(words: readonly Word[]): string | undefined {
  const [first] = words;
  if (!first || first.kind === 'mark') return undefined;
  const name = nameAt(words, 0, () => false);
  if (name && name.kind !== 'date') return name.text;
  return words.length === 1 || first.isCapital ? first.text : undefined;
}

function startsWithName(words: readonly Word[]): boolean {
  const name = nameAt(words, 0, () => false);
  return name !== undefined && name.kind !== 'date' && !words.slice(0, name.end).some(isNationality);
}

function isNationality({ tags }: Word): boolean {
  return tags.has('Demonym') || tags.has('Adjective');
}

function isPersonal({ names, property }: Subject): boolean {
  return !property && names.some((name) => name === USER_NAME || /^\p{Lu}/u.test(name));
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

const CALLED = words('called named known nicknamed');
const PREPOSITIONS = words('in at for on with to from of into about by near under over');
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/u;
const VALUES =
  /(?:^favorite )|(?:^| )(?:age|birthday|job|job title|profession|occupation|address|email|number|height|weight|budget|goal|nationality|hometown|diet|allergy|allergies|hobby|hobbies|major|language|native language|size|blood type|religion|salary|deadline|zodiac sign|star sign|pronouns|timezone|time zone)$/u;
const HAD_ONCE =
  /^(?:capital|ceo|president|prime minister|king|queen|mayor|currency|population|deadline|author|director|founder)$/iu;
const WITH_PREPOSITION = words(
  `allergic married engaged afraid scared good bad great interested fluent employed based located situated intolerant
  fond addicted related tired proud responsible vegetarian terrible divorced`,
);
const SAME: ReadonlyMap<string, string> = new Map([
  ['is employed at', 'works at'],
  ['is employed by', 'works at'],
]);
const NO_KINDS =
  /^(?:bit|lot|little|few|great (?:idea|choice|question|way|place)|good (?:idea|choice|question|way|point|start)|question|problem|shame|pity|pleasure|must|mistake|joke|long story|big deal)\b/iu;
/** How somebody is for an hour is no fact to keep. */
const TRANSIENT = words(
  `sorry sure fine ok okay ready here there back tired hungry thirsty bored busy happy glad sad angry afraid confused
  curious done good well great bad sick late early lost excited right wrong correct true welcome free available home
  alone worried nervous new able open interested stuck all so not aware awake cold hot hard easy nice important
  possible impossible interesting clear`,
);

import { copulaFacts } from './offline-copula.ts';
import { deny, makeFacts, type StatedFact, type StatementContext } from './offline-facts.ts';
import { objectPhrases, splitList } from './offline-objects.ts';
import { nameAt } from './offline-names.ts';
import { USER_NAME } from '../first-person.ts';
import type { Subject } from './offline-subjects.ts';
import { baseForm, pastForm, thirdPerson, type VerbGroup, verbGroupAt } from './offline-verbs.ts';
import { textOf, type Word } from './offline-words.ts';

/** The facts that a clause states of its subject. */
export function statedFacts(
  words: readonly Word[],
  subject: Subject,
  context: StatementContext,
): StatedFact[] {
  if (subject.names.length === 0) return [];
  const verb = verbGroupAt(words, subject.end);
  if (!verb || verb.isUnsure) return [];
  const rest = words.slice(verb.end);
  const facts =
    verb.main === 'be'
      ? copulaFacts(subject, verb, rest, context)
      : verb.form === 'done'
        ? passiveFacts(subject, verb, rest, context)
        : verb.form === 'being'
          ? progressiveFacts(subject, verb, rest, context)
          : activeFacts(subject, verb, rest, context);
  return facts.filter(({ subject: a, object: b }) => a.toLowerCase() !== b.toLowerCase());
}

function activeFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  context: StatementContext,
): StatedFact[] {
  const base = baseForm(verb.main);
  const employer = newEmployer(rest);
  if (employer !== undefined && GETS_JOB.has(base)) {
    return makeFacts(subject, deny('works at', verb), [employer], undefined);
  }
  if (NO_FACTS.has(base) || (verb.isAble && !verb.isNegated && !SKILLS.has(base))) return [];
  if (base === 'have') return possessionFacts(subject, verb, rest, context);
  const [next] = rest;
  if (next?.lower === 'to' && TO_DO.has(base)) {
    const { texts } = objectPhrases(rest.slice(1), context.now);
    return makeFacts(subject, deny(thirdPerson(base), verb) + ' to', texts, undefined);
  }
  const particle = next?.kind === 'word' && PARTICLES.has(next.lower) ? next.lower : undefined;
  const from = base === 'moved' || base === 'relocated' ? rest.findIndex(({ lower }) => lower === 'to') : -1;
  const objectWords = from >= 0 ? rest.slice(from + 1) : particle === undefined ? rest : rest.slice(1);
  const behind = from >= 0 ? 'to' : particle;
  const phrases = objectPhrases(objectWords, context.now);
  const isLasting = phrases.isLasting && verb.isPerfect;
  const stem = formedVerb(verb, base, isLasting);
  const wording = behind === undefined ? stem : `${stem} ${behind}`;
  const predicate = SAME.get(wording) ?? wording;
  const isKnownVerb = SAME.has(wording) || STATIVE.has(isLasting ? pastToBase(verb.main) : base);
  const texts = phrases.texts.filter((_, index) => {
    const part = phrases.words[index] ?? [];
    const isDeed =
      verb.form === 'past' && subject.names[0] !== USER_NAME && /^\p{Lu}/u.test(subject.names[0] ?? '');
    return (
      isAcceptable(part) &&
      (isKnownVerb || tellsSomething(part) || (isDeed && part.some(({ tags }) => tags.has('Noun'))))
    );
  });
  if (
    base === 'work' &&
    /^(?:at|for|with)$/u.test(behind ?? '') &&
    /^\d|^(?:home|myself)/u.test(texts[0] ?? '')
  )
    return [];
  const time = phrases.since ?? phrases.on;
  return makeFacts(subject, deny(predicate, verb), texts, time);
}

/** `Google` of `a new job at Google`. */
function newEmployer(rest: readonly Word[]): string | undefined {
  const job = rest.findIndex(
    ({ lower }, index) => index < 5 && /^(?:job|position|internship|role)$/u.test(lower),
  );
  if (job < 0 || !/^(?:at|with)$/u.test(rest[job + 1]?.lower ?? '')) return undefined;
  const name = nameAt(rest, job + 2, () => false);
  return name && name.kind !== 'date' ? name.text : undefined;
}

/** `lives`, `directed`, `has seen`. */
function formedVerb(verb: VerbGroup, base: string, isLasting: boolean): string {
  if (verb.isPerfect) {
    if (isLasting && STATIVE.has(pastToBase(verb.main))) return thirdPerson(pastToBase(verb.main));
    return pastForm(verb.main);
  }
  if (verb.isPast && !verb.isNegated) return pastForm(base);
  return verb.form === 'past' ? verb.main : thirdPerson(base);
}

function pastToBase(past: string): string {
  return PAST_STATES.get(past) ?? past;
}

/** `has dog Max` from `have a dog called Max`; else `has` what there is. */
function possessionFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  context: StatementContext,
): StatedFact[] {
  if (rest[0]?.lower === 'to' || (verb.isPast && !verb.isNegated)) return [];
  const called = rest.findIndex(({ lower, kind }) => kind === 'word' && /^(?:called|named)$/u.test(lower));
  if (called > 0) {
    const [noun] = objectPhrases(rest.slice(0, called), context.now).texts;
    const names = splitList(rest.slice(called + 1)).flatMap(
      (part) => nameAt(part, 0, () => false)?.text ?? (part[0]?.isCapital ? part[0].text : []),
    );
    const single = names.length > 1 ? singular(noun) : noun;
    if (single === undefined) return [];
    const more = splitList(rest.slice(called + 1)).filter(([first]) => /^an?$/u.test(first?.lower ?? ''));
    const others = more.flatMap((part) => objectPhrases(part, context.now).texts);
    for (const owner of subject.names)
      for (const name of names) context.referents.relate(owner, single, name);
    return [
      ...makeFacts(subject, deny(`has ${withoutNumber(single)}`, verb), names, undefined),
      ...makeFacts(subject, deny('has', verb), others, undefined),
    ];
  }
  const phrases = objectPhrases(rest, context.now);
  const texts = phrases.texts.filter(
    (text, index) => isAcceptable(phrases.words[index] ?? []) && !NOT_HAD.test(text),
  );
  if (verb.main !== 'have' && verb.form === 'past') return [];
  const isWeak = rest[0]?.lower === 'the' || rest[0]?.lower === 'this';
  return isWeak ? [] : makeFacts(subject, deny('has', verb), texts, phrases.since);
}

/** `Inception was directed by Nolan`; `was born in Lima on 5 July 1990`. */
function passiveFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  { referents, role, now }: StatementContext,
): StatedFact[] {
  const phrases = objectPhrases(rest.slice(1), now);
  const preposition = rest[0]?.lower ?? '';
  if (verb.main === 'born') return bornFacts(subject, verb, rest);
  if (preposition === 'by' && !verb.isNegated) {
    const pronoun = /^(?:him|her|them|it)$/u.test(phrases.texts[0] ?? rest[1]?.lower ?? '');
    const makers = pronoun
      ? referents.resolve(rest[1]?.lower ?? '')
      : rest[1]?.lower === 'me'
        ? role === 'user'
          ? [USER_NAME]
          : []
        : phrases.words.filter(([first]) => first?.isCapital).map((part) => referents.fullName(textOf(part)));
    if (EMPLOYED.test(verb.main)) return makeFacts(subject, 'works at', makers, undefined);
    return makers.flatMap((maker) =>
      makeFacts({ names: [maker], end: 0 }, pastForm(verb.main), subject.names, phrases.on),
    );
  }
  if (!PARTICLES.has(preposition)) return [];
  const wording = `${verb.isPast ? 'was' : 'is'} ${verb.main} ${preposition}`;
  const texts = phrases.texts.filter((_, index) => isAcceptable(phrases.words[index] ?? []));
  return makeFacts(subject, deny(SAME.get(wording) ?? wording, verb), texts, undefined);
}

function bornFacts(subject: Subject, verb: VerbGroup, rest: readonly Word[]): StatedFact[] {
  const facts: StatedFact[] = [];
  for (const [index, word] of rest.entries()) {
    if (!/^(?:on|in)$/u.test(word.lower)) continue;
    const name = nameAt(rest, index + 1, () => false);
    const next = rest[index + 1];
    const object = name?.text ?? (next?.kind === 'word' ? next.text : undefined);
    if (object === undefined) continue;
    const isDate = name?.kind === 'date' || /^\d/u.test(object);
    facts.push(
      ...makeFacts(subject, deny(isDate ? 'was born on' : 'was born in', verb), [object], undefined),
    );
  }
  return facts;
}

/** `is learning Spanish`, and `lives in` for `is living in`. */
function progressiveFacts(
  subject: Subject,
  verb: VerbGroup,
  rest: readonly Word[],
  context: StatementContext,
): StatedFact[] {
  if (NO_PROGRESS.has(verb.main) || verb.isPast) return [];
  const [next] = rest;
  const particle = next?.kind === 'word' && PARTICLES.has(next.lower) ? next.lower : undefined;
  const phrases = objectPhrases(particle === undefined ? rest : rest.slice(1), context.now);
  const wording = [`is ${verb.main}`, ...(particle === undefined ? [] : [particle])].join(' ');
  const texts = phrases.texts.filter((_, index) => isAcceptable(phrases.words[index] ?? []));
  return makeFacts(subject, deny(SAME.get(wording) ?? wording, verb), texts, phrases.since);
}

/** Whether a phrase is more than a pronoun or somebody's unnamed thing. */
function isAcceptable(part: readonly Word[]): boolean {
  const [first] = part;
  if (!first || part.some((word) => word.kind === 'mark' && !/^[$€£#%&+,]$/u.test(word.text))) return false;
  return first.kind === 'title' || (!NO_OBJECTS.has(first.lower) && !first.tags.has('QuestionWord'));
}

/** Verbs that are in no list state a fact of a thing with a name, a number, or more than one word. */
function tellsSomething(part: readonly Word[]): boolean {
  return (
    part.some((word) => word.kind === 'title' || word.isCapital || /^\d/u.test(word.text)) ||
    part.length > 1 ||
    part.some(({ tags }) => tags.has('Place') || tags.has('Person'))
  );
}

function singular(noun: string | undefined): string | undefined {
  const bare = noun === undefined ? undefined : withoutNumber(noun);
  return bare !== undefined && /[^s]s$/u.test(bare) ? bare.slice(0, -1) : bare;
}

function withoutNumber(noun: string): string {
  return noun.replace(/^(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+/u, '');
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

const PARTICLES = words('in at for on with to from as about of into near under against');
/** Wordings of one predicate, as the list of single-valued predicates knows them. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['works for', 'works at'],
  ['works with', 'works with'],
  ['resides in', 'lives in'],
  ['moved to', 'lives in'],
  ['relocated to', 'lives in'],
  ['is living in', 'lives in'],
  ['is living at', 'lives at'],
  ['is residing in', 'lives in'],
  ['is working at', 'works at'],
  ['is working for', 'works at'],
  ['is working as', 'works as'],
  ['is employed at', 'works at'],
  ['comes from', 'is from'],
  ['goes by', 'is named'],
  ['married', 'is married to'],
  ['weighs', 'has weight'],
]);
const EMPLOYED = /^(?:employed|hired)$/u;
/** Present or past, they state a fact whatever their object is. */
const STATIVE = words(
  `live reside work like love hate enjoy prefer dislike adore own speak play drive use study teach know collect
  practice practise support train wear ride eat drink write direct run manage follow weigh cost belong contain smoke
  avoid commute fear`,
);
const PAST_STATES: ReadonlyMap<string, string> = new Map([
  ['lived', 'live'],
  ['worked', 'work'],
  ['owned', 'own'],
  ['played', 'play'],
  ['studied', 'study'],
  ['taught', 'teach'],
  ['known', 'know'],
  ['used', 'use'],
  ['loved', 'love'],
  ['liked', 'like'],
  ['spoken', 'speak'],
  ['managed', 'manage'],
  ['run', 'run'],
]);
const GETS_JOB = words('got started have found accepted landed start');
const TO_DO = words('like love hate prefer');
const SKILLS = words('speak play');
const NO_FACTS = words(
  `need want wonder mean see understand appreciate try ask let look seem feel sound agree disagree apologize plan
  intend decide got get getting make made sure mind matter depend happen help show send give gave please thank come go
  went came take took put keep kept stop start started found find suggest recommend consider expect worry
  care remember forget forgot recall saw felt knew began became`,
);
const NO_PROGRESS = words(
  `going trying looking asking wondering thinking talking doing getting having being hoping saying telling feeling
  kidding joking calling starting using making coming seeing sitting waiting`,
);
const NO_OBJECTS = words(
  `it that this them these those what how when where who which me you him her us myself yourself itself not if
  more less much many lot something anything nothing everything someone anyone everyone there here my your his its our
  their`,
);
const NOT_HAD =
  /^(?:(?:quick |another |few |other |great |nice |good |bad |more |long )*(?:questions?|problems?|ideas?|issues?|doubts?|trouble|look|time|fun|day|night|weekend|trip|clue|chance|choice|point|feeling|request|thoughts?|luck|dinner|lunch|breakfast|meeting|right|access|information|break)|enough .*)$/iu;

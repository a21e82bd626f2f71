import { USER_NAME } from '../first-person.ts';
import { isKin, isPersonKin, singularOf } from './offline-kin.ts';
import { isNoName, nameAt } from './offline-names.ts';
import type { Referents } from './offline-referents.ts';
import { fullName, type SlotContext } from './offline-slots.ts';
import type { StatedFact, Subject } from './offline-statements.ts';
import { textOf, type Word } from './offline-words.ts';

/** Who speaks: it decides whom `I` and `you` mean. */
export type SpeakerRole = 'user' | 'assistant' | 'tool';

/** A subject, and the words behind it. */
export interface FoundSubject extends Subject {
  readonly rest: readonly Word[];
}

/** Who speaks, and of whom was spoken. */
export interface Speaking {
  readonly role: SpeakerRole;
  readonly referents: Referents;
}

/** The subject at the beginning of a clause; undefined where it is nobody of whom facts are kept. */
export function subjectOf(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const [first] = words;
  if (first?.kind !== 'word' && first?.kind !== 'title') return undefined;
  const { role, referents } = speaking;
  if (first.kind === 'word') {
    const isSelf =
      role === 'user' ? /^(?:i|we)$/u.test(first.lower) : role === 'assistant' && first.lower === 'you';
    if (isSelf) return { names: [USER_NAME], isUser: true, isThird: false, rest: words.slice(1) };
    if (/^(?:i|we|you)$/u.test(first.lower)) return undefined;
    if (/^(?:he|she|it|they)$/u.test(first.lower)) {
      const names = referents.resolve(first.lower);
      return names.length === 0 ? undefined : { names, isUser: false, isThird: true, rest: words.slice(1) };
    }
  }
  return ownedSubject(words, speaking) ?? namedSubject(words, speaking);
}

/** Whom a possessive at a word means: `my`, `her`, `Sam's`. */
export function ownerAt(
  words: readonly Word[],
  { role, referents }: Speaking,
  start = 0,
): { readonly name: string | undefined; readonly end: number } | undefined {
  const word = words[start];
  if (word?.kind !== 'word') return undefined;
  if (/^(?:my|our|your|his|her|their|its)$/u.test(word.lower)) {
    const isMine = /^(?:my|our)$/u.test(word.lower);
    const isYours = word.lower === 'your';
    const [name, ...others] =
      isMine || isYours
        ? (isMine ? 'user' : 'assistant') === role
          ? [USER_NAME]
          : []
        : referents.resolve(word.lower);
    return { name: others.length > 0 ? undefined : name, end: start + 1 };
  }
  const name = nameAt(words, start, (lower) => referents.knows(lower));
  const end = name?.end ?? start + 1;
  if (words[end]?.kind !== 'possessive' || name?.kind === 'date') return undefined;
  return {
    name: name ? referents.fullName(name.text) : word.isCapital ? word.text : undefined,
    end: end + 1,
  };
}

/** `my sister Emma`, `my sister`, `dad`, `her favorite color`, `my brother's name`. */
function ownedSubject(words: readonly Word[], speaking: Speaking): FoundSubject | undefined {
  const { referents, role } = speaking;
  const first = words[0]?.lower ?? '';
  const isRole = /^new$/u.test(first) && isPersonKin(words[1]?.lower ?? '');
  const isProperty = BARE_PROPERTY.test(first) && /^(?:is|was)$/u.test(words[1]?.lower ?? '');
  const isBare =
    role === 'user' &&
    (BARE_KIN.test(first) || isRole || isProperty) &&
    words[1]?.kind === 'word' &&
    !/^(?:and|of)$/u.test(words[1].lower);
  const owner = isBare ? { name: USER_NAME, end: 0 } : ownerAt(words, speaking);
  if (owner?.name === undefined) return undefined;
  const named = kinAt(words, speaking);
  if (named) {
    const rest = words.slice(named.end);
    return {
      names: [named.fact.object],
      isUser: false,
      isThird: true,
      rest: rest[0]?.text === ',' ? rest.slice(1) : rest,
    };
  }
  const end = words.findIndex(
    (word, index) => index > owner.end && (word.kind === 'mark' || isFinite(word, words[index - 1])),
  );
  const nouns = words.slice(owner.end, end < 0 ? words.length : end);
  if (end < 0 || nouns.length === 0 || nouns.length > 5 || words[end]?.kind === 'mark') return undefined;
  const possessive = nouns.findIndex(({ kind }) => kind === 'possessive');
  if (possessive > 0) {
    const relative = nounOf(nouns.slice(0, possessive));
    const of = nounOf(nouns.slice(possessive + 1));
    const holder = referents.relative(owner.name, relative) ?? `${owner.name}'s ${relative}`;
    if (of !== 'name')
      return {
        names: [`${holder}'s ${of}`],
        property: { owner: holder, noun: of },
        isUser: false,
        isThird: true,
        rest: words.slice(end),
      };
    return {
      names: [`${owner.name}'s ${relative}`],
      kin: { owner: owner.name, noun: relative },
      isUser: false,
      isThird: true,
      rest: words.slice(end),
    };
  }
  const noun = nounOf(nouns);
  const known = referents.relative(owner.name, noun);
  const isSomebody = isKin(singularOf(nouns.at(-1)?.lower ?? ''));
  const names = [known ?? `${owner.name}'s ${noun}`];
  return {
    names,
    ...(isSomebody
      ? { kin: { owner: owner.name, noun: singularOf(noun) } }
      : { property: { owner: owner.name, noun } }),
    isUser: false,
    isThird: true,
    rest: words.slice(end),
  };
}

/** `Emma`, `Sam and Deven`, `the Crown`. */
function namedSubject(words: readonly Word[], { referents, role }: Speaking): FoundSubject | undefined {
  const names: string[] = [];
  const knows = (lower: string): boolean => referents.knows(lower);
  let index = 0;
  for (;;) {
    const name = nameAt(words, index, knows);
    const word = words[index];
    const isUnknown =
      word?.kind === 'word' &&
      word.isCapital &&
      isFinite(words[index + 1], word) &&
      !NO_SUBJECT.test(word.lower) &&
      !isNoName(word.lower) &&
      !(
        word.isFirst &&
        ['Gerund', 'Verb', 'Adjective', 'Adverb', 'Plural', 'Preposition', 'Conjunction'].some((tag) =>
          word.tags.has(tag),
        )
      );
    if (name && name.kind !== 'date') names.push(referents.fullName(name.text));
    else if (names.length > 0 && role === 'user' && word?.lower === 'i') names.push(USER_NAME);
    else if (isUnknown) names.push(word.text);
    else return undefined;
    index = name?.end ?? index + 1;
    if (!/^(?:and|,|&)$/u.test(words[index]?.lower ?? '')) break;
    index += 1;
  }
  const rest = words.slice(index);
  const isSingular = names.length > 1 || !BASE.test(rest[0]?.lower ?? '');
  return isSingular && isFinite(rest[0], words[index - 1])
    ? { names, isUser: false, isThird: true, rest }
    : undefined;
}

/** A relative, friend or pet whom words name at an index: `my sister Emma`, `his wife, Ana,`, `my mum (Rosa`. */
export function kinAt(
  words: readonly Word[],
  speaking: Speaking,
  begin = 0,
): { readonly fact: StatedFact; readonly noun: string; readonly end: number } | undefined {
  const { referents, role } = speaking;
  const isBare =
    role === 'user' && isPersonKin(words[begin]?.lower ?? '') && words[begin]?.isCapital === false;
  const isOpen = begin === 0 || words[begin - 1]?.kind === 'mark';
  // "son Skander studies", "dad = Winston"
  const isAlone =
    isBare && (words[begin + 1]?.text === '=' || (isOpen && words[begin + 1]?.isCapital === true));
  const owner = isAlone ? { name: USER_NAME, end: begin } : ownerAt(words, speaking, begin);
  if (owner?.name === undefined) return undefined;
  let at = owner.end;
  while (
    at < owner.end + 3 &&
    KIN_ADJECTIVE.test(words[at]?.lower ?? '') &&
    words[at + 1]?.kind === 'word' &&
    !words[at + 1]?.isCapital
  )
    at += 1;
  const two = `${words[at]?.lower ?? ''} ${words[at + 1]?.lower ?? ''}`;
  if (/^(?:best|business|maid|guinea|au|step) (?:friend|partner|pig|pair|mom|dad)$/u.test(two)) at += 1;
  const kin = words[at];
  if (kin?.kind !== 'word' || !isKin(kin.lower) || kin.isCapital) return undefined;
  const isInLaw = words[at + 1]?.lower === 'in' && words[at + 2]?.lower === 'law';
  const nounEnd = isInLaw ? at + 3 : at + 1;
  const mark = words[nounEnd]?.kind === 'mark' ? words[nounEnd]?.text : undefined;
  const start = nounEnd + (mark === undefined ? 0 : 1);
  const from = /^(?:mr|mrs|ms|dr|prof|father|sister|don|sir)\.?$/u.test(words[start]?.lower ?? '')
    ? start + 1
    : start;
  const name = nameAt(words, from, () => false);
  const capital = words[from];
  const isPlain =
    capital?.isCapital === true && capital.kind === 'word' && fullName([capital], ANY) !== undefined;
  const isSmall =
    mark === undefined &&
    isPersonKin(kin.lower) &&
    capital !== undefined &&
    isSmallName(capital) &&
    FINITE.test(words[from + 1]?.lower ?? '');
  const end =
    name && name.kind !== 'date' && name.kind !== 'title' ? name.end : isPlain || isSmall ? from + 1 : from;
  if (end === from) return undefined;
  const next = words[end]?.text;
  const isAside =
    mark === undefined ||
    (mark === ',' && (next === ',' || next === undefined)) ||
    (mark === '(' && (next === ')' || next === ',')) ||
    mark === '=' ||
    mark === ':';
  if (!isAside) return undefined;
  const adjective = /^(?:late|ex|former|business|best)$/u.exec(words[at - 1]?.lower ?? '')?.[0];
  const bare = isInLaw ? `${kin.lower}-in-law` : kin.lower;
  const noun = adjective === undefined || adjective === 'best' ? bare : `${adjective} ${bare}`;
  const object = referents.fullName(textOf(words.slice(start, end)));
  return {
    fact: { subject: owner.name, predicate: `has ${noun}`, object },
    noun,
    end: mark === '(' || mark === ',' ? end + 1 : end,
  };
}

/** `Martin (husband)`, `Taavi my brother`, `Davide, my husband,`. */
export function kinBehind(
  words: readonly Word[],
  speaking: Speaking,
  start: number,
): { readonly fact: StatedFact; readonly noun: string } | undefined {
  const name = nameAt(words, start, () => false);
  const isName = name !== undefined && name.kind !== 'date' && name.kind !== 'title' && name.kind !== 'place';
  const end = isName
    ? name.end
    : words[start]?.isCapital === true && fullName(words.slice(start, start + 1), ANY) !== undefined
      ? start + 1
      : start;
  if (end === start || speaking.role !== 'user' || words[start - 1]?.isCapital === true) return undefined;
  const mark = words[end]?.text;
  const behind = words.slice(end + (mark === '(' || mark === ',' ? 1 : 0));
  const isMine = behind[0]?.lower === 'my';
  const [kin, after] = isMine ? behind.slice(1) : behind;
  const isClosed =
    mark === '('
      ? after?.text === ')'
      : isMine &&
        (mark === ','
          ? after === undefined || after.text === ','
          : !/^(?:and|'s|,)$/u.test(after?.text ?? ''));
  if (!kin || !isKin(kin.lower) || !isClosed || (mark !== '(' && !isMine)) return undefined;
  const object = speaking.referents.fullName(textOf(words.slice(start, end)));
  return { fact: { subject: USER_NAME, predicate: `has ${kin.lower}`, object }, noun: kin.lower };
}

/** Whether a word typed small may be a name where one is expected: `my husband declan works from home`. */
function isSmallName({ kind, lower, tags, isCapital }: Word): boolean {
  const isNoun =
    tags.has('Noun') &&
    !['Verb', 'Plural', 'Pronoun', 'Gerund', 'Adverb', 'Possessive', 'Actor', 'Value'].some((tag) =>
      tags.has(tag),
    );
  return (
    kind === 'word' &&
    !isCapital &&
    isNoun &&
    /^\p{L}{3,}$/u.test(lower) &&
    !isNoName(lower) &&
    !isKin(lower) &&
    !NO_SMALL_NAME.test(lower)
  );
}

function isFinite(word: Word | undefined, before: Word | undefined): boolean {
  if (word?.kind !== 'word' || word.isCapital) return false;
  if (FINITE.test(word.lower)) return true;
  const isVerb = word.tags.has('Verb') && !word.tags.has('Gerund') && !word.tags.has('Infinitive');
  return isVerb || (before?.isCapital === true && /[^s]s$/u.test(word.lower) && !word.tags.has('Plural'));
}

function nounOf(words: readonly Word[]): string {
  const plain = words.map((word) =>
    word.isCapital && !word.tags.has('ProperNoun') ? { ...word, text: word.lower } : word,
  );
  return textOf(plain.map((word) => (word.isCapital ? word : { ...word, text: word.lower }))).replace(
    /^(?:(?:own|current|new|older|younger|big|little|dear|poor) )+/u,
    '',
  );
}

const NO_SMALL_NAME =
  /^(?:group|side|house|birthday|wedding|name|job|car|place|party|food|family|team|room|work|phone|problem|situation|voice|mood|health|hair|idea|plan|class|lesson|account|office|thing|request)$/u;
const ANY: SlotContext = { isKnown: () => false, isSmall: false };
const KIN_ADJECTIVE =
  /^(?:older|elder|eldest|oldest|younger|youngest|little|big|baby|late|ex|former|best|old|new|other|dear|good|close|own|twin|favorite|first|second|only|beloved|poor|lovely|sweet|current|adult|teenage|teen|uni|school|childhood|work|next-door|upstairs|downstairs|direct|former)$/u;
const BASE =
  /^(?:live|work|like|love|hate|play|speak|eat|drink|want|prefer|enjoy|own|drive|run|sell|make|are|were|have|do)$/u;
const BARE_PROPERTY = /^(?:budget|birthday|name|age|weight|height)$/u;
const BARE_KIN =
  /^(?:dad|mom|mum|mama|papa|baba|grandma|grandpa|gran|nan|hubby|wife|husband|gf|bf|girlfriend|boyfriend|son|daughter|sis|bro|brother|sister)$/u;
const NO_SUBJECT =
  /^(?:this|that|there|here|it|what|who|everyone|everybody|nobody|somebody|nothing|everything|something|weather|one|all|some|any|most|people|the|then|today|tomorrow|yesterday)$/u;
const FINITE =
  /^(?:is|are|was|were|has|have|had|lives?|works?|likes?|loves?|hates?|does|do|did|moved|plays?|speaks?|studies|eats?|drinks?|wants?|prefers?|enjoys?|owns?|drives?|runs?|teaches|wrote|directed|founded|met|made|built|painted|composed|invented|created|designed|sells?|makes?|got|can|not|never|always|still|just|also|really|currently|now|married|allergic|left|quit|joined|started|will|would|could|should|may|might|must)$/u;

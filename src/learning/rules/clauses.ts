import { hasTag, isOneOf, type Word } from '../../language/sentence-words.ts';
import { isIn, pairs } from '../../language/words/lexicon.ts';

/** The part of a sentence between two commas, conjunctions or stronger punctuation marks. */
export interface Piece {
  readonly words: readonly Word[];
  /** The `,` or `and` before it, if it may be part of a list. */
  readonly joint: readonly Word[] | undefined;
  /** Whether it continues the piece before. */
  readonly isContinued: boolean;
  /** Whether it is a question, hypothetical or reported speech, so that nothing in it is stated as true. */
  readonly isUnstated: boolean;
}

/** Splits a sentence into pieces. A condition, wish, guess or report includes everything joined to it by `and`. */
export function piecesOf(all: readonly Word[]): Piece[] {
  const { words, asides } = withoutAsides(all);
  return [...piecesOfRun(words), ...asides.flatMap(piecesOfRun)];
}

/** Separates the text in parentheses from the sentence around it. */
function withoutAsides(all: readonly Word[]): {
  words: readonly Word[];
  asides: readonly (readonly Word[])[];
} {
  const open = all.findIndex(({ kind, text }) => kind === 'mark' && text === '(');
  const close = all.findIndex(({ kind, text }, index) => index > open && kind === 'mark' && text === ')');
  if (open < 0 || close < 0) return { words: all, asides: [] };
  const rest = withoutAsides([...all.slice(0, open), ...all.slice(close + 1)]);
  return { words: rest.words, asides: [all.slice(open + 1, close), ...rest.asides] };
}

function piecesOfRun(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  let current: Word[] = [];
  let joint: Word[] | undefined;
  let isContinued = false;
  let isCarried = false;
  let isOffer = false;
  const close = (nextJoint: Word[] | undefined, isNextContinued: boolean): void => {
    if (current.length > 0) {
      // "I'd take him, we live close by": what follows is not part of the offer.
      if (isOffer && joint?.[0]?.text === ',' && isOneOf(current[0], 'i we')) isCarried = false;
      const isDoubted = isCarried || isIn('doubt-start', current[0]?.lower) || isDoubtful(current);
      pieces.push({ words: current, joint, isContinued, isUnstated: isDoubted || isQuestion(current) });
      isCarried = isDoubted && isNextContinued && nextJoint !== undefined;
      isOffer =
        isOneOf(current[0], 'i she he we they') &&
        current.slice(1, 2).some((word) => isOneOf(word, 'would can could'));
      current = [];
      joint = nextJoint;
      isContinued = isNextContinued;
    } else if (nextJoint !== undefined && joint !== undefined) joint = [...joint, ...nextJoint];
    else isContinued &&= isNextContinued;
  };
  for (const [index, word] of words.entries()) {
    const isMark = word.kind === 'mark';
    if (isNewSubject(current, word, words[index + 1])) close(undefined, false);
    // "Smith & Sons" is one name.
    const isAnd = word.text === '&' && words[index + 1]?.isCapital !== true;
    const isJoint = isMark ? word.text === ',' || isAnd : word.kind === 'word' && isOneOf(word, 'and or n');
    if (isJoint) close([word], true);
    else if (isMark && /^[:–—-]$/u.test(word.text)) close([{ ...word, text: ',', lower: ',' }], false);
    else if (isMark && !/^[#$€£%&+@/'’=]$/u.test(word.text)) close(undefined, false);
    else if (word.kind === 'word' && isIn('conjunction', word.lower) && !word.isCapital) {
      close(undefined, false);
      if (isIn('doubt-start', word.lower)) current.push(word);
    } else current.push(word);
  }
  close(undefined, false);
  const last = pieces.at(-1);
  if (!last || !endsAsQuestion(words)) return pieces;
  // "I'm vegetarian, what should I cook?" states its first half; "I live in Paris, right?" states nothing.
  const isAsked = isQuestion(last.words) || isOneOf(last.words[0], AUXILIARIES);
  const isTag =
    isIn('question-tag', last.words[0]?.lower) &&
    (last.words.length < 3 || isOneOf(last.words[1], `${ASKED} not`));
  // "I'm licensed in Ohio so that code?" states its first half as well.
  const isThen = words.some(({ lower }, index) => lower === 'so' && words[index + 1] === last.words[0]);
  const isHalf = pieces.length > 1 && (isAsked || isThen) && !isTag;
  return pieces.map((piece) => (isHalf && piece !== last ? piece : { ...piece, isUnstated: true }));
}

/** Whether a pronoun begins a clause of its own without a comma: "i am a nurse i work nights". */
function isNewSubject(current: readonly Word[], word: Word, next: Word | undefined): boolean {
  const [first] = current;
  const before = current.at(-1);
  if (!isOneOf(word, 'i he she we they') || current.length < 3 || !first || !before || !next) return false;
  const isPlain = !isIn('doubt-start', first.lower) && !isDoubtful(current) && isVerb(next);
  const isEnd = hasTag(before, 'Noun', 'Value', 'Adverb', 'Adjective') && !hasTag(before, 'Verb', 'Pronoun');
  return isPlain && isEnd && current.some(isVerb);
}

export function isVerb(word: Word): boolean {
  return word.tags.has('Verb') || isOneOf(word, 'am is are');
}

function endsAsQuestion(words: readonly Word[]): boolean {
  return words.slice(-4).some(({ kind, text }) => kind === 'mark' && /[?？]/u.test(text));
}

/** Whether words are a question, with or without a question mark. */
export function isQuestion(words: readonly Word[]): boolean {
  if (endsAsQuestion(words)) return true;
  const start = words.findIndex(({ kind, lower }) => kind !== 'mark' && !isIn('opener', lower));
  const [first, second, third] = words.slice(Math.max(start, 0));
  if (first?.kind !== 'word') return false;
  if (isOneOf(first, 'what who whom whose which where when why how')) return true;
  if (!isOneOf(first, AUXILIARIES)) return false;
  if (second?.lower === 'not') return isOneOf(third, 'i you he she it we they');
  return second?.isCapital === true || isOneOf(second, ASKED);
}

const AUXILIARIES =
  'do does did is are am was were can could will would should have has had may might shall any';
const ASKED = 'i you he she it we they my your his her our their the there this that any anyone a an';

function isDoubtful(words: readonly Word[]): boolean {
  return words.some((word, index) => {
    if (word.kind !== 'word') return false;
    if (word.lower === 'may') return !word.isCapital && !word.tags.has('Month');
    const isPhrase = isOneOf(word, 'according used') && words[index + 1]?.lower === 'to';
    return isPhrase || isIn('doubt', word.lower);
  });
}

/** What users say they lack in two words: `no car`. */
export const LACKED = 'car kids children pets siblings license licence';

/** Removes phrases that only introduce a clause: `well,`, `by the way,`, `I told you that`. */
export function withoutLead(words: readonly Word[]): readonly Word[] {
  const lead = LEADS.find((phrase) => phrase.every((lower, index) => words[index]?.lower === lower));
  if (words[0]?.lower === 'no' && isOneOf(words[1], LACKED)) return words;
  const taken = lead?.length ?? (words[0]?.kind === 'mark' ? 1 : 0);
  return taken === 0 || taken >= words.length ? words : withoutLead(words.slice(taken));
}

const LEADS: readonly (readonly string[])[] = [
  ...`by the way, as i said, as you know, for the record, just so you know, i told you that, i told you, i said that, i said, i meant to say that, i meant to say, i meant, remember that, you know that, i mean, remember, please remember, please note, note,
  nice to meet you, the thing is, to be honest, in fact, at the moment, these days, right now, you are wrong, that is right, good morning, good evening, in case it helps,
  found out that, found out, should say, should also say, also should say, i should say, i should also say, i found out that, i found out, just found out, i should mention that, i should mention, i should add that, i must confess, i confess, i must admit, forgot to say, i forgot to say,
  for context, for background, fun fact, long story short, turns out, it turns out, in my case, as for me, unlike you, once again, good news, bad news, big news, quick update, no worries`.split(
    /,\s+/u,
  ),
  ...`well yes no yeah yea nope yep yup ya hi hiya hello hey heyy yo oi oh ah aw aww ok okay k so and or but also now actually currently btw fyi honestly sadly luckily
  recently then sure right great thanks sorry unfortunately fortunately today still correction wrong correct indeed anyway anyways plus because background context update
  lol haha hmm um uh basically literally incidentally alas nvm ps edit finally first second ugh omg wow nah bc though tbh ngl just still`.split(
    /\s+/u,
  ),
].map((phrase) => phrase.split(/\s+/u));

/** Adds the verb that users leave out: `allergic to nuts` becomes `be allergic to nuts`. */
export function withVerb(words: readonly Word[]): readonly Word[] {
  const [first] = words[0]?.lower === 'now' ? words.slice(1) : words;
  const isPast = first?.lower === 'retired' && words[1]?.lower === 'in';
  const isOn = words[1]?.lower === 'on' && isIn('job', first?.lower);
  const isOnMedicine = first?.lower === 'on' && isIn('/medicine', words[1]?.lower);
  if (!first) return words;
  if (first.lower === 'been') return [{ ...first, text: 'have', lower: 'have' }, ...words];
  const isFan = isOneOf(first, 'big huge') && words[1]?.lower === 'fan';
  return (needsBe(first) || isFan || isOn || isOnMedicine) && !isPast
    ? [{ ...first, text: 'be', lower: 'be' }, ...words]
    : words;
}

/** Adds the verb to what follows "I'm Dana": `45`, `a nurse`, `from Leeds`. */
export function withBe(words: readonly Word[]): readonly Word[] {
  const [first] = words[0]?.lower === 'now' ? words.slice(1) : words;
  const isPart =
    first !== undefined &&
    (isOneOf(first, 'a an from in') ||
      ['job', 'state'].some((list) => isIn(list, first.lower)) ||
      /^ex-|^[1-9]\d$/u.test(first.lower));
  return isPart ? [{ ...first, kind: 'word', text: 'be', lower: 'be' }, ...words] : withVerb(words);
}

const FRONTED = 'in at on from with for during near every since';

/** Moves a phrase before the subject to the end: `in May we moved` becomes `we moved in May`. */
export function subjectFirst(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => word.kind === 'mark' || isOneOf(word, 'i we'));
  const isPhrase =
    at > 1 && at < 5 && isOneOf(words[0], FRONTED) && isOneOf(words[at], 'i we') && words.length > at + 2;
  return isPhrase ? [...words.slice(at), ...words.slice(0, at)] : words;
}

/** Whether a clause without a subject is about the user: "got 2 cats", "allergic to nuts", "can't swim". */
export function isDroppedUser([first, second, third]: readonly Word[]): boolean {
  if (first?.kind !== 'word') return false;
  if (isOneOf(first, 'can do') && second?.lower === 'not')
    return isOneOf(third, 'eat drink swim drive smoke have stand like cook');
  if (isIn('job', first.lower) && !first.isCapital && second?.lower === 'on') return true;
  if (first.lower === 'on' && isIn('/medicine', second?.lower)) return true;
  if (first.lower === 'been') return /.ing$/u.test(second?.lower ?? '');
  if (isOneOf(first, 'big huge') && second?.lower === 'fan') return true;
  return isOneOf(first, DROPPED) || needsBe(first) || (isOneOf(first, 'not no') && needsBe(second));
}

const DROPPED = `got bought adopted moved relocated suffer started have hate love work live hired turned retired am age
  drive grew rent weigh prefer dislike switched applied passed won dropped gave had
  joined born left quit signed enrolled broke tore sprained fractured`;

function needsBe(word: Word | undefined): boolean {
  return word?.kind === 'word' && !word.isCapital && isOneOf(word, WITHOUT_BE);
}

const WITHOUT_BE = `living using running studying learning moving allergic intolerant based vegan vegetarian pescatarian
  diabetic doing taking working volunteering selling promoted originally diagnosed pregnant divorced married retired widowed engaged dating expecting lactose training saving coeliac celiac teetotal autistic not no`;

/** A verb group in the form used by the shapes. */
export interface Predicate {
  readonly words: readonly Word[];
  readonly isNegated: boolean;
  /** Whether it is a perfect such as "have lived", which says nothing of now unless it says since when. */
  readonly isPerfect?: boolean;
}

/**
 * Returns the words after a subject with their verb in its base form, without adverbs and negation. Undefined if
 * nothing is stated as true: `would like`, `might move`.
 */
export function predicateOf(words: readonly Word[], isThird: boolean): Predicate | undefined {
  let isNegated = false;
  let isPerfect = false;
  let index = 0;
  for (; index < words.length; index++) {
    const [word, second] = words.slice(index);
    const next = second?.lower ?? '';
    const isHave = isOneOf(word, 'have has');
    if (word?.kind === 'mark') return undefined;
    if (word?.lower === 'can' && next === 'not') {
      const verb = withoutAdverbs(words.slice(index + 2));
      return isNegated ? undefined : { words: [...words.slice(index, index + 2), ...verb], isNegated };
    }
    if (isIn('modal', word?.lower) || (isHave && next === 'not')) return undefined;
    if (isHave && (next === 'got' || next === 'been')) {
      return { words: baseFirst(words.slice(index + 1), next === 'got' ? 'have' : 'be'), isNegated };
    }
    if (isOneOf(word, 'not never neither')) isNegated = true;
    else if (word?.lower === 'no' && isOneOf(second, 'longer more')) {
      isNegated = true;
      index += 1;
    } else if (isHave && isIn('participle', next)) isPerfect = true;
    else if (!(isOneOf(word, 'do does') && next === 'not') && !isIn('adverb', isHave ? next : word?.lower))
      break;
  }
  const rest = words.slice(index);
  const [first, no, ...things] = rest;
  if (first?.kind !== 'word') return undefined;
  if (isOneOf(first, 'am is are be')) return beOf(rest, 'be', isNegated);
  if (isOneOf(first, 'was were')) return beOf(rest, 'was', isNegated);
  if (first.lower === 'has') return { words: baseFirst(rest, 'have'), isNegated };
  const verb = isThird ? baseForm(first.lower) : first.lower;
  if (no?.lower === 'no' && (verb === 'have' || verb === 'own')) {
    const lacked = [first, { ...no, text: 'a', lower: 'a' }, ...things];
    return { words: baseFirst(lacked, 'have'), isNegated: true };
  }
  const [base, ...others] = baseFirst(rest, (isPerfect ? PERFECT.get(first.lower) : undefined) ?? verb);
  const behind = others.length < 2 ? others : withoutAdverbs(others);
  return {
    words: base ? [base, ...behind] : [],
    isNegated,
    isPerfect: isPerfect && PERFECT.has(first.lower),
  };
}

const PERFECT = pairs(
  `lived: live, worked: work, owned: own, played: play, studied: study, taught: teach, loved: love, liked: like,
  hated: hate, spoken: speak, used: use, run: run, had: have`,
);

function beOf(words: readonly Word[], be: string, isNegated: boolean): Predicate {
  let denied = isNegated;
  let rest = words.slice(1);
  for (;;) {
    const isNoLonger = rest[0]?.lower === 'no' && rest[1]?.lower === 'longer';
    if (isNoLonger || isOneOf(rest[0], 'not never')) denied = true;
    else if (!isIn('adverb', rest[0]?.lower) || rest.length === 1) break;
    rest = rest.slice(isNoLonger ? 2 : 1);
  }
  return { words: [...baseFirst(words.slice(0, 1), be), ...rest], isNegated: denied };
}

function withoutAdverbs(words: readonly Word[]): readonly Word[] {
  return isIn('adverb', words[0]?.lower) && words.length > 1 ? withoutAdverbs(words.slice(1)) : words;
}

function baseFirst(words: readonly Word[], base: string): readonly Word[] {
  const [first, ...rest] = words;
  return first ? [{ ...first, text: base, lower: base, isCapital: false }, ...rest] : words;
}

/** Returns the third person of a verb: `live` → `lives`. Past tenses stay. */
export function thirdPerson(verb: string): string {
  if (verb === 'have' || verb === 'be') return verb === 'be' ? 'is' : 'has';
  if (/(?:ed|wrote|built|met|got|grew)$/u.test(verb)) return verb;
  if (/[^aeiou]y$/u.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z|o)$/u.test(verb) ? `${verb}es` : `${verb}s`;
}

/** Returns the base form: `lives` → `live`. */
function baseForm(verb: string): string {
  if (verb === 'has') return 'have';
  if (/[^aeiou]ies$/u.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz|o)es$/u.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/u.test(verb) ? verb.slice(0, -1) : verb;
}

/** Negates a predicate: `likes` → `does not like`, `is a` → `is not a`. */
export function deny(predicate: string): string {
  const [first = '', ...rest] = predicate.split(' ');
  if (/^(?:is|was)$/u.test(first)) return [first, 'not', ...rest].join(' ');
  return ['does not', baseForm(first), ...rest].join(' ');
}

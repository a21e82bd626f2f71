import type { Word } from './offline-words.ts';

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
  const isAsked = words.slice(-4).some(({ kind, text }) => kind === 'mark' && /[?？]/u.test(text));
  const pieces: Piece[] = [];
  let current: Word[] = [];
  let joint: Word[] | undefined;
  let isContinued = false;
  let isCarried = false;
  const close = (nextJoint: Word[] | undefined, isNextContinued: boolean): void => {
    if (current.length > 0) {
      const isDoubted = isCarried || DOUBT_START.test(current[0]?.lower ?? '') || isDoubtful(current);
      pieces.push({ words: current, joint, isContinued, isUnstated: isDoubted || isQuestion(current) });
      isCarried = isDoubted && isNextContinued && nextJoint !== undefined;
      current = [];
      joint = nextJoint;
      isContinued = isNextContinued;
    } else if (nextJoint !== undefined && joint !== undefined) joint = [...joint, ...nextJoint];
    else isContinued &&= isNextContinued;
  };
  for (const word of words) {
    const isMark = word.kind === 'mark';
    if (isMark ? word.text === ',' : word.kind === 'word' && /^(?:and|or|&)$/u.test(word.lower))
      close([word], true);
    else if (isMark && /^[:–—-]$/u.test(word.text)) close([{ ...word, text: ',', lower: ',' }], false);
    else if (isMark && !/^[#$€£%&+@/'’=]$/u.test(word.text)) close(undefined, false);
    else if (word.kind === 'word' && CONJUNCTION.test(word.lower) && !word.isCapital) {
      close(undefined, false);
      if (DOUBT_START.test(word.lower)) current.push(word);
    } else current.push(word);
  }
  close(undefined, false);
  if (!isAsked) return pieces;
  // "I'm vegetarian, what should I cook?" states its first half; "I live in Paris, right?" states nothing.
  const last = pieces.at(-1);
  const isHalf =
    pieces.length > 1 &&
    last !== undefined &&
    isQuestion(last.words) &&
    !TAG.test(last.words.at(0)?.lower ?? '');
  return pieces.map((piece) => (isHalf && piece !== last ? piece : { ...piece, isUnstated: true }));
}

/** Whether words are a question, with or without a question mark. */
export function isQuestion(words: readonly Word[]): boolean {
  if (words.slice(-4).some(({ kind, text }) => kind === 'mark' && /[?？]/u.test(text))) return true;
  const start = words.findIndex(({ kind, lower }) => kind !== 'mark' && !OPENER.test(lower));
  const [first, second] = words.slice(Math.max(start, 0));
  if (!first || first.kind !== 'word') return false;
  if (/^(?:what|who|whom|whose|which|where|when|why|how)$/u.test(first.lower)) return true;
  const isAuxiliary =
    /^(?:do|does|did|is|are|am|was|were|can|could|will|would|should|have|has|had|may|might|shall|any)$/u.test(
      first.lower,
    );
  return (
    isAuxiliary &&
    (second?.isCapital === true ||
      /^(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|there|this|that|any|anyone|a|an|not)$/u.test(
        second?.lower ?? '',
      )) &&
    !(
      second?.lower === 'not' &&
      !/^(?:i|you|he|she|it|we|they)$/u.test(words[Math.max(start, 0) + 2]?.lower ?? '')
    )
  );
}

function isDoubtful(words: readonly Word[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1]?.lower ?? '';
    if (word.kind !== 'word') return false;
    if (word.lower === 'may') return !word.isCapital && !word.tags.has('Month');
    return (
      DOUBT.test(word.lower) ||
      (word.lower === 'according' && next === 'to') ||
      (word.lower === 'used' && next === 'to')
    );
  });
}

/** A verb group in the form used by the shapes. */
export interface Predicate {
  readonly words: readonly Word[];
  readonly isNegated: boolean;
}

/**
 * Returns the words after a subject with their verb in its base form, without adverbs and negation. Undefined if
 * nothing is stated as true: `would like`, `might move`.
 */
export function predicateOf(words: readonly Word[], isThird: boolean): Predicate | undefined {
  let isNegated = false;
  let perfect = false;
  let index = 0;
  for (; index < words.length; index++) {
    const { lower = '', kind } = words[index] ?? {};
    const next = words[index + 1]?.lower ?? '';
    if (kind === 'mark') return undefined;
    if (lower === 'can' && next === 'not')
      return isNegated
        ? undefined
        : {
            words: [...words.slice(index, index + 2), ...withoutAdverbs(words.slice(index + 2))],
            isNegated: false,
          };
    if (MODAL.test(lower)) return undefined;
    if (lower === 'not' || lower === 'never' || lower === 'neither') isNegated = true;
    else if (lower === 'no' && /^(?:longer|more)$/u.test(next)) {
      isNegated = true;
      index += 1;
    } else if (/^(?:do|does)$/u.test(lower) && next === 'not') continue;
    else if (
      /^(?:have|has)$/u.test(lower) &&
      (next === 'been' || next === 'got' || PARTICIPLE.test(next) || next === 'not' || ADVERB.test(next))
    ) {
      perfect = next !== 'not' && !ADVERB.test(next) ? next !== 'got' : perfect;
      if (next === 'got') return { words: baseFirst(words.slice(index + 1), 'have'), isNegated };
      if (next === 'been') return { words: baseFirst(words.slice(index + 1), 'be'), isNegated };
      if (/^(?:not|never)$/u.test(next)) return undefined;
    } else if (!ADVERB.test(lower)) break;
  }
  const rest = words.slice(index);
  const verb = rest[0]?.lower ?? '';
  if (rest[0]?.kind !== 'word') return undefined;
  if (/^(?:am|is|are|be)$/u.test(verb)) return beOf(rest, 'be', isNegated);
  if (/^(?:was|were)$/u.test(verb)) return beOf(rest, 'was', isNegated);
  if (verb === 'has') return { words: baseFirst(rest, 'have'), isNegated };
  const [have, no, ...things] = rest;
  if (have && no?.lower === 'no' && /^(?:have|own)$/u.test(isThird ? baseForm(verb) : verb)) {
    return { words: baseFirst([have, { ...no, text: 'a', lower: 'a' }, ...things], 'have'), isNegated: true };
  }
  const lasting = perfect ? PERFECT.get(verb) : undefined;
  return {
    words: withoutAdverbsBehind(baseFirst(rest, lasting ?? (isThird ? baseForm(verb) : verb))),
    isNegated,
  };
}

function beOf(words: readonly Word[], be: string, isNegated: boolean): Predicate {
  let denied = isNegated;
  let rest = words.slice(1);
  for (;;) {
    const lower = rest[0]?.lower ?? '';
    if (lower === 'not' || lower === 'never') denied = true;
    else if (lower === 'no' && rest[1]?.lower === 'longer') {
      denied = true;
      rest = rest.slice(1);
    } else if (!ADVERB.test(lower) || rest.length === 1) break;
    rest = rest.slice(1);
  }
  return { words: [...baseFirst(words.slice(0, 1), be), ...rest], isNegated: denied };
}

function withoutAdverbs(words: readonly Word[]): readonly Word[] {
  return ADVERB.test(words[0]?.lower ?? '') && words.length > 1 ? withoutAdverbs(words.slice(1)) : words;
}

function withoutAdverbsBehind(words: readonly Word[]): readonly Word[] {
  return words.length < 3 ? words : [...words.slice(0, 1), ...withoutAdverbs(words.slice(1))];
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

const CONJUNCTION =
  /^(?:but|so|because|cause|cuz|coz|bc|though|tho|although|while|whereas|then|plus|which|who|whom|where|when|whenever|that|until|till|til|after|before|once|if|unless|whether|except|lol|lmao|haha|hehe|btw|tbh|ngl|fyi|imo|idk|lmk|pls|plz|please|thanks|thx|ty|hence|therefore|otherwise)$/u;
const OPENER = /^(?:so|and|hi|hello|hey|ok|okay|well|but|also|oh|yo|now|then|please|btw)$/u;
const TAG = /^(?:right|correct|no|yes|is|are|am|do|does|did|was|were|ok|okay|huh|eh)$/u;
const DOUBT_START =
  /^(?:if|unless|whether|imagine|suppose|supposing|assuming|pretend|say|as|when|whenever|until|till|til|before|after|once|while|which|who|whom|where|that)$/u;
const DOUBT =
  /^(?:if|unless|whether|suppose|supposing|imagine|wish|wishes|hope|hopes|hoping|hopefully|maybe|perhaps|possibly|probably|likely|allegedly|supposedly|apparently|reportedly|rumou?rs?|said|says|say|saying|told|tell|tells|telling|claims?|claimed|think|thinks|thought|believes?|believed|guess|guessing|assume|assumed|heard|hears?|pretend|pretended|pretending|dream|dreamed|dreamt|dreams|doubt|wonder|wondering|asked|asks|asking|almost|nearly|hypothetically|hypothetical|seems?|seemed|fictional|wants|want|wanted|would|could|should|might|shall|must|will|ought|feels?|felt|called? it|calls|swears|insists|jokes|joked|kidding|unless|lest|than)$/u;
const MODAL = /^(?:would|could|might|should|must|will|shall|ought|may|can|did)$/u;
const PARTICIPLE =
  /^(?:\p{L}{2,}ed|lived|known|written|built|made|sold|bought|taught|spoken|met|run|seen|quit|left|had|begun|found|got|given|gotten|grown)$/u;
const PERFECT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lived: 'live',
    worked: 'work',
    owned: 'own',
    played: 'play',
    studied: 'study',
    taught: 'teach',
    loved: 'love',
    liked: 'like',
    hated: 'hate',
    spoken: 'speak',
    used: 'use',
    run: 'run',
    had: 'have',
  }),
);
const ADVERB =
  /^(?:also|really|just|now|currently|still|always|usually|often|actually|recently|finally|both|all|only|absolutely|definitely|truly|simply|originally|once|ever|even|mostly|mainly|totally|completely|very|so|too|already|basically|literally|obviously|sadly|luckily|happily|proudly|officially|kinda|sorta|honestly|genuinely|personally|normally|generally|regularly|sometimes|occasionally|temporarily|permanently|presently|technically|quite|pretty|super|strictly|myself|secretly|slowly|lately)$/u;

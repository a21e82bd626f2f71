import type { Clause } from './split-clauses.ts';
import { isStandingWish } from './standing-wishes.ts';
import { countWords, foldForWords, type WordClass } from './statement-words.ts';

/** A clause and its context. */
export interface ClausePlace {
  /** All clauses of its message, in order. */
  readonly clauses: readonly Clause[];
  /** Index of the clause. */
  readonly position: number;
  /** Text of the message. */
  readonly message: string;
  /** The assistant's message before; empty if there is none. */
  readonly before: string;
}

/**
 * Returns the features by which statements are marked, each from 0 to 1 and named as its weight. No feature stands
 * for a single word, so that the fitted weights hold for other people's messages.
 */
export function statementFeatures({ clauses, position, message, before }: ClausePlace): ClauseFeatures {
  const clause = clauses[position];
  if (!clause) return {};
  const text = clause.text.replace(QUOTATION, ' ');
  const folded = foldForWords(text);
  const whole = foldForWords(message);
  const words = folded.match(WORD) ?? [];
  const count = words.length + (folded.match(UNSPACED)?.length ?? 0) / 2;
  const has = (wordClass: WordClass): boolean => countWords(folded, wordClass) > 0;
  const I = I_WORDS.test(folded);
  const my = MY_WORDS.test(folded);
  const isOwn = I || my;
  const names = text.slice(1).match(INNER_CAPITAL)?.length ?? 0;
  const opener = words.slice(0, 2).join(' ');
  const startsAsking = countWords(opener.split(' ')[0] ?? '', 'ask') > 0;
  const isAnswer = position === 0 && /[?？]\s*$/u.test(before);
  const isRequest = countWords(opener, 'request') > 0 || REQUEST.test(folded);
  const previous = foldForWords(clauses[position - 1]?.text ?? '');
  const next = foldForWords(clauses[position + 1]?.text ?? '');
  const messageIsOwn = I_WORDS.test(whole) || MY_WORDS.test(whole);
  const contentCount = (folded.replace(EMPTY_WORDS, ' ').match(/[\p{L}\p{N}]{3,}/gu) ?? []).length;
  return numbers({
    length: Math.min(1, count / 12),
    isShort: count <= 3,
    isLong: count > 16,
    asks: clause.isAsked,
    startsAsking,
    isRequest,
    acknowledges: countWords(folded, 'acknowledgement') >= Math.max(1, count - 1),
    startsWithAcknowledgement: countWords(words[0] ?? '', 'acknowledgement') > 0,
    I,
    my,
    we: WE_WORDS.test(folded),
    you: YOU_WORDS.test(folded),
    it: IT_WORDS.test(folded),
    isSomeone: THIRD_WORDS.test(folded),
    myKin: my && has('kin'),
    kin: has('kin'),
    others: has('others'),
    pet: has('pet'),
    work: has('work'),
    home: has('home'),
    health: has('health'),
    diet: has('diet'),
    taste: has('taste'),
    style: has('style'),
    standingWish: isStandingWish(folded),
    plan: has('plan'),
    change: has('change'),
    habit: has('habit'),
    date: has('date'),
    identity: has('identity'),
    activity: has('activity'),
    vehicle: has('vehicle'),
    says: has('say'),
    unreal: has('unreal'),
    negation: has('negation'),
    ownHealth: isOwn && has('health'),
    ownTaste: isOwn && has('taste'),
    ownWork: isOwn && has('work'),
    ownHome: isOwn && has('home'),
    ownNegation: I && has('negation'),
    am: AM.test(folded),
    have: HAVE.test(folded),
    is: IS.test(folded),
    was: WAS.test(folded),
    subjectDropped: !isOwn && DROPPED.test(folded),
    name: names > 0,
    names: names > 1,
    opensWithName: /^\p{Lu}\p{Ll}+$/u.test(text.split(/[\s,.'’]/u)[0] ?? '') && position > 0,
    digit: /\p{N}/u.test(text),
    clock: CLOCK.test(folded),
    quotes: /["“”«»„「]/u.test(clause.text),
    brackets: /[()（]/u.test(text),
    technical: TECHNICAL.test(text),
    exclaims: text.endsWith('!'),
    isAnswer,
    isFirst: position === 0,
    isLast: position === clauses.length - 1,
    isAlone: clauses.length === 1,
    manyClauses: Math.min(1, clauses.length / 10),
    followsOwn: I_WORDS.test(previous) || MY_WORDS.test(previous),
    precedesOwn: I_WORDS.test(next) || MY_WORDS.test(next),
    precedesRequest: countWords(next, 'request') > 0 || (clauses[position + 1]?.isAsked ?? false),
    isStranger: !messageIsOwn,
    strangerLength: messageIsOwn ? 0 : Math.min(1, count / 12),
    inMaterial: isMaterial(clause, message),
    content: Math.min(1, contentCount / 8),
    density: words.length === 0 ? 0 : Math.min(1, contentCount / words.length),
    saysNothing: !CONTENT.test(folded.replace(EMPTY_WORDS, ' ')),
  });
}

/** Features by name. Those that are 0 may be missing. */
export type ClauseFeatures = Readonly<Record<string, number>>;

/** A quotation of three words or more says nothing about the user. */
const QUOTATION = /["“«„「][^"”»“」]*\s[^"”»“」]*\s[^"”»“」]*["”»“」]/gu;
const WORD = /[\p{L}\p{N}'-]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const I_WORDS = wordPattern(
  "i|im|i'm|ive|i've|i'd|id|i'll|ill|me|myself|ich|mich|mir|yo|me|je|moi|eu|mim|j'\\w+",
  '我|私|僕|俺',
);
const MY_WORDS = wordPattern(
  'my|mine|our|ours|mein\\w*|unser\\w*|mis?|nuestr[ao]s?|mon|ma|mes|notre|nos|meus?|minhas?|noss[ao]s?',
  '我的|我们的|私の|僕の|うちの',
);
const WE_WORDS = wordPattern("we|we're|we've|we'll|us|wir|uns|nosotr[ao]s|nous|on|a gente", '我们|私たち');
const YOU_WORDS = wordPattern('you|u|your|ur|du|dein\\w*|tu|usted|vous|voce', '你|您');
const IT_WORDS = wordPattern("it|its|it's|that|that's|this|thats|das|es|eso|ca|isso", '这|那|それ|これ');
const THIRD_WORDS = wordPattern(
  "he|he's|she|she's|hes|shes|they|they're|his|her|their|him|them|er|sie|ihr|el|ella|il|elle|ele|ela",
  '他|她|彼',
);
const AM = wordPattern("i'?m(?: an?)?|i am|ich bin|soy|estoy|je suis|(?:eu )?sou|estou", '我是|です');
const HAVE = wordPattern(
  "i'?ve got|i have|i got|got|have|has|had|we have|own|bought|ich habe|haben|tengo|tenemos|j'ai|tenho|temos",
  '有|持って|いる',
);
const IS = wordPattern("is|are|'?s|'re|ist|sind|es|son|est|sont|e", '是|です');
const WAS = wordPattern('was|were|did|had|used to|war|fue|era|etait|foi', '了|でした|ました');
const REQUEST = wordPattern(
  "(?:can|could|would|will) (?:you|u)|help me|i (?:want|need|would like|'d like) (?:you|to know)|how (?:do|can|should) i|what should i|any (?:ideas?|tips?|advice)|kannst du|puedes|peux-tu|pouvez-vous|pode",
  '帮我|教えて|ください',
);
/** A clause that begins with a verb and omits its subject, the user: "got 2 cats", "moved to Leeds". */
const DROPPED =
  /^(?:also |and |but |so |just |now |still )?(?:got|have|had|moved|live|living|work|working|started|stopped|quit|bought|sold|went|been|love|hate|like|prefer|can'?t|cannot|don'?t|never|always|allergic|vegan|booked|joined|signed|turned|am|was|not|no)\b/u;
const CLOCK = /\b\d{1,2}(?::\d\d)?\s?(?:am|pm|h|uhr)\b|\b\d{1,2}[:.]\d\d\b|\d点|\d時/u;
const TECHNICAL = /[{}<>=\\|$#*^~`]|\w\(\w*\)|\w_\w|https?:/u;
const INNER_CAPITAL = /(?<=[\s(“"])(?!I\b|I')\p{Lu}[\p{L}'’-]+/gu;
const EMPTY_WORDS =
  /\b(?:the|an?|is|it'?s?|its|that'?s?|this|of|to|in|on|at|and|or|but|so|i'?m?|you|u|me|do|does|be|was|are|what|how|just|then|well|there|here|for|with|very|really|too|ok|yes|no|thanks?|good|great|one|some|please|my)\b/gu;
const CONTENT = /[\p{L}\p{N}]{3,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Whether a clause is part of a text to work on: it follows the colon of "fix the grammar: …", or is on the lines
 * below such a request.
 */
function isMaterial(clause: Clause, message: string): boolean {
  const head = message.slice(0, clause.start);
  if (/["“«„「][^"”»“」]*$/u.test(head) && (head.match(/"/gu)?.length ?? 0) % 2 === 1) return true;
  const end = head.search(/[:：]\s|\n/u);
  return end >= 0 && countWords(foldForWords(head.slice(0, end)), 'material') > 0;
}

function wordPattern(words: string, unspaced: string): RegExp {
  return new RegExp(`(?<![\\w'])(?:${words})(?!\\w)|${unspaced}`, 'u');
}

function numbers(features: Record<string, number | boolean>): ClauseFeatures {
  return Object.fromEntries(Object.entries(features).map(([name, value]) => [name, Number(value)]));
}

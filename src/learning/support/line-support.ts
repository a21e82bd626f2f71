import { fold } from '../../language/fold.ts';
import { sentencesIn } from '../../language/sentences.ts';
import { analyze } from '../../language/terms.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { moodWords } from '../../language/words/moods.ts';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop-words.ts';
import { standingFor } from '../../language/words/synonyms.ts';
import { USER_NAME } from '../first-person.ts';
import { segmentsOf, type Token } from './clause-tokens.ts';
import { unsourcedWords } from '../llm/unsourced-words.ts';

/** A line of conversation. */
export interface SaidLine {
  /** `note` is what a summary or a note said before, in the third person. */
  readonly speaker: 'user' | 'assistant' | 'note';
  readonly text: string;
}

/** Returns whether a sentence of a summary or a note is supported. */
export type LineCheck = (sentence: string) => boolean;

/** A part of a sentence, and whom it is about. */
interface Part {
  /** `user`, the index term of a name or a role, or undefined if it names nobody. */
  readonly subject: string | undefined;
  readonly tokens: readonly Token[];
  readonly terms: ReadonlySet<string>;
  readonly isNegated: boolean;
  readonly isDoubted: boolean;
}

/**
 * Returns a test for whether lines of conversation support a sentence: its names, numbers and content words stand in them, or
 * everyday words for the same; what it says of somebody is said of the same person; what it denies is denied, and what
 * it states is neither denied nor only asked, wished or supposed.
 */
export function lineCheck(lines: readonly SaidLine[]): LineCheck {
  const texts = lines.map(({ text }) => text);
  const said = new Set(
    lines.flatMap(({ text }) => sentencesIn(text).map(({ start, end }) => plain(text.slice(start, end)))),
  );
  const parts = partsOf(lines);
  return (sentence) => {
    if (said.has(plain(sentence))) return true;
    if (unsourcedWords(sentence, texts).length > 0) return false;
    return partsOf([{ speaker: 'note', text: sentence }]).every((part) => isSupported(part, parts));
  };
}

function plain(sentence: string): string {
  return fold(sentence)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function isSupported(part: Part, said: readonly Part[]): boolean {
  // Numbers and dates were compared by value before.
  const terms = [...part.terms].filter((term) => !NEUTRAL.has(term) && !/\p{N}/u.test(term));
  if (terms.length === 0) return true;
  const having = (term: string): Part[] => {
    const words = standingFor(term);
    return said.filter((other) => [...words].some((word) => other.terms.has(word)));
  };
  const found = terms.map(having);
  if (found.some((parts) => parts.length === 0)) return false;
  const { subject } = part;
  if (subject !== undefined) {
    const others = found.filter((_, at) => terms[at] !== subject);
    const foreign = others.filter((parts) => !parts.some((other) => isOfSame(other, part, subject)));
    if (foreign.length * 2 > others.length) return false;
  }
  const overlap = (other: Part): number => found.filter((parts) => parts.includes(other)).length;
  const best = said.filter((other) => overlap(other) > 0).toSorted((a, b) => overlap(b) - overlap(a));
  const [first] = best;
  if (!first) return false;
  const isDenied =
    best.some(({ isNegated }) => isNegated) ||
    said.some(({ isNegated, tokens }) => isNegated && tokens.length <= SHORT_ANSWER);
  if (part.isNegated ? !isDenied : first.isNegated) return false;
  if (first.isDoubted && !part.isDoubted) return false;
  return subject !== USER_NAME || isWhatTheyAre(part, said);
}

/** Longest answer such as "not yet", in words. */
const SHORT_ANSWER = 4;

function isOfSame(said: Part, part: Part, subject: string): boolean {
  if (said.subject === undefined || said.subject === subject) return true;
  // Who lent whom: what the user did, nobody else did.
  const isPassive = PASSIVE.test(wordsOf(part.tokens));
  if (subject === USER_NAME)
    return isPassive && said.tokens.some(({ word }) => word === 'me' || word === 'us');
  if (said.subject === USER_NAME) return isPassive;
  const words = standingFor(subject);
  return words.has(said.subject) || [...words].some((word) => said.terms.has(word));
}

const PASSIVE = /\b(?:is|are|was|were|been|got) (?:\w+ly )?\w+(?:ed|en|wn|ght|ld)\b/u;

/** "The user is a nurse" needs "I am a nurse": that they spoke of a nurse is not enough. */
function isWhatTheyAre(part: Part, said: readonly Part[]): boolean {
  const being = beingOf(part.tokens);
  if (being === undefined) return true;
  return said.some(({ subject, tokens, terms }) => {
    if (subject !== USER_NAME && subject !== undefined) return false;
    return (
      beingOf(tokens) === being ||
      (subject === undefined && terms.size <= 2 && terms.has(being)) ||
      (hasWord(wordsOf(tokens), 'work') && terms.has(being) && !tokens.some(({ word }) => word === 'about'))
    );
  });
}

/** Returns the term of the noun behind "is a". */
function beingOf(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(
    ({ word }, index) => BE.has(word) && ARTICLES.has(tokens[index + 1]?.word ?? ''),
  );
  if (at < 0) return undefined;
  const noun: string[] = [];
  for (const { word, term } of tokens.slice(at + 2)) {
    if (ENGLISH_STOP_WORDS.has(word) || word.endsWith('ing')) break;
    noun.push(term);
  }
  return noun.at(-1);
}

const BE = new Set(['am', 'is', 'are', 'was']);
const ARTICLES = new Set(['a', 'an', 'the']);

/** Returns the parts of texts, each with its subject: that of the part before, if it has none of its own. */
function partsOf(lines: readonly SaidLine[]): Part[] {
  let person: string | undefined;
  return lines.flatMap(({ text, speaker }) =>
    sentencesIn(text).flatMap(({ start, end, isAsked }) => {
      let subject: string | undefined;
      return segmentsOf(text.slice(start, end), start, isAsked).map((segment): Part => {
        const own = subjectIn(segment.tokens, speaker, person);
        if (segment.isClause || own !== undefined) subject = own;
        const named = personIn(segment.tokens);
        if (named !== undefined) person = named;
        const words = wordsOf(segment.tokens);
        return {
          subject,
          tokens: segment.tokens,
          terms: new Set(
            segment.tokens
              .map(({ term }) => term)
              .filter((term) => !ENGLISH_STOP_WORDS.has(term) && term !== USER_NAME),
          ),
          isNegated: moodWords(words, 'negation').length > 0 || DENIES.test(words),
          isDoubted:
            isAsked ||
            moodWords(words, 'doubt').length > 0 ||
            moodWords(words, 'condition').length > 0 ||
            REPORTS.test(words),
        };
      });
    }),
  );
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(' ');
}

const DENIES = /\b(?:refus\w+|declin\w+|reject\w+|den(?:y|ies|ied)|avoid\w*|dislik\w+|stopp?\w*)\b/u;
const REPORTS =
  /\b(?:suggest\w*|consider\w*|weigh\w*|ask\w*|propos\w+|recommend\w*|advis\w+|intend\w*|plan\w*|lean\w*|debat\w+|undecided|tr(?:y|ies)|want\w*|wonder\w*|discuss\w*|looking|seek\w*|need\w*|announc\w*|unsure|uncertain|hesita\w+|possib\w+|options?|ideas?|aim\w*|expect\w*|schedul\w+|goals?|curious|open to|question\w*|wish\w*|afraid|worr\w+|fear\w*|decid\w+|prefer\w*)\b/u;

/** Returns whom a part is about, by the words that it begins with. */
function subjectIn(
  tokens: readonly Token[],
  speaker: SaidLine['speaker'],
  person: string | undefined,
): string | undefined {
  const at = tokens.findIndex(({ word }) => !LEADS.has(word));
  const [first, second] = tokens.slice(Math.max(0, at));
  if (!first) return undefined;
  if (first.word === USER_NAME || first.word === 'human')
    return second?.word === "'s" ? roleOf(tokens.slice(at + 2)) : USER_NAME;
  if (speaker !== 'note' && (speaker === 'user' ? FIRST : SECOND).has(first.word)) return USER_NAME;
  if (THIRD.has(first.word)) return person;
  if (speaker === 'user' && POSSESSIVES.has(first.word)) return roleOf(tokens.slice(at + 1));
  if (isPerson(first)) return first.term;
  // "Works at Acme" leaves out whom it is about.
  const isVerb =
    /(?:s|ed|ing)$/u.test(first.word) && second?.isCapital !== true && !BE.has(second?.word ?? '');
  const isName =
    first.isCapital &&
    second !== undefined &&
    !isVerb &&
    !NEUTRAL.has(first.term) &&
    !ENGLISH_STOP_WORDS.has(first.word);
  return isName && speaker === 'note' ? (isPerson(second) ? second.term : first.term) : undefined;
}

/** Returns the relative of "my old dad's knee"; what is no person belongs to the user. */
function roleOf(tokens: readonly Token[]): string {
  return tokens.slice(0, 3).find(isPerson)?.term ?? USER_NAME;
}

function personIn(tokens: readonly Token[]): string | undefined {
  return tokens.findLast((token, at) => isPerson(token) || (token.isCapital && at > 0 && token.word !== 'i'))
    ?.term;
}

function isPerson({ word }: Token): boolean {
  return hasWord(word, 'kin') || hasWord(word, 'others') || hasWord(word, 'pet') || PERSONS.has(word);
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));
const PERSONS = setOf(
  'doctor vet landlord landlady nurse dentist lawyer agent therapist man woman guy girl boy lady pupil student client customer',
);
const LEADS = setOf('the a an and but so or yes no then also for in on at because that currently now');
const FIRST = setOf('i we me us ich wir yo je j eu io noi');
const SECOND = setOf('you your');
const POSSESSIVES = setOf('my our mein meine unser unsere mi mis mon ma mes meu minha mio mia');
const THIRD = setOf('he she they it his her their');

/** Stems of words that a summary reports with ("mentions", "plans"), and that state nothing themselves. */
const NEUTRAL: ReadonlySet<string> = new Set(
  `user human person people assistant ai chatbot conversation say tell mention ask note state share describe report announce
  explain discuss talk want need wish hope plan intend consider think believe feel decide try start begin continue go get
  take make do have give use handle help look suggest propose recommend advise offer agree refuse decline answer reply
  respond request lean toward towards weigh per also still current currently recent recently now new first later earlier
  because despite although around approximately include including named called regarding concern interest interested
  well just yet already further another other old year one`
    .split(/\s+/u)
    .flatMap((word) => analyze(word)),
);

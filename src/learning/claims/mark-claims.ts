import { splitClauses, type Clause } from '../../language/clauses.ts';
import { fold } from '../../language/fold.ts';
import {
  isStandingWish,
  statementKinds,
  statementTopic,
  type StatementKind,
} from '../../language/matters.ts';
import { partsNotOwn } from '../../language/pasted-parts.ts';
import { secretSpans } from '../../language/secret-shapes.ts';
import { hasSecret } from '../../language/secrets.ts';
import { isPartOfRequest } from '../../language/request-clauses.ts';
import { withOwnPronoun } from '../../language/acts/own-pronouns.ts';
import { peopleIn } from '../../language/people.ts';
import { isQuestion } from '../../language/sentences.ts';
import { hasWord, wordPattern } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';
import { isEnding } from './endings.ts';
import { correctsValue } from './value-changes.ts';
import { isCertain } from './certain-claims.ts';
import { CLAIM_WEIGHTS, type ClaimWeights } from './claim-weights.ts';

/** A sentence or clause of the user that is worth remembering. */
export interface MarkedClaim {
  /** The text as it is in the message from `start` to `end`, in UTF-16 code units. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The assistant's question that a short answer belongs to; otherwise absent. */
  readonly question?: string;
  /** Probability that it is worth remembering, from 0 to 1. */
  readonly score: number;
  /** See `statementTopic`. */
  readonly topic: string;
  /** At least one kind. */
  readonly kinds: readonly StatementKind[];
  /** Whether it says that something has ended or changed. */
  readonly isEnding: boolean;
  /** Whether its sentence is a question. */
  readonly isAsked: boolean;
}

/** Options for marking a message. */
export interface MarkOptions {
  /** The assistant's message before. @default '' */
  readonly before?: string;
  /** Parts of the message that are from elsewhere. @default what `partsNotOwn` finds */
  readonly pasted?: readonly string[];
  /** Claims with a lower score are left out. @default the threshold of the weights */
  readonly threshold?: number;
  /** Weights of the model. @default the fitted ones */
  readonly weights?: ClaimWeights;
}

/** Maximum number of UTF-16 code units that are read of each message, because people do not type longer ones. */
const MAX_CHARACTERS = 4000;
/** A call, braces, a dotted path, or an operator of code. */
const CODE = /[{}\\`^|]|\w\([^\s)]*\)|\w\.\w+[.(]\w|\w_\w|\+\+|==/u;
/** Maximum number of words of an answer that means nothing without its question. */
const SHORT_ANSWER_WORDS = 3;

/**
 * Finds what a user says that is worth remembering: stable facts, preferences, plans, people, changes, how to be
 * answered. A linear model over bounded features decides. Texts in languages without word lists are judged by their
 * form. A clause with a secret is not marked.
 */
export function markClaims(message: string, options: MarkOptions = {}): MarkedClaim[] {
  const text = withoutParts(message, options.pasted ?? partsNotOwn(message));
  const { weights = CLAIM_WEIGHTS, threshold = weights.threshold } = options;
  const before = (options.before ?? '').slice(-MAX_CHARACTERS);
  const clauses = splitClauses(text);
  const secrets = secretSpans(text);
  const featuresOf = claimFeatures(clauses, { message: text, before });
  let lastClaim = -2;
  return clauses.flatMap((clause, position): MarkedClaim[] => {
    const features = featuresOf[position] ?? {};
    const fitted = claimScore(features, weights);
    // Standing wishes are kept whatever their form: most are requests, for which the other features are low.
    const isKept = features['standingWish'] === 1 || isCertain(clauses, position);
    if (isKept === false) return [];
    const isCorrection = lastClaim === position - 1 && correctsValue(clause.text);
    const isContinued = isCorrection || (lastClaim === position - 1 && continuesPerson(clauses, position));
    const score = Math.max(fitted, isKept ? weights.confident : isContinued ? weights.threshold : 0);
    // Quotations, code and texts to work on are not claims of the user.
    if (score < threshold || features['inMaterial'] === 1 || CODE.test(clause.text)) return [];
    if (!isKept && isPartOfRequest(clauses, position)) return [];
    if (secrets.some(({ start, end }) => start < clause.end && end > clause.start)) return [];
    const question = position === 0 ? questionBefore(before, clause) : undefined;
    const said = question === undefined ? clause.text : `${question} ${clause.text}`;
    if (question !== undefined && hasSecret(said)) return [];
    if (score >= weights.threshold) lastClaim = position;
    return [
      {
        text: clause.text,
        start: clause.start,
        end: clause.end,
        ...(question === undefined ? {} : { question }),
        score,
        topic: statementTopic(said),
        kinds: statementKinds(said),
        isEnding: isEnding(clause.text),
        isAsked: clause.isAsked,
      },
    ];
  });
}

/** Whether a clause goes on about a person whom the clause before says something of: "she's going to be a vet". */
function continuesPerson(clauses: readonly Clause[], position: number): boolean {
  const clause = clauses[position];
  const before = clauses[position - 1];
  if (!clause || !before || clause.isAsked || before.isAsked) return false;
  const { roles, subject } = peopleIn(before.text);
  return (roles.size > 0 || subject !== undefined) && CONTINUES.test(fold(clause.text));
}

/** Returns the probability from the logistic model. */
function claimScore(features: Readonly<Record<string, number>>, weights: ClaimWeights): number {
  let sum = weights.bias;
  for (const [name, weight] of Object.entries(weights.features)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Replaces the parts with blanks of the same length, so that offsets stay valid. */
function withoutParts(text: string, parts: readonly string[]): string {
  const units = text.slice(0, MAX_CHARACTERS).split('');
  for (const part of parts.filter((each) => each !== '')) {
    // A part that begins in what is read may end behind it.
    const read = text.slice(0, MAX_CHARACTERS + part.length);
    for (let at = read.indexOf(part); at >= 0; at = read.indexOf(part, at + part.length)) {
      units.fill('\n', at, at + part.length);
    }
  }
  return units.join('');
}

function questionBefore(before: string, { text }: Clause): string | undefined {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const words = text.replaceAll(UNSPACED, ' ').match(WORD)?.length ?? 0;
  if (words + unspaced / 2 > SHORT_ANSWER_WORDS) return undefined;
  return splitClauses(before).findLast(({ isAsked }) => isAsked)?.text;
}

/** What the clauses of a message are marked by, besides their own words. */
export interface ClauseContext {
  /** Text of the message. */
  readonly message: string;
  /** The assistant's message before; empty if there is none. */
  readonly before: string;
}

/** Features by name. Those that are 0 may be missing. */
export type ClauseFeatures = Readonly<Record<string, number>>;

/**
 * Returns the features by which claims are marked, for each of all clauses of a message in order. Each is from 0 to 1 and
 * named as its weight. No feature stands for a single word, so that the fitted weights hold for other people's messages.
 */
export function claimFeatures(
  clauses: readonly Clause[],
  { message, before }: ClauseContext,
): ClauseFeatures[] {
  const isMessageOwn = isOfUser(fold(message));
  const materialAt = materialStart(message);
  const isAnswer = isQuestion(before);
  return clauses.map((clause, position) => {
    const features = {
      ...featuresOfWords(clause, isMessageOwn),
      isAnswer: isAnswer && position === 0,
      isAlone: clauses.length === 1,
      manyClauses: Math.min(1, clauses.length / 10),
      inMaterial: clause.start >= materialAt || isInQuotation(message.slice(0, clause.start)),
    };
    return Object.fromEntries(Object.entries(features).map(([name, value]) => [name, Number(value)]));
  });
}

function featuresOfWords(clause: Clause, isMessageOwn: boolean): Readonly<Record<string, number | boolean>> {
  const text = clause.text.replace(QUOTATION, ' ');
  const folded = fold(clause.isAsked ? text : withOwnPronoun(text));
  const words = folded.match(WORD) ?? [];
  const length = Math.min(1, (words.length + (folded.match(UNSPACED)?.length ?? 0) / 2) / 12);
  const isOwn = isOfUser(folded);
  const [opener = '', second = ''] = words;
  return {
    ...Object.fromEntries(OF_LIFE.map((kind) => [kind, hasWord(folded, kind)])),
    length,
    asks: clause.isAsked,
    startsAsking: hasWord(opener, 'ask'),
    isRequest: hasWord(`${opener} ${second}`, 'request') || REQUEST.test(folded),
    startsWithAcknowledgement: hasWord(opener, 'acknowledgement'),
    I: I.test(folded),
    am: AM.test(folded),
    ownHealth: isOwn && hasWord(folded, 'health'),
    subjectDropped: !isOwn && DROPPED.test(folded),
    standingWish: isStandingWish(folded),
    name: INNER_CAPITAL.test(text.slice(1)),
    digit: /\p{N}/u.test(text),
    quotes: /["“”«»„「]/u.test(clause.text),
    technical: TECHNICAL.test(text),
    exclaims: text.endsWith('!'),
    strangerLength: isOwn || isMessageOwn ? 0 : length,
  };
}

/** Subjects of people's lives that tell claims from other clauses. */
const OF_LIFE = ['kin', 'pet', 'work', 'health', 'diet', 'activity', 'date', 'change', 'unreal'] as const;

function isOfUser(folded: string): boolean {
  return I.test(folded) || MY.test(folded);
}

/**
 * Returns where the text to work on begins in a message: behind the colon of "fix the grammar: …", or on the lines below
 * such a request. `Infinity` if there is none.
 */
function materialStart(message: string): number {
  const match = /:\s|[：\n]/u.exec(message);
  return match && hasWord(fold(message.slice(0, match.index)), 'material')
    ? match.index + match[0].length
    : Infinity;
}

/** Whether a quotation that begins in a text is still open at its end. */
function isInQuotation(head: string): boolean {
  return /["“«„「][^"”»“」]*$/u.test(head) && (head.match(/"/gu)?.length ?? 0) % 2 === 1;
}

/** A quotation of three words or more says nothing about the user. */
const QUOTATION = /["“«„「][^"”»“」]*\s[^"”»“」]*\s[^"”»“」]*["”»“」]/gu;
const WORD = /[\p{L}\p{N}'-]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const I = wordPattern(
  String.raw`i|im|i'm|ive|i've|i'd|id|i'll|ill|me|myself|ich|mich|mir|yo|me|je|moi|eu|mim|io|ik|j'\w+|{iVerb}|we|we're|we've|we'll|us|wir|uns|nosotr[ao]s|nous|a gente|wij / 我|私|僕|俺`,
);
const MY = wordPattern(String.raw`{my} / 我的|我们的|私の|僕の|うちの`);
const AM = wordPattern(
  "i'?m(?: an?)?|i am|ich bin|soy|estoy|je suis|(?:eu )?sou|estou|sono|ik ben / 我是|です",
);
const REQUEST = wordPattern(
  "(?:can|could|would|will) (?:you|u)|help me|i (?:want|need|would like|'d like) (?:you|to know)|how (?:do|can|should) i|what should i|any (?:ideas?|tips?|advice)|kannst du|puedes|peux-tu|pouvez-vous|pode / 帮我|教えて|ください",
);
/** A clause that begins with a verb and omits its subject, the user: "got 2 cats", "moved to Leeds". */
const DROPPED = regex(
  String.raw`^(?:also |and |but |so |just |now |still )?(?:got|have|had|moved|live|living|work|working|started
    stopped|quit|bought|sold|went|been|love|hate|like|prefer|can'?t|cannot|don'?t|never|always|allergic
    vegan|booked|joined|signed|turned|am|was|not|no)\b`,
  'u',
);
/** A clause about somebody named before. */
const CONTINUES = /^(?:and |but |so )?s?he(?:'?s|'ll|'d)? \w/u;
const TECHNICAL = /[{}<>=\\|$#*^~`]|\w\(\w*\)|\w_\w|https?:/u;
const INNER_CAPITAL = /(?<=[\s(“"])(?!I\b|I')\p{Lu}[\p{L}'’-]+/u;
